import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import type { z } from 'zod'
import { defineErrors } from './errors.ts'
import { hostVersion } from './version.ts'

/**
 * Writes files of the support directory: mode 0600, in folders of mode 0700. Each write goes to a temporary file, then
 * fsync, then rename. So a crash leaves either the old file or the new one, never a part.
 */

export const fileErrors = defineErrors('file', {
	unreadable: '{file} cannot be read: {reason}. The file was not changed. Correct or move it, then start again.',
	newer:
		'{file} was written by a newer Roundhouse. This needs Roundhouse {needed} or newer, and this is {own}. The file was not changed.',
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

/** File of the support directory with the newest version of the host that has used it. */
export const newestHostFile = 'newest-host.json'

/**
 * Reads a JSON file and parses it with a schema. Returns `undefined` if the file does not exist.
 * @throws HostError `file/newer`, `file/unreadable`. The file is never overwritten to repair it.
 */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
	const bytes = await readIfExists(path)
	if (!bytes) return undefined
	let content: unknown
	try {
		content = JSON.parse(bytes.toString('utf8'))
		return schema.parse(content)
	} catch (error) {
		const cause = { cause: error }
		if (isNewerFormat(content, schema))
			throw fileErrors.make('newer', { file: path, needed: await newestHost(dirname(path)), own: hostVersion }, cause)
		const reason = error instanceof Error ? error.message : ''
		throw fileErrors.make('unreadable', { file: path, reason }, cause)
	}
}

/** Whether a file's `version` is a number above those that the schema takes. */
function isNewerFormat(content: unknown, schema: z.ZodType): boolean {
	if (typeof content !== 'object' || !content || !('version' in content)) return false
	const { version } = content
	if (typeof version !== 'number' || !Number.isInteger(version)) return false
	const issue = schema.safeParse(content).error?.issues.find(({ path }) => path.length === 1 && path[0] === 'version')
	return issue?.code === 'invalid_value' && issue.values.every(value => typeof value === 'number' && value < version)
}

/** Returns the version that wrote the file, as the support directory notes it. */
async function newestHost(folder: string): Promise<string> {
	const bytes = await readIfExists(join(folder, newestHostFile))
	try {
		return String(JSON.parse(bytes?.toString('utf8') ?? '').host)
	} catch {
		return 'of a later version'
	}
}

export async function writeJsonFile(path: string, value: unknown): Promise<void> {
	await writePrivateFile(path, `${JSON.stringify(value, null, '\t')}\n`)
}
