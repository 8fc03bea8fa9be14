import { execFile } from 'node:child_process'
import { readFile, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeOwnedFolder, type OwnedFolder, sweepOwnedFolders } from '../../base/owned-folder.ts'

/** Prefix of the scratch folders in the system's temporary folder. Each driver process has one. */
const prefix = () => join(tmpdir(), 'roundhouse-driver-')

/** Beside the lock, where the driver cannot write. */
const processFile = (folder: string) => join(folder, 'process')

export interface Scratch extends OwnedFolder {
	/** Records the process that uses the folder, so that the next host can end it if this host is killed. */
	usedBy(pid: number): Promise<void>
}

export async function makeScratch(): Promise<Scratch> {
	const scratch = await makeOwnedFolder(prefix())
	return {
		...scratch,
		// The permission model compares real paths, and the temporary folder is often a symbolic link.
		path: await realpath(scratch.path),
		usedBy: pid => writeFile(processFile(scratch.folder), String(pid)),
	}
}

/** Ends the driver processes of hosts that were killed, and removes their folders. */
export function sweepScratch(): Promise<void> {
	return sweepOwnedFolders(prefix(), endOrphan)
}

/** Ends a driver that outlived its host. Process ids are reused, so the command line must contain this folder. */
async function endOrphan(folder: string): Promise<void> {
	const pid = Number.parseInt(await readFile(processFile(folder), 'utf8').catch(() => ''), 10)
	if (!(pid > 1) || !(await commandLineOf(pid)).includes(await realpath(folder))) return
	process.kill(pid, 'SIGKILL')
}

/**
 * Returns the command line of a process, or an empty text if the process does not exist or the system does not report
 * it (Windows).
 */
async function commandLineOf(pid: number): Promise<string> {
	try {
		if (process.platform === 'linux') return await readFile(`/proc/${pid}/cmdline`, 'utf8')
		if (process.platform === 'win32') return ''
		return (await promisify(execFile)('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)])).stdout
	} catch {
		return ''
	}
}
