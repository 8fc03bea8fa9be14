import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** The names that atomic writes give to what is not whole yet (`write-file-atomic`): the file's own, a dot, a number. */
const half = /\.(?:json|jsonl|key)\.\d{1,10}$/

/** Removes half-written files that a killed process left in a folder. Whoever calls it is the folder's only writer. */
export async function sweepHalfWritten(folder: string): Promise<void> {
	const names = await readdir(folder).catch(() => [])
	for (const name of names) if (half.test(name)) await rm(join(folder, name), { force: true })
}
