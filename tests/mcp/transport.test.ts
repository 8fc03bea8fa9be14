import { readFile, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../contract/proves.ts'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'
import { raw } from './wire.ts'

let fixture: EndpointFixture
beforeAll(async () => {
	fixture = await startEndpoint()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const ping = (headers: Record<string, string>) => fixture.call('server/discover', {}, { headers })

test(proves('A.service.loopback', 'answers on 127.0.0.1 and on no other address of this machine'), async () => {
	expect((await ping({})).status).toBe(200)
	const others = Object.values(networkInterfaces())
		.flat()
		.filter(address => address?.family === 'IPv4' && !address.internal)
	for (const address of others) {
		const reached = await new Promise(resolve => {
			const socket = connect(fixture.port, address?.address)
			socket.on('connect', () => resolve(true))
			socket.on('error', () => resolve(false))
		})
		expect(reached).toBe(false)
	}
})

test(proves('A.handshake.port', 'publishes the port in a private file, and removes the file on stop'), async () => {
	const other = await startEndpoint()
	const path = other.support.file('mcp-handshake.json')
	const handshake = JSON.parse(await readFile(path, 'utf8'))
	expect(handshake).toEqual({
		version: 1,
		host: expect.stringMatching(/^\d+\.\d+\.\d+$/),
		port: other.port,
		pid: process.pid,
		instanceId: expect.any(String),
		protocolVersion: '2026-07-28',
		startedAt: expect.any(String),
		bridgeToken: expect.stringMatching(/^rh_/),
		expiresAt: expect.any(String),
	})
	expect((await stat(path)).mode & 0o777).toBe(0o600)
	await other.endpoint.close()
	await expect(stat(path)).rejects.toThrow('ENOENT')
	await other[Symbol.asyncDispose]()
})

describe('host', () => {
	test.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])(
		proves('A.transport.host', 'accepts %s with and without the bound port'),
		async host => {
			expect((await ping({ Host: host })).status).toBe(200)
			expect((await ping({ Host: `${host}:${fixture.port}` })).status).toBe(200)
		},
	)

	test.each(['example.com', 'localhost:1', 'localhost.', '127.0.0.1.nip.io', '127.0.0.2', '0.0.0.0', 'localhost:'])(
		proves('A.transport.host', 'refuses "%s"'),
		async host => {
			const answer = await ping({ Host: host })
			expect(answer.status).toBe(403)
			expect(answer.json.error).toBe('forbidden_host')
		},
	)

	test('refuses two Host headers and a request without one', async () => {
		const twice = await raw(
			fixture.port,
			`POST /mcp HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
		)
		expect(twice).toMatch(/^HTTP\/1\.1 (403|400) /)
		expect(await raw(fixture.port, 'POST /mcp HTTP/1.1\r\nContent-Length: 0\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
		expect(await raw(fixture.port, 'POST /mcp HTTP/1.0\r\nContent-Length: 0\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /)
	})
})

describe('origin', () => {
	test.each(['https://claude.ai', 'https://app.cursor.com'])(
		proves('A.transport.origin', 'accepts %s and allows it to read the answer'),
		async origin => {
			const answer = await ping({ Origin: origin })
			expect(answer.status).toBe(200)
			expect(answer.headers['access-control-allow-origin']).toBe(origin)
			expect(answer.headers['access-control-expose-headers']).toContain('Mcp-Session-Id')
		},
	)

	test.each([
		'http://localhost',
		'https://claude.ai.evil.example',
		'http://claude.ai',
		'https://claude.ai:444',
		'null',
	])(proves('A.transport.origin', 'refuses %s'), async origin => {
		const answer = await ping({ Origin: origin })
		expect(answer.status).toBe(403)
		expect(answer.json.error).toBe('forbidden_origin')
		expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
	})
})

test(proves('A.transport.options', 'answers a preflight with the headers that the page requested'), async () => {
	const answer = await fixture.send({
		method: 'OPTIONS',
		headers: { Origin: 'https://claude.ai', 'Access-Control-Request-Headers': 'mcp-param-region' },
	})
	expect(answer.status).toBe(204)
	expect(answer.text).toBe('')
	expect(answer.headers['access-control-allow-headers']).toBe('mcp-param-region')
	expect(answer.headers['access-control-allow-methods']).toBe('POST, OPTIONS')
})

test.each(['GET', 'DELETE', 'PUT', 'PATCH'])(proves('A.transport.method', '%s is not allowed'), async method => {
	const answer = await fixture.send({ method })
	expect(answer.status).toBe(405)
	expect(answer.headers.allow).toBe('POST, OPTIONS')
})

test.each(['/', '/mcp/', '/MCP', '/mcp/x', '//mcp', '/pair', '/mcp%2f', 'http://127.0.0.1/mcp'])(
	proves('A.transport.path', '%s is not found'),
	async path => {
		for (const method of ['POST', 'GET', 'OPTIONS']) {
			expect((await fixture.send({ method, path })).status).toBe(404)
		}
	},
)

test('a token in the query is ignored', async () => {
	const sent = fixture.modernRequest('server/discover', {}, { token: null })
	expect((await fixture.send({ ...sent, path: `/mcp?token=${fixture.token}` })).status).toBe(401)
})

test(proves('A.transport.notifications', 'answers any notification with 202 and an empty body'), async () => {
	for (const method of ['notifications/initialized', 'notifications/roots/list_changed', 'notifications/made_up']) {
		const answer = await fixture.notify(method, {})
		expect([answer.status, answer.text]).toEqual([202, ''])
	}
})

test('answers forbid storage by caches', async () => {
	expect((await ping({})).headers['cache-control']).toBe('no-store')
})
