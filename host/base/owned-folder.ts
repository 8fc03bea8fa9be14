import { existsSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type FileLock, tryFileLock } from './file-lock.ts'

/**
 * A folder for as long as its process uses it. It is locked meanwhile, so that what a killed process left behind can be
 * told from what another one works in, and swept.
 */
export interface OwnedFolder {
	readonly path: string
	remove(): Promise<void>
}

const lockIn = (folder: string) => join(folder, 'lock')
/** Apart from the lock, for what is in there may be somebody else's to write. */
const contentIn = (folder: string) => join(folder, 'files')

/** `prefix` is a path, and the beginning of the folder's name. */
export async function makeOwnedFolder(prefix: string): Promise<OwnedFolder> {
	const folder = await mkdtemp(prefix)
	const lock = tryFileLock(lockIn(folder))
	if (!lock) throw new Error(`${folder} was made for us, and is somebody else's.`)
	await mkdir(contentIn(folder), { mode: 0o700 })
	return { path: contentIn(folder), remove: () => remove(folder, lock) }
}

/** Removes the folders of one prefix that no living process uses. What cannot be removed stays for the next time. */
export async function sweepOwnedFolders(prefix: string): Promise<void> {
	const parent = dirname(prefix)
	const names = await readdir(parent).catch(() => [])
	for (const name of names.filter(name => name.startsWith(basename(prefix)))) {
		const folder = join(parent, name)
		const stat = await lstat(folder).catch(() => undefined)
		const isOurs = stat?.isDirectory() && stat.uid === (process.getuid?.() ?? stat.uid)
		// One without a lock in it is not of this kind, or is being made.
		const lock = isOurs && existsSync(lockIn(folder)) ? lockOfLeft(folder) : undefined
		if (lock) await remove(folder, lock).catch(() => {})
	}
}

/** Another process may sweep the same folder, and be done with it first. */
function lockOfLeft(folder: string): FileLock | undefined {
	try {
		return tryFileLock(lockIn(folder))
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
		throw error
	}
}

async function remove(folder: string, lock: FileLock): Promise<void> {
	try {
		await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
	} finally {
		lock[Symbol.dispose]()
	}
}
