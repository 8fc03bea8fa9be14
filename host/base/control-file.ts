import { rm } from 'node:fs/promises'
import { z } from 'zod'
import { readJsonFile, writeJsonFile } from './atomic-file.ts'
import { lockHolder } from './host-lock.ts'
import type { SupportDirectory } from './support-directory.ts'

/** How a command finds the running host: the port of its API and the key to it, in a 0600 file. */
const controlSchema = z.object({ version: z.literal(2), pid: z.int(), port: z.int(), key: z.string() })
export type Control = z.infer<typeof controlSchema>

const fileName = 'control.json'

export async function publishControl(
	support: SupportDirectory,
	control: Omit<Control, 'version'>,
): Promise<AsyncDisposable> {
	await writeJsonFile(support.file(fileName), { version: 2, ...control })
	return { [Symbol.asyncDispose]: () => rm(support.file(fileName), { force: true }) }
}

/** The file, if it is of the process that holds the support directory's lock: a host that was killed leaves its own. */
export async function readControl(support: SupportDirectory): Promise<Control | undefined> {
	// One that does not read is of another version; no host is found by it.
	const control = await readJsonFile(support.file(fileName), controlSchema).catch(() => undefined)
	return control?.pid === lockHolder(support) ? control : undefined
}
