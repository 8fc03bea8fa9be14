import { createServer as createPlainServer } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Settings } from '@roundhouse/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { call } from '../fixture.ts'
import { type Certificate, makeCertificate } from './test-certificates.ts'
import { sslModes } from './tls.ts'

const local = { hosts: ['localhost'], addresses: ['127.0.0.1'] }
const authority = makeCertificate({ name: 'Test Authority', isAuthority: true })
const good = makeCertificate({ name: 'node', issuer: authority, ...local })
const selfSigned = makeCertificate({ name: 'alone', ...local })
const wrongHost = makeCertificate({ name: 'elsewhere', issuer: authority, hosts: ['other.example'] })
const expired = makeCertificate({
	name: 'old',
	issuer: authority,
	...local,
	from: new Date(0),
	until: new Date(86_400_000),
})
const client = makeCertificate({ name: 'client', issuer: authority })

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
	const forged = makeCertificate({ name: 'node', issuer: { ...selfSigned, name: authority.name }, ...local })
	// An attacker's own leaf that names the authority, and a copy of the authority's public certificate behind it.
	await start('forged chain', { cert: forged.cert + authority.cert, key: forged.key })
	await start('full chain', { cert: good.cert + authority.cert, key: good.key })
})
afterAll(() => {
	for (const server of servers.values()) server.close()
})

async function outcome(server: string, settings: Settings): Promise<string> {
	try {
		const connection = await connect({ hosts: servers.get(server)?.host ?? '', auth: 'none', ...settings }, call())
		await connection.close()
		return 'connected'
	} catch (error) {
		return error instanceof Error ? error.message : String(error)
	}
}

const connected = /^connected$/
const closed = /^Connection failed: .*closed before an answer came; check that the SSL mode is the one the cluster uses/
const noTls = /^Connection failed: .*does not answer in TLS; if it speaks plain HTTP, choose SSL mode Disabled/
const unknown =
	/^Connection failed: .*self-signed or signed by an authority that is not trusted.*Required \(skip verify\) or the skip-TLS-verification switch/
const otherName = /^Connection failed: .*for another host name; use a name it holds, or SSL mode Verify CA/
const tooOld = /^Connection failed: .*has expired; renew it, or use SSL mode Required \(skip verify\)/
const noClient = /^Connection failed: .*asks for a client certificate/

const lenient = {
	plain: noTls,
	'self-signed': connected,
	'private CA': connected,
	'wrong host': connected,
	expired: connected,
}
const matrix: Record<(typeof sslModes)[number], Record<string, RegExp>> = {
	Disabled: { plain: connected, 'self-signed': closed, 'private CA': closed, 'wrong host': closed, expired: closed },
	Preferred: lenient,
	'Required (skip verify)': lenient,
	'Verify CA': {
		plain: noTls,
		'self-signed': unknown,
		'private CA': connected,
		'wrong host': connected,
		expired: tooOld,
	},
	'Verify Identity': {
		plain: noTls,
		'self-signed': unknown,
		'private CA': connected,
		'wrong host': otherName,
		expired: tooOld,
	},
}

for (const sslMode of sslModes) {
	for (const [server, expected] of Object.entries(matrix[sslMode])) {
		test(`${sslMode}, ${server}`, async () => {
			expect(await outcome(server, { sslMode, caFile: authority.cert })).toMatch(expected)
		})
		test(`${sslMode} with the skip switch, ${server}`, async () => {
			const skipped = sslMode === 'Disabled' ? expected : lenient[server as keyof typeof lenient]
			expect(await outcome(server, { sslMode, caFile: authority.cert, skipTlsVerify: true })).toMatch(skipped)
		})
	}
	test(`${sslMode}, client certificate required`, async () => {
		const server = 'client certificate required'
		const settings = { sslMode, caFile: authority.cert }
		const isPlain = sslMode === 'Disabled'
		expect(await outcome(server, settings)).toMatch(isPlain ? closed : noClient)
		const own = { ...settings, clientCert: client.cert, clientKey: client.key }
		expect(await outcome(server, own)).toMatch(isPlain ? closed : connected)
		expect(await outcome(server, { ...own, skipTlsVerify: true })).toMatch(isPlain ? closed : connected)
	})
}

test('without a CA file the public authorities decide', async () => {
	expect(await outcome('private CA', { sslMode: 'Verify CA' })).toMatch(unknown)
})

test('a self-signed certificate given as CA file is trusted', async () => {
	expect(await outcome('self-signed', { sslMode: 'Verify Identity', caFile: selfSigned.cert })).toMatch(connected)
})

test('an encrypted client key needs its passphrase', async () => {
	const clientKey = client.privateKey
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

test('a fingerprint is compared even where nothing else is verified', async () => {
	const settings = { sslMode: 'Preferred', skipTlsVerify: true }
	expect(await outcome('wrong host', { ...settings, certFingerprint: wrongHost.fingerprint })).toMatch(pinned)
	expect(await outcome('wrong host', { ...settings, certFingerprint: good.fingerprint })).toMatch(unpinned)
	expect(await outcome('wrong host', { ...settings, certFingerprint: 'AB:CD' })).toMatch(/64 hexadecimal digits/)
})

test('a pinned connection keeps its pin on the second socket', async () => {
	const hosts = servers.get('full chain')?.host ?? ''
	const settings = { hosts, auth: 'none', sslMode: 'Verify Identity', certFingerprint: authority.fingerprint }
	const connection = await connect(settings, call())
	const statement = 'GET /_cluster/health'
	await Promise.all([1, 2, 3].map(() => connection.console.run(statement, { maxRows: 1 }, call())))
	await connection.close()
})
