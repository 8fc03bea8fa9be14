import { rm } from 'node:fs/promises'
import { z } from 'zod'
import { readJsonFile, writeJsonFile } from './atomic-file.ts'
import { lockHolder } from './host-lock.ts'
import type { SupportDirectory } from './support-directory.ts'

/** A 0600 file by which a command finds the running host: the port of its API, and the key to it. */
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

/**
 * Reads the control file, if the process that wrote it holds the lock of the support directory. A host that was killed
 * leaves its file behind.
 */
export async function readControl(support: SupportDirectory): Promise<Control | undefined> {
	// A file that does not match the schema is from another version, so it identifies no host.
	const control = await readJsonFile(support.file(fileName), controlSchema).catch(() => undefined)
	return control?.pid === lockHolder(support) ? control : undefined
}
