import { defineErrors, type HostError } from './errors.ts'
import { type FileLock, lastHolder, tryFileLock } from './file-lock.ts'
import type { SupportDirectory } from './support-directory.ts'

export const lockErrors = defineErrors('lock', {
	held: 'Another Roundhouse (process {pid}) is using {path}. Stop it, or set ROUNDHOUSE_HOME to another folder.',
})

const fileName = 'lock'

/**
 * Takes the lock that allows one writer for a support directory: the host while it runs, or a command while it works.
 * Returns `undefined` if it is held.
 */
export function tryLockSupport(support: SupportDirectory): FileLock | undefined {
	return tryFileLock(support.file(fileName))
}

/** Returns the process that holds the lock. Valid only while the lock is held. */
export function lockHolder(support: SupportDirectory): number | undefined {
	return lastHolder(support.file(fileName))
}

export function lockHeldError(support: SupportDirectory): HostError {
	return lockErrors.make('held', { pid: lockHolder(support) ?? 'unknown', path: support.path })
}
