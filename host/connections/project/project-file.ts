import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { oneLine, shownLine } from '@roundhouse/kit/shown-text'
import { z } from 'zod'
import { parseJsonOrUndefined } from '../../../base/parse-json.ts'
import { reasonOf } from '../../../base/reason-of.ts'
import { openRegularFile, readAtMost } from '../../../base/regular-file.ts'
import { sharedSshSchema } from '../../network/ssh/ssh-setting.ts'
import { portableConnectionSchema } from '../connection-fields.ts'
import { connectionErrors } from '../errors.ts'
import { fileFault } from '../file-fault.ts'

/**
 * `roundhouse.json` of a project's folder: its connections without secrets, the columns that it hides from AI clients, and
 * the folder of its statements. A team keeps it in Git, so it may come from anyone: it has no command, no path of this
 * machine, no proxy and nothing that AI clients may do. Of a way through SSH it has the hosts.
 */

const projectFileName = 'roundhouse.json'
const mostBytes = 1_000_000

/** Latin letters beside those of a script that looks alike, in one word. */
const mixedWord =
	/\p{L}*(?:\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin})/u
/** Returns what two names that a person takes for the same have in common. */
export const looksOf = (name: string): string =>
	name
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, '')

const connectionSchema = portableConnectionSchema
	.partial({ isSample: true, safeMode: true, isProduction: true, group: true })
	.extend({
		/** Absent: each machine has its own way. */
		ssh: sharedSshSchema.exactOptional(),
		name: shownLine
			.max(100)
			.refine(
				name => name.trim() === name && looksOf(name) !== '',
				'it needs a letter or a digit, and no space around it',
			)
			.refine(name => !mixedWord.test(name), 'a word of it has letters of several scripts'),
	})

/** A folder of statements, relative to the file, with slashes. */
const requestsSchema = z
	.string()
	.regex(/^[\p{L}\p{N}_-][\p{L}\p{N}_. -]*(?:\/[\p{L}\p{N}_-][\p{L}\p{N}_. -]*)*$/u, 'name a folder beside the file')
	.max(200)

const fileSchema = z.strictObject({
	format: z.literal('roundhouse-project'),
	version: z.literal(1),
	connections: z
		.array(connectionSchema)
		.min(1)
		.max(200)
		.refine(all => new Set(all.map(({ name }) => looksOf(name))).size === all.length, 'two names look the same'),
	requests: requestsSchema.exactOptional(),
})
export type ProjectFile = Readonly<z.output<typeof fileSchema>>
export type ProjectConnection = ProjectFile['connections'][number]

const refusal = (path: string) => (reason: string) =>
	connectionErrors.make('project_unfit', { path: oneLine(path), reason })

async function projectPlace(path: string) {
	const folder = await realpath(path).catch(error => {
		throw refusal(path)(fileFault(path, error).reason)
	})
	return { folder, place: join(folder, projectFileName) }
}

/** Reads the file of a folder. @throws HostError `connection/project_unfit` */
export async function readProject(path: string) {
	const refuse = refusal(path)
	const { folder, place } = await projectPlace(path)
	const read = async () => {
		if ((await lstat(place)).isSymbolicLink()) throw new Error('it is a link')
		await using opened = await openRegularFile(place, constants.O_NOFOLLOW ?? 0)
		return await readAtMost(opened, mostBytes)
	}
	const bytes = await read().catch(error => {
		throw refuse(`${projectFileName}: ${fileFault(place, error).reason}`)
	})
	const parsed = fileSchema.safeParse(parseJsonOrUndefined(bytes.toString('utf8')))
	if (!parsed.success) throw refuse(`${projectFileName}: ${oneLine(reasonOf(parsed.error)).slice(0, 500)}`)
	return { folder, file: parsed.data, digest: digestOf(bytes) }
}

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** As `readProject`, or the folder alone if it has no such file. @throws HostError `connection/project_unfit` */
export async function readProjectIfThere(
	path: string,
): Promise<{ readonly folder: string; readonly file?: ProjectFile; readonly digest?: string }> {
	const { folder, place } = await projectPlace(path)
	const isThere = await lstat(place).then(
		() => true,
		error => error.code !== 'ENOENT',
	)
	return isThere ? readProject(folder) : { folder }
}

/**
 * Writes the file of a folder in one step, in a form that can be opened again.
 * @returns the digest of its text
 * @throws HostError `connection/project_unwritten`
 */
export async function writeProject(folder: string, file: Omit<ProjectFile, 'format' | 'version'>): Promise<string> {
	const refuse = (reason: string) => connectionErrors.make('project_unwritten', { path: oneLine(folder), reason })
	const parsed = fileSchema.safeParse({ format: 'roundhouse-project', version: 1, ...file })
	if (!parsed.success) throw refuse(oneLine(reasonOf(parsed.error)).slice(0, 500))
	const bytes = Buffer.from(`${JSON.stringify(parsed.data, null, '\t')}\n`)
	if (bytes.length > mostBytes) throw refuse(`it would be larger than ${mostBytes} bytes`)
	const place = join(folder, projectFileName)
	// A link that another user plants meanwhile is replaced, and not followed.
	const temporary = join(folder, `.${projectFileName}.${randomUUID()}`)
	try {
		await writeFile(temporary, bytes, { flag: 'wx', flush: true })
		await rename(temporary, place)
	} catch (error) {
		await rm(temporary, { force: true }).catch(() => {})
		throw refuse(fileFault(place, error).reason)
	}
	return digestOf(bytes)
}

/**
 * Returns the folder of a project's statements. None of its parts is a link, which could lead out of the project. Git
 * keeps no empty folder, so the user reads a project without it, and it is made when he agrees.
 * @throws HostError `connection/project_unfit`, or `refuse`'s
 */
export async function requestsFolderOf(
	folder: string,
	requests: string,
	missing: 'refused' | 'fine' | 'made' = 'refused',
	refuse = refusal(folder),
): Promise<string> {
	const { error } = requestsSchema.safeParse(requests)
	if (error) throw refuse(`the folder of statements: ${reasonOf(error)}`)
	let place = folder
	for (const part of requests.split('/')) {
		place = join(place, part)
		const failed = (error: Error) => refuse(`${requests}: ${fileFault(place, error).reason}`)
		if (missing === 'made')
			await mkdir(place).catch(error => {
				if (error.code !== 'EEXIST') throw failed(error)
			})
		const found = await lstat(place).catch(error => {
			if (missing === 'fine' && error.code === 'ENOENT') return undefined
			throw failed(error)
		})
		if (!found) break
		if (!found.isDirectory()) throw refuse(`${requests}: it is not a folder`)
	}
	return join(folder, requests)
}
