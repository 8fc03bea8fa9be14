import { chmod, lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { makePrivateFolder } from './atomic-file.ts'
import { defineErrors } from './errors.ts'
import { supportPath } from './support-path.ts'

export const supportErrors = defineErrors('support', {
	open_to_others:
		'Others can write to the support directory {path}, so what lies in it cannot be trusted. Look through it, then run: chmod 700 {path}',
	not_private: 'The support directory {path} is a link or belongs to someone else. Name another with ROUNDHOUSE_HOME.',
})

/** How the folders begin that browsers keep a window's profile in. */
export const windowPrefix = 'window-'

/** Where everything the host keeps lives, by name. */
export interface SupportDirectory {
	readonly path: string
	file(name: string): string
}

/**
 * Makes the directory if need be, and closes it to everyone else. One that others could write to may hold what they
 * planted, a token of theirs for example. @throws HostError `support/not_private`, `support/open_to_others`
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
