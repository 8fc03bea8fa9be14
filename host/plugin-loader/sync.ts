import { gt } from 'semver'
import { messageOf } from '../../base/errors.ts'
import type { CallOptions } from '../driver-runtime/driver-calls.ts'
import type { Drivers } from './drivers.ts'
import { pluginErrors } from './errors.ts'
import type { DriverLock } from './lock-file.ts'

/** The result for one driver of a lock file. */
export interface Synced {
	readonly id: string
	readonly version: string
	readonly outcome: 'kept' | 'installed' | 'failed'
	/** Why it failed. */
	readonly reason?: string
}

export interface SyncOptions extends CallOptions {
	/** The user accepts releases that are older than the installed ones, and may lack corrections. */
	readonly acceptsOlder?: boolean | undefined
}

/** Installs the releases of a lock file that are not installed. Does not change drivers that the file does not name. */
export async function syncDrivers(
	drivers: Drivers,
	lock: DriverLock,
	{ acceptsOlder = false, ...options }: SyncOptions,
): Promise<readonly Synced[]> {
	const here = drivers.lock().drivers
	const synced: Synced[] = []
	for (const [id, { registry, publisher, version, sha512 }] of Object.entries(lock.drivers)) {
		if (here[id]?.sha512 === sha512 && here[id].registry === registry) {
			synced.push({ id, version, outcome: 'kept' })
			continue
		}
		const installed = here[id]?.version
		if (installed !== undefined && gt(installed, version) && !acceptsOlder) {
			const { message } = pluginErrors.make('older_in_lock', { driver: id, installed, version })
			synced.push({ id, version, outcome: 'failed', reason: message })
			continue
		}
		try {
			await drivers.install(id, { ...options, range: version, from: { registry, publisher }, sha512 })
			synced.push({ id, version, outcome: 'installed' })
		} catch (error) {
			options.signal?.throwIfAborted()
			synced.push({ id, version, outcome: 'failed', reason: messageOf(error) })
		}
	}
	return synced
}
