import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { isDriverError } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { makeCertificates } from '../servers/certificates.ts'
import { startServer, type TestServer } from '../servers/server.ts'
import { call, open, run, statement } from '../test/fixture.ts'

let server: TestServer
let certificates: Awaited<ReturnType<typeof makeCertificates>>

beforeAll(async () => {
	certificates = await makeCertificates()
	const { authority, trusted } = certificates
	server = await startServer({
		settings: { ssl: 'on', ssl_cert_file: 'server.crt', ssl_key_file: 'server.key', ssl_ca_file: 'ca.crt' },
		files: { 'server.crt': trusted.cert, 'server.key': trusted.key, 'ca.crt': authority.cert },
		hba: [
			'hostssl all certain 127.0.0.1/32 cert',
			'hostnossl all encrypted 127.0.0.1/32 reject',
			'hostssl all plain 127.0.0.1/32 reject',
		],
		schema: `create role certain login; create role encrypted login password 'correct horse'; create role plain login password 'correct horse'`,
	})
})
afterAll(() => server?.stop())

const refusalOf = async (settings: object) => {
	try {
		await using _ = await open({ ...server.settings, ...settings })
		return undefined
	} catch (error) {
		return isDriverError(error) ? error : undefined
	}
}
const isEncrypted = async (settings: object) => {
	await using connection = await open({ ...server.settings, ...settings })
	const { body } = await run(connection, 'select ssl from pg_stat_ssl where pid = pg_backend_pid()')
	return body.view === 'rows' && body.rows[0]?.[0]
}

test('a wrong password is denied, and no message contains it', async () => {
	const refused = await refusalOf({ password: 'wrong canary' })
	expect(refused?.code).toBe('denied')
	expect(`${refused?.message} ${refused?.hint}`).not.toContain('canary')
	expect((await refusalOf({ password: '' }))?.message).toContain('asks for a password')
})

test('messages say what is wrong with the address', async () => {
	expect((await refusalOf({ port: 1 }))?.message).toContain('No server listens there')
	expect((await refusalOf({ database: 'nowhere' }))?.message).toContain('Check the database')
	expect((await refusalOf({ port: 0 }))?.code).toBe('invalid_argument')
})

test('a server that never answers is given up in time', async () => {
	const silent = createServer(() => {}).listen(0, '127.0.0.1')
	await once(silent, 'listening')
	const address = silent.address()
	const port = typeof address === 'object' ? address?.port : 0
	const refused = await refusalOf({ port, connectTimeoutSeconds: 1 })
	expect(refused?.code).toBe('timeout')
	silent.close()
})

describe('SSL modes', () => {
	test.each([
		['disable', 'f'],
		['allow', 'f'],
		['prefer', 't'],
		['require', 't'],
	])('%s gives a session with TLS: %s', async (sslMode, expected) => {
		expect(await isEncrypted({ sslMode })).toBe(expected === 't')
	})

	test('verify-ca and verify-full need the authority', async () => {
		for (const sslMode of ['verify-ca', 'verify-full']) {
			expect((await refusalOf({ sslMode }))?.message).toContain('CA certificate')
			expect(await isEncrypted({ sslMode, caFile: certificates.authority.cert })).toBe(true)
		}
	})

	test('allow and prefer fall back to what the server accepts', async () => {
		expect(await isEncrypted({ sslMode: 'allow', username: 'encrypted' })).toBe(true)
		expect(await isEncrypted({ sslMode: 'prefer', username: 'plain' })).toBe(false)
		expect(await refusalOf({ sslMode: 'disable', username: 'encrypted' })).toBeDefined()
	})

	test('a client certificate is a login', async () => {
		const { cert, key } = certificates.client
		const login = { username: 'certain', password: '', sslMode: 'require' }
		expect(await isEncrypted({ ...login, clientCert: cert, clientKey: key })).toBe(true)
		expect((await refusalOf(login))?.code).toBe('denied')
	})
})

test.each([
	['closes the connection', '', /the server closed the connection/],
	['refuses it before TLS', 'E\0\0\0\x1fSFATAL\0Msorry, too many clients\0\0', /sorry, too many clients/],
])('a server that %s says so at once', async (_name, answer, message) => {
	const refusing = createServer(socket => socket.once('data', () => socket.end(answer)).on('error', () => {}))
	await once(refusing.listen(0, '127.0.0.1'), 'listening')
	const { port } = refusing.address() as AddressInfo
	const settings = { ...server.settings, host: '127.0.0.1', port, socketPath: '', sslMode: 'require' }
	await expect(open(settings)).rejects.toThrow(message)
	refusing.close()
})

test('a Unix socket needs no host', async () => {
	const socketPath = `${server.folder}/.s.PGSQL.${server.port}`
	await using connection = await open({ ...server.settings, socketPath, host: 'elsewhere.invalid' })
	expect(connection.info().product).toBe('PostgreSQL')
})

test('dates are written as ISO, and read in the order of the server or the role', async () => {
	const date = async () => {
		await using connection = await open(server.settings)
		return (await run(connection, "select '01/02/03'::date as d")).body
	}
	expect(await date()).toMatchObject({ rows: [['2003-01-02']] })
	await server.sql("alter role current_user set datestyle = 'German, DMY'")
	expect(await date()).toMatchObject({ rows: [['2003-02-01']] })
	await server.sql('alter role current_user reset datestyle')
})

test('a cancelled statement ends in the server, and its session stays', async () => {
	await using connection = await open(server.settings)
	const session = await connection.openSession(call())
	const abort = new AbortController()
	const sleep = await statement(connection, 'select pg_sleep(60)')
	const running = session.run(sleep, { maxRows: 1 }, call(abort.signal))
	await expect.poll(() => sleepers()).toBe(1)
	abort.abort()
	await expect(running).rejects.toThrow()
	await expect.poll(() => sleepers()).toBe(0)
	const after = await session.run(await statement(connection, 'select 1'), { maxRows: 1 }, call())
	expect(after.body).toMatchObject({ rows: [[1]] })
	await session.close()

	async function sleepers() {
		const rows = await server.sql(
			"select count(*)::int as n from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'",
		)
		return rows[0]?.n
	}
})

test('a statement that follows a cancelled one waits for it, and one that is cancelled while it waits is not sent', async () => {
	await using connection = await open(server.settings)
	const session = await connection.openSession(call())
	const [first, second] = [new AbortController(), new AbortController()]
	const sleep = await statement(connection, 'select pg_sleep(60)')
	const table = await statement(connection, 'create table never_made (id int)')
	const one = await statement(connection, 'select 1')
	const running = session.run(sleep, { maxRows: 1 }, call(first.signal))
	first.abort()
	const dropped = session.run(table, { maxRows: 1 }, call(second.signal))
	const next = session.run(one, { maxRows: 1 }, call())
	second.abort()
	await expect(running).rejects.toThrow()
	await expect(dropped).rejects.toThrow()
	expect((await next).body).toMatchObject({ rows: [[1]] })
	expect(await server.sql("select to_regclass('never_made') is null as gone")).toEqual([{ gone: true }])
	await session.close()
})

test('calls at the same time have a session each, up to the limit, and close ends them', async () => {
	const connection = await open({ ...server.settings, mostSessions: 3, applicationName: 'counted' })
	const sessions = async () =>
		(await server.sql("select count(*)::int as n from pg_stat_activity where application_name = 'counted'"))[0]?.n
	await Promise.all(Array.from({ length: 12 }, () => run(connection, 'select pg_sleep(0.05)')))
	expect(await sessions()).toBe(3)
	// The server ends them, and the next call opens another.
	await server.sql("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'counted'")
	await expect.poll(async () => (await run(connection, 'select 1').catch(() => undefined))?.status).toBe('SELECT 1')
	await connection.close()
	await expect.poll(sessions).toBe(0)
})

test('a read-only session refuses a write in the server', async () => {
	const context = { ...directContext(), isReadOnly: true }
	const connection = await connect(server.settings, context, call())
	await expect(run(connection, 'create table made ()')).rejects.toMatchObject({ engineCode: '25006' })
	await connection.close()
})
