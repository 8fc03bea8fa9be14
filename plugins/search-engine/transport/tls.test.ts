import { createPrivateKey } from 'node:crypto'
import { createServer as createPlainServer } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Settings } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../tests/contract/proves.ts'
import { type Certificate, makeCertificate } from '../certificates/make-certificate.ts'
import { connect } from '../connect.ts'
import { call, statement } from '../test/fixture.ts'
import { type SslMode, sslModes } from './tls.ts'

const local = { hosts: ['localhost'], addresses: ['127.0.0.1'] }
const authority = await makeCertificate({ name: 'Test Authority', isAuthority: true })
const good = await makeCertificate({ name: 'node', issuer: authority, ...local })
const selfSigned = await makeCertificate({ name: 'alone', ...local })
const wrongHost = await makeCertificate({ name: 'elsewhere', issuer: authority, hosts: ['other.example'] })
const expired = await makeCertificate({
	name: 'old',
	issuer: authority,
	...local,
	from: new Date(0),
	until: new Date(86_400_000),
})
const client = await makeCertificate({ name: 'client', issuer: authority })

const servers = new Map<string, { readonly host: string; close(): void }>()

async function start(name: string, certificate: Pick<Certificate, 'cert' | 'key'> | undefined, asksForClient = false) {
	const answer = (_: unknown, response: import('node:http').ServerResponse) => {
		response.writeHead(200, { 'x-elastic-product': 'Elasticsearch' })
		response.end('{"version":{"number":"8.13.4"},"tagline":"You Know, for Search"}')
	}
	const options = { ca: authority.cert, requestCert: asksForClient, rejectUnauthorized: asksForClient }
	const server =
		certificate === undefined ? createPlainServer(answer) : createServer({ ...certificate, ...options }, answer)
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
	servers.set(name, {
		host,
		close() {
			server.closeAllConnections()
			server.close()
		},
	})
}

beforeAll(async () => {
	await start('plain', undefined)
	await start('self-signed', selfSigned)
	await start('private CA', good)
	await start('wrong host', wrongHost)
	await start('expired', expired)
	await start('client certificate required', good, true)
	const forged = await makeCertificate({ name: 'node', issuer: { ...selfSigned, name: authority.name }, ...local })
	// An attacker's leaf that names the authority, followed by a copy of the authority's public certificate.
	await start('forged chain', { cert: forged.cert + authority.cert, key: forged.key })
	await start('full chain', { cert: good.cert + authority.cert, key: good.key })
})
afterAll(() => {
	for (const server of servers.values()) server.close()
})

async function outcome(server: string, settings: Settings): Promise<string> {
	try {
		const connection = await connect(
			{ hosts: servers.get(server)?.host ?? '', auth: 'none', ...settings },
			directContext(),
			call(),
		)
		await connection.close()
		return 'connected'
	} catch (error) {
		return error instanceof Error ? error.message : String(error)
	}
}

const connected = /^connected$/
const closed = /^Connection failed: .*closed before an answer arrived; check that the SSL mode matches the cluster/
const noTls = /^Connection failed: .*does not answer in TLS; if it speaks plain HTTP, choose SSL mode Disabled/
const unknown =
	/^Connection failed: .*self-signed or signed by an authority that is not trusted.*Required \(skip verify\) or the skip-TLS-verification switch/
const otherName = /^Connection failed: .*for another host name; use a name in the certificate, or SSL mode Verify CA/
const tooOld = /^Connection failed: .*has expired; renew it, or use SSL mode Required \(skip verify\)/
const noClient = /^Connection failed: .*requires a client certificate/

/** Names of the outcomes, for a readable table. */
const outcomes = { connected, closed, noTls, unknown, otherName, tooOld, noClient } as const
type Outcome = keyof typeof outcomes

const kinds = ['plain', 'self-signed', 'private CA', 'wrong host', 'expired', 'client certificate required'] as const

/**
 * Five modes, with the skip switch off and on, against six servers. The test's authority is always the CA file. No
 * client certificate is sent.
 */
const matrix: readonly (readonly [SslMode, 'verify' | 'skip', ...Outcome[]])[] = [
	// Mode, switch, then outcomes in the order of `kinds`.
	['Disabled', 'verify', 'connected', 'closed', 'closed', 'closed', 'closed', 'closed'],
	['Disabled', 'skip', 'connected', 'closed', 'closed', 'closed', 'closed', 'closed'],
	['Preferred', 'verify', 'noTls', 'connected', 'connected', 'connected', 'connected', 'noClient'],
	['Preferred', 'skip', 'noTls', 'connected', 'connected', 'connected', 'connected', 'noClient'],
	['Required (skip verify)', 'verify', 'noTls', 'connected', 'connected', 'connected', 'connected', 'noClient'],
	['Required (skip verify)', 'skip', 'noTls', 'connected', 'connected', 'connected', 'connected', 'noClient'],
	['Verify CA', 'verify', 'noTls', 'unknown', 'connected', 'connected', 'tooOld', 'noClient'],
	['Verify CA', 'skip', 'noTls', 'connected', 'connected', 'connected', 'connected', 'noClient'],
	['Verify Identity', 'verify', 'noTls', 'unknown', 'connected', 'otherName', 'tooOld', 'noClient'],
	['Verify Identity', 'skip', 'noTls', 'connected', 'connected', 'connected', 'connected', 'noClient'],
]

const rows = matrix.map(([sslMode, skip, ...words]) => ({ sslMode, skip, words }))

describe.each(rows)('$sslMode, $skip', ({ sslMode, skip, words }) => {
	const settings = { sslMode, caFile: authority.cert, skipTlsVerify: skip === 'skip' }

	test.each(
		kinds.map((server, index) => [server, words[index] ?? 'closed'] as const),
	)('%s: %s', async (server, word) => {
		expect(await outcome(server, settings)).toMatch(outcomes[word])
	})

	test('connects with a client certificate to the server that requires one', async () => {
		const own = { ...settings, clientCert: client.cert, clientKey: client.key }
		expect(await outcome('client certificate required', own)).toMatch(sslMode === 'Disabled' ? closed : connected)
	})
})

test('the table has a row for each mode and switch, and a column for each server', () => {
	expect(new Set(matrix.map(([mode, skip]) => `${mode} ${skip}`)).size).toBe(sslModes.length * 2)
	expect(matrix.every(row => row.length === kinds.length + 2)).toBe(true)
})

test(proves('B.ssl.disabled', 'Disabled uses plain HTTP, and never tries TLS'), async () => {
	expect(await outcome('plain', { sslMode: 'Disabled' })).toMatch(connected)
	expect(await outcome('private CA', { sslMode: 'Disabled' })).toMatch(closed)
})

const overTls = sslModes.filter(mode => mode !== 'Disabled')
test.each(overTls)(proves('B.ssl.https', '%s uses TLS, and never falls back to plain HTTP'), async sslMode => {
	expect(await outcome('plain', { sslMode, skipTlsVerify: true })).toMatch(noTls)
})

test.each(['Preferred', 'Required (skip verify)'])(
	proves('B.ssl.lenient', '%s accepts a self-signed certificate'),
	async sslMode => expect(await outcome('self-signed', { sslMode })).toMatch(connected),
)

test.each(['Verify CA', 'Verify Identity'])(proves('B.ssl.verify', '%s checks the certificate'), async sslMode => {
	expect(await outcome('self-signed', { sslMode })).toMatch(unknown)
	expect(await outcome('private CA', { sslMode, caFile: authority.cert })).toMatch(connected)
})

test(proves('B.ssl.skip', 'the message on a self-signed certificate names two remedies, and both work'), async () => {
	expect(await outcome('self-signed', { sslMode: 'Verify CA' })).toMatch(unknown)
	expect(await outcome('self-signed', { sslMode: 'Required (skip verify)' })).toMatch(connected)
	expect(await outcome('self-signed', { sslMode: 'Verify CA', skipTlsVerify: true })).toMatch(connected)
})

test('without a CA file, only public authorities are trusted', async () => {
	expect(await outcome('private CA', { sslMode: 'Verify CA' })).toMatch(unknown)
})

test('trusts a self-signed certificate that is the CA file', async () => {
	expect(await outcome('self-signed', { sslMode: 'Verify Identity', caFile: selfSigned.cert })).toMatch(connected)
})

test('an encrypted client key requires its passphrase', async () => {
	const clientKey = createPrivateKey(client.key)
		.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open sesame' })
		.toString()
	const settings = { sslMode: 'Verify CA', caFile: authority.cert, clientCert: client.cert, clientKey }
	const server = 'client certificate required'
	expect(await outcome(server, { ...settings, clientKeyPassphrase: 'open sesame' })).toMatch(connected)
	const refused = await outcome(server, { ...settings, clientKeyPassphrase: 'open barley' })
	expect(refused).toMatch(/^Connection failed: .*passphrase/)
	expect(refused).not.toContain('barley')
	expect(await outcome(server, { ...settings, clientKey: 'not a key' })).toMatch(/^Connection failed: /)
	expect(await outcome(server, { ...settings, clientKey: good.key, clientKeyPassphrase: '' })).toMatch(
		/^Connection failed: .*does not belong/,
	)
})

const pinned = /^connected$/
const unpinned = /^Connection failed: .*fingerprint/

test.each([
	['self-signed', selfSigned.fingerprint, pinned],
	['self-signed', selfSigned.fingerprint.replaceAll(':', '').toLowerCase(), pinned],
	['self-signed', good.fingerprint, unpinned],
	['private CA', good.fingerprint, pinned],
	['full chain', authority.fingerprint, pinned],
	['forged chain', authority.fingerprint, unpinned],
	['wrong host', wrongHost.fingerprint, /^Connection failed: .*not for 127\.0\.0\.1/],
	['expired', expired.fingerprint, /^Connection failed: .*expired/],
])('a pinned certificate, %s', async (server, certFingerprint, expected) => {
	expect(await outcome(server, { sslMode: 'Verify Identity', certFingerprint })).toMatch(expected)
})

test('compares a fingerprint even if nothing else is verified', async () => {
	const settings = { sslMode: 'Preferred', skipTlsVerify: true }
	expect(await outcome('wrong host', { ...settings, certFingerprint: wrongHost.fingerprint })).toMatch(pinned)
	expect(await outcome('wrong host', { ...settings, certFingerprint: good.fingerprint })).toMatch(unpinned)
	expect(await outcome('wrong host', { ...settings, certFingerprint: 'AB:CD' })).toMatch(/64 hexadecimal digits/)
})

test('checks the pin on the second socket too', async () => {
	const hosts = servers.get('full chain')?.host ?? ''
	const settings = { hosts, auth: 'none', sslMode: 'Verify Identity', certFingerprint: authority.fingerprint }
	const connection = await connect(settings, directContext(), call())
	const health = statement(connection, 'GET /_cluster/health')
	await Promise.all([1, 2, 3].map(() => connection.console.run(health, { maxRows: 1 }, call())))
	await connection.close()
})
