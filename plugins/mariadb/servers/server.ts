import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chown, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import mysql from 'mysql2/promise'
import { copyOfFirst } from '../../../tests/support/kept-folder.ts'

/** A MariaDB server for tests: Debian's package, without the promises for disks. */

export const password = 'it\'s a "secret"'

export interface TestServer extends AsyncDisposable {
	readonly port: number
	readonly socketPath: string
	/** Values of the connection form. */
	readonly settings: Readonly<Record<string, string | number>>
	/** Runs statements as root without the driver, and returns the rows of the last one. */
	sql(text: string, database?: string): Promise<readonly Readonly<Record<string, unknown>>[]>
	/** What the server has logged. */
	log(): string
	stop(): Promise<void>
}

export interface ServerOptions {
	/** Options of the server beside those of tests: `--sql-mode=ANSI_QUOTES`. */
	readonly options?: readonly string[]
	/** PEM. If absent, the server has no TLS. */
	readonly tls?: { readonly cert: string; readonly key: string; readonly ca: string }
	/** SQL that is run first, in the database `shop`. */
	readonly schema?: string
}

const folders = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin']

/** Returns the path of a program of MariaDB, or `undefined` if this machine has none. */
async function program(name: string): Promise<string | undefined> {
	for (const folder of folders) {
		const path = join(folder, name)
		const isThere = await access(path).then(
			() => true,
			() => false,
		)
		if (isThere) return path
	}
	return undefined
}

/** Whether tests can start a server. */
export const hasServer = (await program('mariadbd')) !== undefined

/** The server refuses to run as root. */
const account: { readonly uid?: number; readonly gid?: number } =
	process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
	const [daemon, install] = await Promise.all([program('mariadbd'), program('mariadb-install-db')])
	if (!daemon || !install) throw new Error('This machine has no MariaDB server. Install mariadb-server.')
	await using owned = new AsyncDisposableStack()
	const home = await mkdtemp(join(tmpdir(), 'roundhouse-mariadb-'))
	owned.defer(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))
	await own(home)
	const data = join(home, 'data')
	const sizes = ['--innodb-log-file-size=4M', '--innodb-buffer-pool-size=16M']
	const shared = ['--no-defaults', `--datadir=${data}`, `--tmpdir=${home}`, ...sizes]
	const words = [...sizes, '--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve']
	await copyOfFirst(data, [install, (await stat(daemon)).mtimeMs, words], () =>
		promisify(execFile)(install, [...shared, ...words], account),
	)
	const port = await freePort()
	const socketPath = join(home, 'socket')
	const fast = [
		'--sync-frm=OFF',
		'--innodb-flush-log-at-trx-commit=0',
		'--innodb-flush-method=nosync',
		'--skip-log-bin',
	]
	const server = spawn(
		daemon,
		[
			...shared,
			...fast,
			`--port=${port}`,
			`--socket=${socketPath}`,
			'--bind-address=127.0.0.1',
			'--skip-name-resolve',
			`--pid-file=${join(home, 'pid')}`,
			'--performance-schema=OFF',
			'--key-buffer-size=1M',
			'--aria-pagecache-buffer-size=1M',
			'--character-set-server=utf8mb4',
			`--secure-file-priv=${home}`,
			'--event-scheduler=OFF',
			...(await tlsOptions(home, options)),
			...(options.options ?? []),
		],
		{ ...account, stdio: ['ignore', 'ignore', 'pipe'] },
	)
	const ended = once(server, 'exit')
	owned.defer(async () => {
		// Nothing of it is kept, so it need not write its pages.
		server.kill('SIGKILL')
		await ended
	})
	let said = ''
	server.stderr.setEncoding('utf8')
	const ready = Promise.withResolvers<void>()
	server.stderr.on('data', text => {
		said += text
		if (said.includes('ready for connections')) ready.resolve()
	})
	void ended.then(() => ready.reject(new Error(`The server did not start: ${said}`)))
	await ready.promise
	const sql = runner(socketPath)
	await sql(`alter user root@localhost identified by '${password.replaceAll("'", "''")}'`, undefined, '')
	await sql(
		`create or replace user root@'127.0.0.1' identified by '${password.replaceAll("'", "''")}';
		grant all on *.* to root@'127.0.0.1' with grant option; create database shop`,
	)
	if (options.schema) await sql(options.schema, 'shop')
	const moved = owned.move()
	const stop = () => moved.disposeAsync()
	const settings = { host: '127.0.0.1', port, database: 'shop', username: 'root', password }
	return { port, socketPath, settings, sql, log: () => said, stop, [Symbol.asyncDispose]: stop }
}

async function own(path: string): Promise<void> {
	const { uid, gid } = account
	if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
}

async function tlsOptions(home: string, { tls }: ServerOptions): Promise<readonly string[]> {
	if (!tls) return ['--skip-ssl']
	for (const name of ['cert', 'key', 'ca'] as const) {
		await writeFile(join(home, name), tls[name], { mode: 0o600 })
		await own(join(home, name))
	}
	return (await readdir(home)).filter(name => name in tls).map(name => `--ssl-${name}=${join(home, name)}`)
}

async function freePort(): Promise<number> {
	const probe = createServer().listen(0, '127.0.0.1')
	await once(probe, 'listening')
	// A TCP server that listens has a port.
	const { port } = probe.address() as AddressInfo
	probe.close()
	return port
}

const runner =
	(socketPath: string) =>
	async (text: string, database = 'mysql', secret = password) => {
		const connection = await mysql.createConnection({
			socketPath,
			user: 'root',
			password: secret,
			database,
			multipleStatements: true,
		})
		try {
			const [results] = await connection.query(text)
			const lists: readonly unknown[] = [results].flat()
			// Of several statements, each has a list of rows or a header; of one, the rows are the list.
			return (lists.findLast(Array.isArray) ?? lists) as readonly Readonly<Record<string, unknown>>[]
		} finally {
			await connection.end()
		}
	}
