import { readFileSync } from 'node:fs'
import { join } from 'node:path'

declare const ROUNDHOUSE_VERSION: string | undefined

/** Version of this host. The build sets it. If the host runs from source, the version is read from package.json. */
export const hostVersion: string =
	typeof ROUNDHOUSE_VERSION === 'string'
		? ROUNDHOUSE_VERSION
		: JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')).version

/**
 * Number of the API between a host and the commands, windows and bridges on the same machine. It grows with a change
 * that an older one cannot work with.
 */
export const hostApi = 1
