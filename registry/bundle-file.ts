import { unzipSync } from 'fflate'
import { metadataFolder, plainPath, targetsFolder } from './format.ts'

/**
 * Opens a bundle: a registry's folder in a zip, by the names of its files. Only what `bundleDrivers` writes is taken:
 * plain paths in the registry's two folders, each once, each stored as it is, so that nothing can lead out of the folder
 * and nothing can grow.
 * @throws Error what is wrong with it
 */
export function openBundle(zip: Uint8Array): ReadonlyMap<string, Uint8Array> {
	const names = new Set<string>()
	let size = 0
	const files = unzipSync(zip, {
		filter: entry => {
			if (!isOfRegistry(entry.name)) throw new Error(`"${entry.name}" is no file of a registry`)
			if (names.has(entry.name)) throw new Error(`"${entry.name}" is there twice`)
			if (entry.compression !== 0) throw new Error(`"${entry.name}" is compressed`)
			// Entries that lie on top of each other would sum up to more than there is.
			size += Math.max(entry.size, entry.originalSize)
			if (size > zip.length) throw new Error('it claims to hold more than it has')
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
