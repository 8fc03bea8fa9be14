import { type FileHandle, lstat, readlink, realpath } from 'node:fs/promises'
import { openRegularFile } from '../../base/regular-file.ts'

/** An open file, and its path without links. */
interface RealFile extends AsyncDisposable {
	readonly file: FileHandle
	readonly real: string
}

/**
 * Opens a regular file, also through links, and returns where it is. A path that is resolved before the file is opened
 * proves nothing: another program can replace a folder of it by a link in between. So the open file is asked.
 * @throws Error if the file is not regular, or was replaced meanwhile
 */
export async function openRealFile(path: string): Promise<RealFile> {
	const real = await realpath(path)
	const file = await openRegularFile(real)
	if (await isAt(file, real)) return { file, real, [Symbol.asyncDispose]: () => file.close() }
	await file.close()
	throw new Error('it was replaced while it was read')
}

async function isAt(file: FileHandle, real: string): Promise<boolean> {
	if (process.platform === 'linux') return (await readlink(`/proc/self/fd/${file.fd}`)) === real
	// Other systems do not tell the path of an open file. This misses only a folder that is replaced several times.
	const [opened, found] = await Promise.all([file.stat({ bigint: true }), lstat(real, { bigint: true })])
	return opened.ino === found.ino && opened.dev === found.dev
}
