import { readFileSync } from 'node:fs'
import { join } from 'node:path'

declare const ROUNDHOUSE_VERSION: string | undefined

/** The version of this host: set by the build, read from package.json when it runs from source. */
export const hostVersion: string =
	typeof ROUNDHOUSE_VERSION === 'string'
		? ROUNDHOUSE_VERSION
		: JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')).version
