import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Ready, Roundhouse } from '../support/roundhouse.ts'

/** The window's door: loopback, this launch's key, our own origin, and nothing else. */
let roundhouse: Roundhouse
let ready: Ready
let entry: URL
beforeAll(async () => {
	roundhouse = await Roundhouse.make()
	ready = await roundhouse.serve()
	entry = new URL(ready.ui?.url ?? '')
})
afterAll(() => roundhouse?.[Symbol.asyncDispose]())

function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
	return new Promise<{ status: number; headers: Record<string, unknown> }>((resolve, reject) => {
		request(
			{ host: '127.0.0.1', port: entry.port, path, headers: { host: entry.host, ...headers }, method },
			response => {
				response.resume()
				resolve({ status: response.statusCode ?? 0, headers: response.headers })
			},
		)
			.on('error', reject)
			.end()
	})
}
const key = () => entry.searchParams.get('key') ?? ''
const cookie = () => `roundhouse=${key()}`

/** Whether the host API lets this caller in. */
function mayCall(headers: Record<string, string>): Promise<boolean> {
	return new Promise(resolve => {
		const socket = new WebSocket(`ws://${entry.host}/api`, { headers: { host: entry.host, ...headers } })
		socket.once('open', () => {
			socket.terminate()
			resolve(true)
		})
		socket.once('error', () => resolve(false))
	})
}

test('without this launch’s key nothing is served', async () => {
	expect((await get('/')).status).toBe(403)
	expect((await get('/main.js')).status).toBe(403)
	expect((await get('/', { cookie: 'roundhouse=guess' })).status).toBe(403)
	expect((await get('/enter?key=guess')).status).toBe(403)
	expect((await get('/enter')).status).toBe(403)
})

test('the key becomes a cookie that no script reads and no other site sends', async () => {
	const { status, headers } = await get(`/enter?key=${key()}`)
	expect(status).toBe(200)
	expect(String(headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Strict/)
	expect((await get('/', { cookie: cookie() })).status).toBe(200)
})

test('a foreign Host is refused, as after a DNS rebinding', async () => {
	expect((await get('/', { host: `evil.example:${entry.port}`, cookie: cookie() })).status).toBe(403)
	expect((await get(`/enter?key=${key()}`, { host: 'evil.example' })).status).toBe(403)
})

test('every answer forbids what the window does not need', async () => {
	const { headers } = await get('/', { cookie: cookie() })
	expect(headers['content-security-policy']).toContain("default-src 'none'")
	expect(headers['content-security-policy']).not.toContain('unsafe')
	expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
})

test('only reading is a method, and no path leads out of the window’s files', async () => {
	expect((await get('/', { cookie: cookie() }, 'POST')).status).toBe(405)
	for (const path of ['/../package.json', '/%2e%2e/package.json', '//etc/passwd', '/main.js/../../x']) {
		expect((await get(path, { cookie: cookie() })).status, path).toBe(404)
	}
})

test('the host API wants the cookie and our own origin, or the key from a program without an origin', async () => {
	const origin = entry.origin
	expect(await mayCall({ cookie: cookie(), origin })).toBe(true)
	expect(await mayCall({ cookie: cookie() })).toBe(false)
	expect(await mayCall({ cookie: cookie(), origin: 'https://evil.example' })).toBe(false)
	expect(await mayCall({ origin })).toBe(false)
	expect(await mayCall({ authorization: `Bearer ${key()}` })).toBe(true)
	expect(await mayCall({ authorization: `Bearer ${key()}`, origin })).toBe(false)
	expect(await mayCall({ authorization: 'Bearer guess' })).toBe(false)
	expect(await mayCall({ cookie: cookie(), origin, host: 'evil.example' })).toBe(false)
})

test('a frame that is not a call closes the socket, and the host lives on', async () => {
	const socket = new WebSocket(`ws://${entry.host}/api`, { headers: { cookie: cookie(), origin: entry.origin } })
	await new Promise(resolve => socket.once('open', resolve))
	const closed = new Promise<number>(resolve => socket.once('close', resolve))
	socket.send('{"id":-1,"method":"__proto__"}')
	expect(await closed).toBe(1007)
	expect((await get('/', { cookie: cookie() })).status).toBe(200)
})
