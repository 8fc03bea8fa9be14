import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type FileLock, tryFileLock } from './file-lock.ts'

/**
 * A folder that one process owns. A lock distinguishes a folder in use from an orphan that a killed process left
 * behind. The next start removes orphans.
 */
export interface OwnedFolder {
	/** Folder for the owner's notes, beside the content. */
	readonly folder: string
	/** Folder for the content. Another program may write here. */
	readonly path: string
	/**
	 * Removes the folder. Resolves after one second at most, but the removal may continue. The next start removes the
	 * remaining files.
	 */
	remove(): Promise<void>
}

const removalWaitMs = 1000

const lockIn = (folder: string) => join(folder, 'lock')
const contentIn = (folder: string) => join(folder, 'files')

/** A start of another process can take a folder for an orphan, between the creation of its lock file and the lock. */
const attempts = 5

/** Makes a folder. `prefix` is a path and the beginning of the folder's name. */
export async function makeOwnedFolder(prefix: string): Promise<OwnedFolder> {
	const { folder, lock } = await makeLockedFolder(prefix)
	await mkdir(contentIn(folder), { mode: 0o700 })
	return {
		folder,
		path: contentIn(folder),
		remove: () => Promise.race([remove(folder, lock).catch(() => {}), sleep(removalWaitMs, undefined, { ref: false })]),
	}
}

async function makeLockedFolder(prefix: string): Promise<{ readonly folder: string; readonly lock: FileLock }> {
	for (let attempt = 0; attempt < attempts; attempt++) {
		const folder = await mkdtemp(prefix)
		const lock = tryFileLock(lockIn(folder))
		if (lock) return { folder, lock }
	}
	throw new Error(`Other processes took each folder ${prefix}… before its lock could be set.`)
}

/**
 * Removes the folders with a prefix that no living process owns. What cannot be removed stays for the next time.
 * @param prepare called with each folder before its removal
 */
export async function sweepOwnedFolders(
	prefix: string,
	prepare: (folder: string) => Promise<void> = async () => {},
): Promise<void> {
	for (const { folder } of await ownedFolders(prefix)) {
		const lock = lockOrphan(folder)
		if (!lock) continue
		await prepare(folder).catch(() => {})
		await remove(folder, lock).catch(() => {})
	}
}

/** Returns the folders with a prefix that processes of this user own or have left, with the bits of their modes. */
export async function ownedFolders(
	prefix: string,
): Promise<readonly { readonly folder: string; readonly mode: number }[]> {
	const parent = dirname(prefix)
	const names = await readdir(parent).catch(() => [])
	const found: { readonly folder: string; readonly mode: number }[] = []
	for (const name of names.filter(name => name.startsWith(basename(prefix)))) {
		const folder = join(parent, name)
		const stat = await lstat(folder).catch(() => undefined)
		if (!stat?.isDirectory() || stat.uid !== (process.getuid?.() ?? stat.uid)) continue
		// A folder without a lock file is not an owned folder, or its creation is not complete.
		if (existsSync(lockIn(folder))) found.push({ folder, mode: stat.mode & 0o777 })
	}
	return found
}

/** Another process may be sweeping the same folder, and may remove it first. */
function lockOrphan(folder: string): FileLock | undefined {
	try {
		return tryFileLock(lockIn(folder))
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
		throw error
	}
}

async function remove(folder: string, lock: FileLock): Promise<void> {
	try {
		await removeTree(folder)
	} finally {
		lock[Symbol.dispose]()
	}
}

/**
 * Removes a folder with all its content. The system's `rm` also removes folders nested deeper than the path limit,
 * which Node cannot, and moves the work for many files out of this process. A folder whose mode does not let its owner
 * list or change it gets another mode first.
 * @throws Error if something cannot be removed
 */
async function removeTree(folder: string): Promise<void> {
	// Most drivers write nothing. Then only the owner's notes are left.
	const hadNoContent = await rmdir(contentIn(folder)).then(
		() => true,
		() => false,
	)
	if (hadNoContent || process.platform === 'win32')
		return rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
	const run = promisify(execFile)
	await run('/bin/rm', ['-rf', '--', folder]).catch(async () => {
		// `find` follows no link, and changes a folder before it lists it. What it cannot change, `rm` reports.
		const change = ['-execdir', '/bin/chmod', 'u+rwx', '{}', ';']
		const closed = ['-type', 'd', '!', '-perm', '-700']
		await run('/usr/bin/find', [folder, ...closed, ...change], { env: { PATH: '/usr/bin:/bin' } }).catch(() => {})
		await run('/bin/rm', ['-rf', '--', folder])
	})
}
