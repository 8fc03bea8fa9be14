import { realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeOwnedFolder, type OwnedFolder, sweepOwnedFolders } from '../base/owned-folder.ts'

/** The folders that driver processes may write to, each its own, in the system's place for temporary files. */
const prefix = () => join(tmpdir(), 'roundhouse-driver-')

export async function makeScratch(): Promise<OwnedFolder> {
	const scratch = await makeOwnedFolder(prefix())
	// The permission model compares real paths, and a temporary folder is often behind a link.
	return { ...scratch, path: await realpath(scratch.path) }
}

/** Removes those of hosts that were killed. */
export function sweepScratch(): Promise<void> {
	return sweepOwnedFolders(prefix())
}
