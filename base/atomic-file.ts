import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import type { z } from 'zod'
import { defineErrors } from './errors.ts'

/**
 * Writes files of the support directory: mode 0600, in folders of mode 0700. Each write goes to a temporary file, then
 * fsync, then rename. So a crash leaves either the old file or the new one, never a part.
 */

export const fileErrors = defineErrors('file', {
	unreadable: '{file} cannot be read: {reason}. The file was not changed. Correct or move it, then start again.',
	not_kept:
		'The change applies only until Roundhouse stops, because {file} could not be written: {reason}. Free disk space, then try again.',
})

export async function makePrivateFolder(path: string): Promise<string> {
	await mkdir(path, { recursive: true, mode: 0o700 })
	return path
}

export async function writePrivateFile(path: string, data: string | Buffer): Promise<void> {
	await makePrivateFolder(dirname(path))
	await writeFileAtomic(path, data, { mode: 0o600, fsync: true })
}

/** Returns the bytes of a file, or `undefined` if the file does not exist. */
export async function readIfExists(path: string): Promise<Buffer | undefined> {
	try {
		return await readFile(path)
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
		throw error
	}
}

/**
 * Reads a JSON file and parses it with a schema. Returns `undefined` if the file does not exist.
 * @throws HostError `file/unreadable`. The file is never overwritten to repair it.
 */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
	const bytes = await readIfExists(path)
	if (!bytes) return undefined
	try {
		return schema.parse(JSON.parse(bytes.toString('utf8')))
	} catch (error) {
		throw fileErrors.make(
			'unreadable',
			{ file: path, reason: error instanceof Error ? error.message : '' },
			{ cause: error },
		)
	}
}

export async function writeJsonFile(path: string, value: unknown): Promise<void> {
	await writePrivateFile(path, `${JSON.stringify(value, null, '\t')}\n`)
}
