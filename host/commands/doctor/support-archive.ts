import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from 'tar'
import { z } from 'zod'
import { readIfExists, readJsonFile } from '../../../base/atomic-file.ts'
import { redact, rememberSecret } from '../../../base/redaction.ts'
import type { SupportDirectory } from '../../../base/support-directory.ts'
import { openSecretStore } from '../../connections/secrets.ts'
import { hostLogName } from '../background-host.ts'
import type { Finding } from './findings.ts'

/**
 * An archive for support. Only the files listed here get into it: no connections, statements, requests or tokens. Texts
 * are redacted once more, with the secrets of connections, of the running host and of the environment.
 */

export interface ArchivedFile {
	readonly name: string
	/** Description for the user. */
	readonly description: string
	readonly sizeBytes: number
}

/** In place of a log that could not be searched for secrets. */
const unsearched = 'Left out: the stored secrets could not be read, so the log could not be searched for them.\n'

/** Newest part of the log, in bytes. */
const logBytes = 200_000

/** Writes an archive that only the user can read. @returns what it contains @throws Error if the file exists */
export async function writeSupportArchive(
	file: string,
	{ support, findings }: { readonly support: SupportDirectory; readonly findings: readonly Finding[] },
): Promise<readonly ArchivedFile[]> {
	const canRedact = await rememberEverySecret(support).then(
		() => true,
		() => false,
	)
	const lock = await readIfExists(support.file('drivers.lock.json'))
	const log = await readIfExists(support.file(hostLogName))
	const contents: readonly (readonly [name: string, description: string, text: string])[] = [
		['doctor.txt', 'versions and what was checked', findings.map(describe).join('')],
		['drivers.lock.json', 'the installed drivers, with their digests', lock?.toString('utf8') ?? '{}\n'],
		['host.log', 'the newest messages of hosts in the background', canRedact ? newestLines(log) : unsearched],
	]
	const staging = await mkdtemp(join(tmpdir(), 'roundhouse-support-'))
	try {
		const files: ArchivedFile[] = []
		for (const [name, description, text] of contents) {
			const bytes = Buffer.from(redactLines(text))
			await writeFile(join(staging, name), bytes)
			files.push({ name, description, sizeBytes: bytes.length })
		}
		const options = { cwd: staging, gzip: true, portable: true, prefix: 'roundhouse-support' }
		const archive = create(
			options,
			files.map(({ name }) => name),
		)
		await writeFile(file, await archive.concat(), { flag: 'wx', mode: 0o600 })
		return files
	} finally {
		await rm(staging, { recursive: true, force: true })
	}
}

const describe = ({ check, ok, detail }: Finding) => `${ok ? 'ok' : 'FAIL'} ${check}: ${detail}\n`

/** Redacts each line, because `redact` cuts long texts. */
const redactLines = (text: string) =>
	text
		.split('\n')
		.map(line => redact(line))
		.join('\n')

/** Names of environment variables that usually hold a secret. */
const secretName = /key|token|secret|passw|credential|auth/i

/** Returns the end of a log. A line without its beginning is left out: half of a secret has no mark. */
function newestLines(log: Buffer | undefined): string {
	const text = log?.subarray(-logBytes).toString('utf8') ?? ''
	return log && log.length > logBytes ? text.slice(text.indexOf('\n') + 1) : text
}

/** Secrets in the files by which programs find the host. */
const hostKeysSchema = z.object({ key: z.string().optional(), bridgeToken: z.string().optional() })

/** The part of the saved connections that names their secrets. */
const secretKeysSchema = z.object({
	connections: z.array(z.object({ id: z.string(), secretKeys: z.array(z.string()) })),
})

/** Registers what this installation and this environment keep secret. @throws Error if a secret cannot be read */
async function rememberEverySecret(support: SupportDirectory): Promise<void> {
	const store = await openSecretStore(support.file)
	// The class of saved connections would write: a running host owns the file.
	const { connections = [] } = (await readJsonFile(support.file('connections.json'), secretKeysSchema)) ?? {}
	const saved = connections.flatMap(({ id, secretKeys }) => secretKeys.map(key => `${id}/${key}`))
	// A keychain does not list its secrets, and a file of secrets may have more than the connections name.
	for (const key of new Set([...(store.keys?.() ?? []), ...saved])) await store.get(key)
	for (const [name, value] of Object.entries(process.env)) if (secretName.test(name) && value) rememberSecret(value)
	for (const name of ['control.json', 'mcp-handshake.json']) {
		const { key, bridgeToken } = (await readJsonFile(support.file(name), hostKeysSchema)) ?? {}
		for (const secret of [key, bridgeToken]) if (secret !== undefined) rememberSecret(secret)
	}
}
