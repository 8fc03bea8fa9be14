import { realpath } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { packageLimits } from '@roundhouse/registry/format/format'
import { z } from 'zod'
import { readRegularFile } from '../../base/regular-file.ts'

const names = z.record(z.string(), z.unknown()).transform(Object.keys).catch([])
/** The members of a package.json that name packages. */
const declared = z.object({
	dependencies: names,
	optionalDependencies: names,
	peerDependencies: names,
	devDependencies: names,
})

/** No path: the name becomes a part of one, and the folder there is then readable. */
const packageName = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i

/**
 * Returns the folders of the packages that a driver's package.json names, and of the packages that those need, each
 * with its real path. So the work follows what the driver uses, and not what `node_modules` has.
 * @param modules the folders `node_modules` in which packages are found
 */
export async function declaredPackages(
	folder: string,
	modules: readonly string[],
): Promise<ReadonlyMap<string, string>> {
	const found = new Map<string, string>()
	const { devDependencies, ...others } = await readDeclared(folder)
	const waiting = [{ folder, needs: [...Object.values(others).flat(), ...devDependencies] }]
	for (let next = waiting.pop(); next; next = waiting.pop()) {
		for (const name of next.needs) {
			const place = await findPackage(name, next.folder, modules)
			if (!place || found.has(place.path)) continue
			found.set(place.path, place.real)
			const { devDependencies: _, ...needed } = await readDeclared(place.real)
			waiting.push({ folder: place.real, needs: Object.values(needed).flat() })
		}
	}
	return found
}

async function readDeclared(folder: string): Promise<z.infer<typeof declared>> {
	try {
		const bytes = await readRegularFile(join(folder, 'package.json'), packageLimits.documentBytes)
		return declared.parse(JSON.parse(bytes.toString('utf8')))
	} catch {
		// Node reports a package that it cannot read.
		return declared.parse({})
	}
}

/** Finds a package as Node does: in the nearest folder `node_modules`. */
async function findPackage(
	name: string,
	folder: string,
	modules: readonly string[],
): Promise<{ readonly path: string; readonly real: string } | undefined> {
	if (!packageName.test(name)) return undefined
	for (let above = folder; ; above = dirname(above)) {
		const path = join(above, 'node_modules', name)
		const real = await realpath(path).catch(() => undefined)
		// A package that is linked from elsewhere is not readable.
		if (real !== undefined) return modules.some(place => real.startsWith(place + sep)) ? { path, real } : undefined
		if (dirname(above) === above) return undefined
	}
}
