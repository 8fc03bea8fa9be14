import { driverId, publisherName, semverVersion, sha512 } from '@roundhouse/registry/format/format'
import { z } from 'zod'
import { readJsonFile, writeJsonFile } from '../../base/atomic-file.ts'
import { pluginErrors } from './errors.ts'

/**
 * `drivers.lock.json`: the exact release, publisher and registry of each installed driver. It reproduces the same
 * drivers on another machine that has the same registries.
 */
const lockSchema = z.object({
	version: z.literal(1),
	drivers: z.record(
		driverId,
		z.object({
			/** Fingerprint of the registry. */
			registry: z.string().regex(/^[0-9a-f]{64}$/),
			publisher: publisherName,
			version: semverVersion,
			/** Of the package. */
			sha512,
		}),
	),
})
export type DriverLock = z.infer<typeof lockSchema>

interface Installed {
	readonly current: {
		readonly registry: string
		readonly release: {
			readonly id: string
			readonly publisher: string
			readonly version: string
			readonly package: { readonly sha512: string }
		}
	}
}

export function lockOf(installed: readonly Installed[]): DriverLock {
	const drivers = installed.map(({ current: { registry, release } }) => {
		const { id, publisher, version, package: pack } = release
		return [id, { registry, publisher, version, sha512: pack.sha512 }] as const
	})
	return { version: 1, drivers: Object.fromEntries(drivers.sort(([a], [b]) => (a < b ? -1 : 1))) }
}

/** @throws HostError `plugin/lock_malformed` */
export function parseLock(lock: unknown): DriverLock {
	const { data, error } = lockSchema.safeParse(lock)
	if (data) return data
	const [issue] = error.issues
	throw pluginErrors.make('lock_malformed', { reason: `${issue?.path.join('.')} ${issue?.message}` })
}

/** Writes the lock file if it differs. */
export async function keepLock(path: string, lock: DriverLock): Promise<void> {
	const before = await readJsonFile(path, lockSchema).catch(() => undefined)
	if (JSON.stringify(before) !== JSON.stringify(lock)) await writeJsonFile(path, lock)
}
