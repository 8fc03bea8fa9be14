import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import type { z } from 'zod'
import { defineErrors } from './errors.ts'

/**
 * Files of the support directory: 0600 in folders of 0700, written by temporary file, fsync and rename, so that a
 * crash leaves the old file or the new one and never half of one.
 */

export const fileErrors = defineErrors('file', {
	unreadable: '{file} cannot be read: {reason}. It was left as it is; mend or move it, then start again.',
	not_kept:
		'This holds until Roundhouse stops, but {file} could not be written: {reason}. Make room on the disk, then do it again.',
})

export async function makePrivateFolder(path: string): Promise<string> {
	await mkdir(path, { recursive: true, mode: 0o700 })
	return path
}

export async function writePrivateFile(path: string, data: string | Buffer): Promise<void> {
	await makePrivateFolder(dirname(path))
	await writeFileAtomic(path, data, { mode: 0o600, fsync: true })
}

/** The file's bytes, or `undefined` where there is no such file. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
	try {
		return await readFile(path)
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
		throw error
	}
}

/**
 * Reads a JSON file by its schema, `undefined` where there is none.
 * @throws HostError `file/unreadable`; the file is never overwritten to mend it.
 */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
	const bytes = await readIfThere(path)
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
