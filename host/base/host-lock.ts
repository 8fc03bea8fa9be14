import { defineErrors } from './errors.ts'
import { type FileLock, fileLock, lastHolder } from './file-lock.ts'
import type { SupportDirectory } from './support-directory.ts'

export const lockErrors = defineErrors('lock', {
	held: 'Another Roundhouse (process {pid}) works on {path}. Stop it, or use another ROUNDHOUSE_HOME.',
})

/** One writer a support directory: the host while it runs, or a command while it works. @throws HostError `lock/held` */
export async function lockSupport(support: SupportDirectory, waitMs = 0): Promise<FileLock> {
	const path = support.file('lock')
	const lock = await fileLock(path, waitMs)
	if (!lock) throw lockErrors.make('held', { pid: lastHolder(path) ?? 'unknown', path: support.path })
	return lock
}
