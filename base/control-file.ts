import { rm } from 'node:fs/promises'
import { z } from 'zod'
import { readJsonFile, writeJsonFile } from './atomic-file.ts'
import { defineErrors } from './errors.ts'
import { lockHolder } from './host-lock.ts'
import type { SupportDirectory } from './support-directory.ts'
import { hostApi, hostVersion } from './version.ts'

export const versionErrors = defineErrors('version', {
	needs_newer:
		'Roundhouse {host} is running, and this is {own}. This needs Roundhouse {host} or newer. Update this one, or stop the running one.',
})

const format = 2
/** A 0600 file by which a command finds the running host: the port of its API, and the key to it. */
const controlSchema = z.object({
	version: z.literal(format),
	pid: z.int(),
	port: z.int(),
	key: z.string(),
	/** Version of the host. */
	host: z.string(),
	/** Number of the API that it serves (`hostApi`). */
	api: z.int(),
})
export type Control = z.infer<typeof controlSchema>

/** The fields of every version of the file, also of later ones. */
const anySchema = z.object({
	version: z.int(),
	pid: z.int(),
	host: z.string().default('of a newer version'),
	api: z.int().default(hostApi),
})

const fileName = 'control.json'

export async function publishControl(
	support: SupportDirectory,
	control: Pick<Control, 'pid' | 'port' | 'key'>,
): Promise<AsyncDisposable> {
	await writeJsonFile(support.file(fileName), { version: format, host: hostVersion, api: hostApi, ...control })
	return { [Symbol.asyncDispose]: () => rm(support.file(fileName), { force: true }) }
}

/**
 * Reads the control file, if the process that wrote it holds the lock of the support directory. A host that was killed
 * leaves its file behind.
 * @throws HostError `version/needs_newer` if a newer host runs, whose API this program does not know
 */
export async function readControl(support: SupportDirectory): Promise<Control | undefined> {
	const found = await readJsonFile(support.file(fileName), anySchema).catch(() => undefined)
	if (!found || found.pid !== lockHolder(support)) return undefined
	const isNewer = found.version > format || found.api > hostApi
	if (isNewer) throw versionErrors.make('needs_newer', { host: found.host, own: hostVersion })
	// A file of an older format identifies no host.
	return readJsonFile(support.file(fileName), controlSchema).catch(() => undefined)
}
