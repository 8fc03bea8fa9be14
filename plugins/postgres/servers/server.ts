import { execFile, spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { copyOfFirst } from '../../../tests/support/kept-folder.ts'
import { account, type Binaries, testedBinaries } from './binaries.ts'

/** Real servers for tests, each with a data folder that is removed at its end. */

const password = 'correct horse'

export interface TestServer extends AsyncDisposable {
	readonly port: number
	/** Of the role `postgres`. */
	readonly password: string
	/** Values of the connection form. */
	readonly settings: Readonly<Record<string, string | number>>
	readonly folder: string
	/** Runs statements as the owner, by a separate client. */
	sql(text: string, database?: string): Promise<readonly Readonly<Record<string, unknown>>[]>
	/** What the server has logged. */
	log(): string
	stop(): Promise<void>
}

export interface ServerOptions {
	readonly binaries?: Binaries
	/** Lines of postgresql.conf. `folder` is that of the data. */
	readonly settings?: Readonly<Record<string, string>>
	/** Files beside the data, which only the server may read. */
	readonly files?: Readonly<Record<string, string>>
	/** Lines before those that ask for a password. */
	readonly hba?: readonly string[]
	/** SQL that is run first. */
	readonly schema?: string
}

/** Starts a server without the promises for disks, which tests do not need. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
	const binaries = options.binaries ?? (await testedBinaries())
	if (!binaries) throw new Error('This machine has no PostgreSQL server. Install the packages of npm, or postgresql.')
	await using owned = new AsyncDisposableStack()
	const home = await mkdtemp(join(tmpdir(), 'roundhouse-pg-'))
	owned.defer(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))
	const [data, secret] = [join(home, 'data'), join(home, 'secret')]
	await writeFile(secret, password)
	for (const path of [home, secret]) await own(path)
	const program = join(binaries.folder, 'initdb')
	const words = ['-U', 'postgres', '-A', 'scram-sha-256', '--no-sync', '-E', 'UTF8', '--locale=C']
	await copyOfFirst(data, [program, (await stat(program)).mtimeMs, words], () =>
		promisify(execFile)(program, ['-D', data, `--pwfile=${secret}`, ...words], account),
	)
	await writeFiles(data, options)
	const port = await freePort()
	const process = spawn(join(binaries.folder, 'postgres'), ['-D', data, '-p', String(port), '-k', home], {
		...account,
		stdio: ['ignore', 'ignore', 'pipe'],
	})
	const ended = once(process, 'exit')
	owned.defer(async () => {
		// Without waiting for its clients.
		process.kill('SIGINT')
		await ended
	})
	let said = ''
	process.stderr.setEncoding('utf8').on('data', text => {
		said += text
	})
	await untilReady(process.stderr, () => said)
	const server = serverAt({ port, folder: home })
	if (options.schema) await server.sql(options.schema)
	const moved = owned.move()
	const stop = () => moved.disposeAsync()
	return { ...server, log: () => said, stop, [Symbol.asyncDispose]: stop }
}

async function own(path: string): Promise<void> {
	const { uid, gid } = account
	if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
}

async function writeFiles(data: string, { settings = {}, files = {}, hba = [] }: ServerOptions): Promise<void> {
	const fast = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '32MB' }
	// The default of a server before 14 is md5, which the rules below refuse.
	const passwords = { password_encryption: 'scram-sha-256' }
	const all = { ...fast, ...passwords, listen_addresses: '127.0.0.1', logging_collector: 'off', ...settings }
	const lines = Object.entries(all).map(([name, value]) => `${name} = '${value}'`)
	await writeFile(join(data, 'postgresql.conf'), `${lines.join('\n')}\n`)
	const rules = [...hba, 'local all all scram-sha-256', 'host all all 127.0.0.1/32 scram-sha-256']
	await writeFile(join(data, 'pg_hba.conf'), `${rules.join('\n')}\n`)
	for (const [name, text] of Object.entries(files)) {
		await writeFile(join(data, name), text, { mode: 0o600 })
		await own(join(data, name))
	}
}

async function freePort(): Promise<number> {
	const probe = createServer().listen(0, '127.0.0.1')
	await once(probe, 'listening')
	const { port } = probe.address() as AddressInfo
	probe.close()
	return port
}

async function untilReady(output: NodeJS.ReadableStream, log: () => string): Promise<void> {
	for await (const _ of on(output, 'data', { close: ['end'] })) {
		if (log().includes('ready to accept connections')) return
	}
	throw new Error(`The server did not start: ${log()}`)
}

function serverAt({ port, folder }: { readonly port: number; readonly folder: string }) {
	const settings = { host: '127.0.0.1', port, database: 'postgres', username: 'postgres', password }
	const sql = async (text: string, database = 'postgres') => {
		const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database })
		await client.connect()
		try {
			const results = await client.query(text)
			return [results].flat().at(-1)?.rows ?? []
		} finally {
			await client.end()
		}
	}
	return { port, folder, password, settings, sql }
}
