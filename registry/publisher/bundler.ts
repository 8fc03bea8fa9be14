import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { registryErrors } from '../format/errors.ts'

export type Bundler = typeof import('esbuild')

/**
 * Loads the bundler: that of the driver's folder, or the one beside this program. A checkout has one. An installed
 * Roundhouse includes none, because only authors of drivers need it.
 * @throws HostError `registry/no_bundler`
 */
export async function loadBundler(folder: string): Promise<Bundler> {
	for (const place of [pathToFileURL(join(folder, 'package.json')).href, import.meta.url]) {
		const path = resolveFrom(place)
		if (path) return (await import(pathToFileURL(path).href)).default
	}
	throw registryErrors.make('no_bundler', { folder })
}

function resolveFrom(place: string): string | undefined {
	try {
		return createRequire(place).resolve('esbuild')
	} catch {
		return undefined
	}
}
