import { chmod, readdir, utimes } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { create } from 'tar'

/** Returns the plain files below a folder, with `/` between their parts, in a fixed order. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true })
	return entries
		.filter(entry => entry.isFile())
		.map(entry => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
		.sort()
}

/**
 * Gives all files below a folder the same modes and times wherever they were made: a new file follows the umask.
 * @param programs paths of the files that can be run
 */
export async function settle(folder: string, date: string, programs: readonly string[] = []): Promise<void> {
	for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
		const path = join(entry.parentPath, entry.name)
		const name = relative(folder, path).split(sep).join('/')
		await chmod(path, entry.isDirectory() || programs.includes(name) ? 0o755 : 0o644)
		await utimes(path, new Date(date), new Date(date))
	}
}

/** Packs a settled folder as npm would. The bytes depend on names, modes and contents alone. */
export async function packNpm(folder: string, file: string): Promise<void> {
	await create(
		{
			file,
			cwd: folder,
			prefix: 'package',
			portable: true,
			noDirRecurse: true,
			gzip: { level: 9 },
			// The time that npm writes.
			mtime: new Date('1985-10-26T08:15:00Z'),
		},
		[...(await filesBelow(folder))],
	)
}
