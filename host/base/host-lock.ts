import { defineErrors, type HostError } from './errors.ts'
import { type FileLock, lastHolder, tryFileLock } from './file-lock.ts'
import type { SupportDirectory } from './support-directory.ts'

export const lockErrors = defineErrors('lock', {
	held: 'Another Roundhouse (process {pid}) works on {path}. Stop it, or use another ROUNDHOUSE_HOME.',
})

const fileName = 'lock'

/** One writer a support directory: the host while it runs, or a command while it works. `undefined` where somebody is. */
export function tryLockSupport(support: SupportDirectory): FileLock | undefined {
	return tryFileLock(support.file(fileName))
}

/** The process that holds the lock, as long as somebody does. */
export function lockHolder(support: SupportDirectory): number | undefined {
	return lastHolder(support.file(fileName))
}

export function heldBy(support: SupportDirectory): HostError {
	return lockErrors.make('held', { pid: lockHolder(support) ?? 'unknown', path: support.path })
}
