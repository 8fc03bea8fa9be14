import { unzipSync } from 'fflate'
import { metadataFolder, plainPath, targetsFolder } from './format.ts'

/**
 * Opens a bundle: a zip of a registry's folder. Accepts only what `bundleDrivers` writes: plain paths in the registry's
 * two folders, unique and stored without compression. So no path can leave the folder, and no entry can expand.
 * @throws Error that says what is wrong
 */
export function openBundle(zip: Uint8Array): ReadonlyMap<string, Uint8Array> {
	const names = new Set<string>()
	let size = 0
	const files = unzipSync(zip, {
		filter: entry => {
			if (!isOfRegistry(entry.name)) throw new Error(`"${entry.name}" is not a file of a registry`)
			if (names.has(entry.name)) throw new Error(`"${entry.name}" occurs twice`)
			if (entry.compression !== 0) throw new Error(`"${entry.name}" is compressed`)
			// Overlapping entries would sum up to more than the size of the zip.
			size += Math.max(entry.size, entry.originalSize)
			if (size > zip.length) throw new Error('its entries are larger than the file')
			names.add(entry.name)
			return true
		},
	})
	return new Map([...names].map(name => [name, files[name] ?? new Uint8Array()]))
}

function isOfRegistry(name: string): boolean {
	const isInside = name.startsWith(`${metadataFolder}/`) || name.startsWith(`${targetsFolder}/`)
	return isInside && plainPath.safeParse(name).success
}
