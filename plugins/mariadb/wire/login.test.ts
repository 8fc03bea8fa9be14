import { describe, expect, test } from 'vitest'
import { makeCertificate } from '../../search-engine/certificates/make-certificate.ts'
import { hasServer, startServer } from '../servers/server.ts'
import { open, openForFile, rowsOf, signal } from '../test/fixture.ts'

const authority = await makeCertificate({ name: 'Authority of the tests', isAuthority: true })
const trusted = await makeCertificate({ name: 'server', issuer: authority, addresses: ['127.0.0.1'] })
const client = await makeCertificate({ name: 'certain', issuer: authority })

const { server } = await openForFile({
	tls: { cert: trusted.cert, key: trusted.key, ca: authority.cert },
	schema: `create user certain@'127.0.0.1' identified by 'c' require x509; create user plain@'127.0.0.1' identified by ''`,
})

const cipher = async (settings: object) => {
	using session = await open({ ...server.settings, ...settings })
	const [row] = await rowsOf(session, "show session status like 'Ssl_cipher'")
	expect(session.isEncrypted).toBe(row?.[1] !== '')
	return row?.[1] !== ''
}

describe.skipIf(!hasServer)('a login', () => {
	test('is encrypted as the SSL mode says', async () => {
		expect(await cipher({})).toBe(true)
		expect(await cipher({ sslMode: 'DISABLED' })).toBe(false)
		expect(await cipher({ sslMode: 'REQUIRED' })).toBe(true)
		for (const sslMode of ['VERIFY_CA', 'VERIFY_IDENTITY'])
			expect(await cipher({ sslMode, caFile: authority.cert })).toBe(true)
	})

	test('over a Unix socket needs no TLS', async () => {
		expect(await cipher({ socketPath: server.socketPath, sslMode: 'VERIFY_IDENTITY' })).toBe(false)
	})

	test('refuses a certificate of an unknown authority, or of another host', async () => {
		const failed = (settings: object) => open({ ...server.settings, ...settings }).catch(error => error)
		expect(await failed({ sslMode: 'VERIFY_CA' })).toMatchObject({
			code: 'not_connected',
			message: /Add the CA certificate/,
		})
		const other = { host: 'localhost', sslMode: 'VERIFY_IDENTITY', caFile: authority.cert }
		expect(await failed(other)).toMatchObject({ code: 'not_connected', message: /for another host/ })
	})

	test('with a client certificate', async () => {
		const user = { username: 'certain', password: 'c', sslMode: 'REQUIRED', database: '' }
		await expect(open({ ...server.settings, ...user })).rejects.toMatchObject({ code: 'denied' })
		expect(await cipher({ ...user, clientCert: client.cert, clientKey: client.key })).toBe(true)
	})

	test('without a password or a database', async () => {
		const settings = { ...server.settings, username: 'plain', password: '', database: '' }
		using session = await open(settings)
		expect(await rowsOf(session, 'select database()')).toEqual([[null]])
	})

	test.each<readonly [object, object]>([
		[{ password: 'wrong' }, { code: 'denied', engineCode: '1045' }],
		[{ username: 'nonesuch' }, { code: 'denied' }],
		[{ database: 'nonesuch' }, { code: 'not_connected', engineCode: '1049', message: /Check the database/ }],
		[{ port: 1 }, { code: 'not_connected', message: /No server listens there/ }],
	])('with %j fails with a remedy', async (settings, error) => {
		await expect(open({ ...server.settings, ...settings })).rejects.toMatchObject(error)
	})

	test('with a wrong password names no secret', async () => {
		const error = await open({ ...server.settings, password: 'top secret' }).catch(error => error)
		expect(JSON.stringify([error.message, error.hint])).not.toContain('top secret')
	})

	test('ends when it is cancelled', async () => {
		const context = { connect: () => Promise.reject(new Error('stopped')) }
		await expect(open(server.settings, { context })).rejects.toMatchObject({ code: 'not_connected' })
	})

	test('sets a limit for statements', async () => {
		using session = await open({ ...server.settings, statementTimeoutSeconds: 7 })
		expect(await rowsOf(session, 'select @@max_statement_time')).toEqual([['7.000000']])
	})

	test('does not depend on what the server has as its default', async () => {
		await using other = await startServer({
			options: ['--sql-mode=ANSI,NO_BACKSLASH_ESCAPES', '--autocommit=0', '--character-set-server=latin1'],
		})
		using session = await open({ ...other.settings })
		expect(await rowsOf(session, 'select "é\\"", @@autocommit, @@time_zone')).toEqual([['é"', '1', '+00:00']])
		using user = await open(other.settings, { use: 'user' })
		const { rows } = await user.query({ sql: "select @@sql_mode like '%ANSI_QUOTES%', 'é'" }, signal)
		expect(rows).toEqual([['1', 'é']])
	})

	test('works without TLS if the server has none and the mode prefers it', async () => {
		await using plain = await startServer()
		using session = await open(plain.settings)
		expect(session.isEncrypted).toBe(false)
		await expect(open({ ...plain.settings, sslMode: 'REQUIRED' })).rejects.toMatchObject({
			message: /The server has no TLS/,
		})
	})
})
