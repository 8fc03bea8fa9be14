import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { registryErrors } from '../format/errors.ts'

export type Bundler = typeof import('esbuild')

/**
 * Loads the pinned bundler of this program. A checkout has one. An installed Roundhouse includes none, because only
 * authors of drivers need it. The bundler of a driver's folder is never loaded: it would run with all rights of the
 * user, beside the keys of a registry. @throws HostError `registry/no_bundler`
 */
export async function loadBundler(): Promise<Bundler> {
	let path: string
	try {
		path = createRequire(import.meta.url).resolve('esbuild')
	} catch (error) {
		throw registryErrors.make('no_bundler', {}, { cause: error })
	}
	return (await import(pathToFileURL(path).href)).default
}
