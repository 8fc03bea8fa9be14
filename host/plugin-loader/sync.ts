import { messageOf } from '../../base/errors.ts'
import type { CallOptions } from '../driver-runtime/driver-calls.ts'
import type { Drivers } from './drivers.ts'
import type { DriverLock } from './lock-file.ts'

/** The result for one driver of a lock file. */
export interface Synced {
	readonly id: string
	readonly version: string
	readonly outcome: 'kept' | 'installed' | 'failed'
	/** Why it failed. */
	readonly reason?: string
}

/** Installs the releases of a lock file that are not installed. Does not change drivers that the file does not name. */
export async function syncDrivers(
	drivers: Drivers,
	lock: DriverLock,
	options: CallOptions,
): Promise<readonly Synced[]> {
	const here = drivers.lock().drivers
	const synced: Synced[] = []
	for (const [id, { registry, publisher, version, sha512 }] of Object.entries(lock.drivers)) {
		if (here[id]?.sha512 === sha512 && here[id].registry === registry) {
			synced.push({ id, version, outcome: 'kept' })
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
