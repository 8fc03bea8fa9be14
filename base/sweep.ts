import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Names of the temporary files of atomic writes (`write-file-atomic`): the file's name, a dot, a number. */
const temporaryName = /\.(?:json|jsonl|key)\.\d{1,10}$/

/** Removes temporary files that a killed process left in a folder. The caller must be the only writer of the folder. */
export async function sweepTemporaryFiles(folder: string): Promise<void> {
	const names = await readdir(folder).catch(() => [])
	for (const name of names) if (temporaryName.test(name)) await rm(join(folder, name), { force: true })
}
