import { chmod, lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { makePrivateFolder } from './atomic-file.ts'
import { defineErrors } from './errors.ts'
import { supportPath } from './support-path.ts'

export const supportErrors = defineErrors('support', {
	open_to_others:
		'Other users can write to the support directory {path}, so its content cannot be trusted. Check its files, then run: chmod 700 {path}',
	not_private:
		'The support directory {path} is a link or belongs to another user. Set ROUNDHOUSE_HOME to another folder.',
})

/** Name prefix of the folders that contain the browser profile of a window. */
export const windowPrefix = 'window-'

/** The folder where the host stores all its data. `file` returns the path of a file in this folder. */
export interface SupportDirectory {
	readonly path: string
	file(name: string): string
}

/**
 * Creates the directory if necessary, and makes it private. Rejects a directory that other users could write to,
 * because it may contain their files, for example another user's token.
 * @throws HostError `support/not_private`, `support/open_to_others`
 */
export async function openSupportDirectory(path = supportPath()): Promise<SupportDirectory> {
	await makePrivateFolder(path)
	const stat = await lstat(path)
	const isForeign = process.getuid !== undefined && stat.uid !== process.getuid()
	if (!stat.isDirectory() || isForeign) throw supportErrors.make('not_private', { path })
	if (process.platform !== 'win32' && (stat.mode & 0o022) !== 0) throw supportErrors.make('open_to_others', { path })
	if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) await chmod(path, 0o700)
	return { path, file: name => join(path, name) }
}
