import { rm } from 'node:fs/promises'
import { z } from 'zod'
import { readJsonFile, writeJsonFile } from './atomic-file.ts'
import type { SupportDirectory } from './support-directory.ts'

/** How a command finds the running host: the API's address and this launch's key, in a 0600 file. */
const controlSchema = z.object({ version: z.literal(1), pid: z.int(), origin: z.string(), key: z.string() })
export type Control = z.infer<typeof controlSchema>

const fileName = 'control.json'

export async function publishControl(
	support: SupportDirectory,
	control: Omit<Control, 'version'>,
): Promise<AsyncDisposable> {
	await writeJsonFile(support.file(fileName), { version: 1, ...control })
	return { [Symbol.asyncDispose]: () => rm(support.file(fileName), { force: true }) }
}

export function readControl(support: SupportDirectory): Promise<Control | undefined> {
	return readJsonFile(support.file(fileName), controlSchema)
}
