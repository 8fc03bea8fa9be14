import { cp, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inCheckout } from '../layout.ts'

/**
 * Copies packages and what they depend on from the checkout into one flat folder: those of this platform, since npm
 * installed no others.
 */
export async function copyModules(names: readonly string[], folder: string): Promise<void> {
	const copied = new Set<string>()
	const visit = async (name: string, from: string): Promise<void> => {
		const manifest = manifestOf(name, from)
		if (manifest === undefined || copied.has(name)) return
		copied.add(name)
		await cp(dirname(manifest), join(folder, name), { recursive: true, filter: path => !/\/node_modules$/.test(path) })
		const { dependencies = {}, optionalDependencies = {} } = JSON.parse(await readFile(manifest, 'utf8'))
		for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) await visit(needed, manifest)
	}
	for (const name of names) await visit(name, inCheckout('package.json'))
	const missing = names.filter(name => !copied.has(name))
	if (missing.length > 0) throw new Error(`Not installed: ${missing.join(', ')}. Run: npm ci`)
}

/** A package may not export its manifest, so the folders are searched as Node would. */
function manifestOf(name: string, from: string): string | undefined {
	const folders = createRequire(pathToFileURL(from)).resolve.paths(name) ?? []
	for (const folder of folders) {
		try {
			return createRequire(import.meta.url).resolve(join(folder, name, 'package.json'))
		} catch {
			// It is in one of the next folders, or for another platform.
		}
	}
	return undefined
}
