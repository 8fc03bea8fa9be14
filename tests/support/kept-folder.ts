import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const kept = join(import.meta.dirname, '../../node_modules/.cache/roundhouse-servers')

/**
 * Makes a folder of data for a server, as a copy of the one that was made first in this checkout. `made` says all that the
 * content depends on, such as the arguments of the program that makes it. Owners and modes are kept.
 */
export async function copyOfFirst(folder: string, made: unknown, make: () => Promise<unknown>): Promise<void> {
	const first = join(kept, createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 16))
	const isMade = await access(first).then(
		() => true,
		() => false,
	)
	if (isMade) return copy(first, folder)
	await make()
	await mkdir(kept, { recursive: true })
	const copied = await mkdtemp(join(kept, 'copy-'))
	await copy(folder, join(copied, 'data'))
	// Another process may have made the same meanwhile.
	await rename(join(copied, 'data'), first).catch(() => {})
	await rm(copied, { recursive: true, force: true })
}

async function copy(from: string, to: string): Promise<void> {
	await promisify(execFile)('cp', ['-a', from, to])
}
