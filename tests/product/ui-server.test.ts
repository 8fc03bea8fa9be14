import { readFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { raw } from '../mcp/wire.ts'
import { Roundhouse } from '../support/roundhouse.ts'

/**
 * Access to the window's server: loopback only, a ticket for a browser, a key for commands, and only our own origin.
 */
let roundhouse: Roundhouse
/** A browser that treats the window's name as this machine. It has used its ticket. */
let entry: URL
let cookie = ''
/** The key that commands send. */
let key = ''
beforeAll(async () => {
	roundhouse = await Roundhouse.make()
	await roundhouse.serve()
	entry = new URL((await roundhouse.enter()).url)
	cookie = String((await get(entry.pathname + entry.search)).headers['set-cookie']).split(';')[0] ?? ''
	key = JSON.parse(await readFile(join(roundhouse.home, 'control.json'), 'utf8')).key
})
afterAll(() => roundhouse?.[Symbol.asyncDispose]())

const home = () => entry.pathname.replace('enter', '')
const number = () => `127.0.0.1:${entry.port}`

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

/** Returns whether the host API accepts this caller. */
function mayCall(path: string, headers: Record<string, string>): Promise<boolean> {
	return new Promise(resolve => {
		const socket = new WebSocket(`ws://${number()}${path}`, { headers: { host: entry.host, ...headers } })
		socket.once('open', () => {
			socket.terminate()
			resolve(true)
		})
		socket.once('error', () => resolve(false))
	})
}

test('the server serves nothing without the window’s key', async () => {
	for (const path of ['/', '/main.js', '/api', home(), `${home()}main.js`, `${home()}api`, home().slice(0, -1)]) {
		expect((await get(path)).status, path).toBe(403)
		expect((await get(path, { cookie: 'roundhouse=guess' })).status, path).toBe(403)
		expect((await get(path, { authorization: `Bearer ${key}` })).status, path).toBe(403)
	}
	for (const ticket of ['', '?ticket=', '?ticket=guess', `?ticket=${key}`, `?key=${key}`, entry.search]) {
		expect((await get(`${home()}enter${ticket}`)).status, ticket).toBe(403)
		expect((await get(`/enter${ticket}`)).status, ticket).toBe(403)
	}
})

test('a ticket becomes a cookie that is hidden from scripts, other sites and other paths', async () => {
	const { pathname, search } = new URL((await roundhouse.enter()).url)
	const { status, headers } = await get(pathname + search)
	expect(status).toBe(200)
	expect(headers['set-cookie']).toEqual([`${cookie}; HttpOnly; SameSite=Strict; Path=${home()}`])
	expect((await get(home(), { cookie })).status).toBe(200)
	expect((await get(`${home()}main.js`, { cookie })).status).toBe(200)
	// The address in the browser's history admits the same browser again, and no other.
	expect((await get(pathname + search, { cookie })).status).toBe(200)
	expect((await get(pathname + search)).status).toBe(403)
})

test('neither key is accepted in place of the other', async () => {
	expect(cookie).not.toContain(key)
	const windowKey = cookie.replace('roundhouse=', '')
	expect((await get(home(), { cookie: `roundhouse=${key}` })).status).toBe(403)
	expect(await mayCall('/api', { authorization: `Bearer ${windowKey}`, host: number() })).toBe(false)
	expect(await mayCall('/api', { cookie, origin: entry.origin })).toBe(false)
	expect(await mayCall(`${home()}api`, { authorization: `Bearer ${key}` })).toBe(false)
})

test('a foreign Host is refused, as after a DNS rebinding, and so are two Host headers', async () => {
	for (const host of [
		`evil.example:${entry.port}`,
		'evil.example',
		entry.hostname,
		`x${entry.host}`,
		`localhost:${entry.port}`,
	])
		expect((await get(home(), { host, cookie })).status, host).toBe(403)
	const head = `GET ${home()} HTTP/1.1\r\nCookie: ${cookie}\r\nConnection: close\r\n`
	const port = Number(entry.port)
	expect(await raw(port, `${head}Host: ${entry.host}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /)
	expect(await raw(port, `${head}Host: ${entry.host}\r\nHost: evil.example\r\n\r\n`)).toMatch(/^HTTP\/1\.1 40[03] /)
	expect(await raw(port, `${head}Host: ${entry.host}\r\nHost: ${entry.host}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 40[03] /)
	expect(await raw(port, `${head}\r\n`)).toMatch(/^HTTP\/1\.1 40[03] /)
})

test('every answer denies permissions that the window does not need', async () => {
	const { headers } = await get(home(), { cookie })
	expect(headers['content-security-policy']).toContain("default-src 'none'")
	expect(headers['content-security-policy']).not.toContain('unsafe')
	expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
})

test('only GET is allowed, and no path leads out of the window’s files', async () => {
	for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])
		expect((await get(home(), { cookie }, method)).status, method).toBe(405)
	for (const path of ['/etc/passwd', 'x/main.js/../../x', '%2e%2e%2fpackage.json', '/main.js'])
		expect((await get(home() + path, { cookie })).status, path).toBe(404)
	for (const path of ['../package.json', '%2e%2e/package.json', '../../x'])
		expect((await get(home() + path, { cookie })).status, path).toBe(403)
})

test('the host API requires the cookie and our own origin, or the key from a program without an origin', async () => {
	const { origin } = entry
	const path = `${home()}api`
	expect(await mayCall(path, { cookie, origin })).toBe(true)
	expect(await mayCall(path, { cookie, origin: `http://${number()}`, host: number() })).toBe(true)
	expect(await mayCall(path, { cookie })).toBe(false)
	expect(await mayCall(path, { cookie, origin: 'https://evil.example' })).toBe(false)
	expect(await mayCall(path, { cookie, origin: `http://${number()}` })).toBe(false)
	expect(await mayCall(path, { origin })).toBe(false)
	expect(await mayCall(path, { cookie, origin, host: 'evil.example' })).toBe(false)
	expect(await mayCall('/api', { authorization: `Bearer ${key}` })).toBe(true)
	expect(await mayCall('/api', { authorization: `Bearer ${key}`, origin })).toBe(false)
	expect(await mayCall('/api', { authorization: 'Bearer guess' })).toBe(false)
})

test('a frame that is not a call closes the socket, and the host keeps running', async () => {
	const socket = new WebSocket(`ws://${number()}${home()}api`, {
		headers: { cookie, origin: entry.origin, host: entry.host },
	})
	await new Promise(resolve => socket.once('open', resolve))
	const closed = new Promise<number>(resolve => socket.once('close', resolve))
	socket.send('{"id":-1,"method":"__proto__"}')
	expect(await closed).toBe(1007)
	expect((await get(home(), { cookie })).status).toBe(200)
})

test('the window uses both loopback addresses, so that no other program can answer under its name', async () => {
	await using other = await Roundhouse.make()
	const squatter = createServer().listen(0, '::1')
	await new Promise(resolve => squatter.once('listening', resolve))
	const address = squatter.address()
	const port = typeof address === 'object' && address ? address.port : 0
	const { code, stderr } = await other.run(['serve', '--mcp-port', '0', '--ui-port', String(port)])
	squatter.close()
	expect(code).toBe(1)
	expect(stderr).toContain('EADDRINUSE')
})

test('without a window commands work, and no browser is admitted', async () => {
	await using other = await Roundhouse.make()
	const ready = await other.serve(['--no-ui'])
	expect(ready.ui).toBeNull()
	expect(await other.json(['token', 'list'])).toEqual([])
	const opened = await other.run(['open'])
	expect(opened.code).toBe(1)
	expect(opened.stderr).toContain('started without the window')
})

test('a checkout names its command as it can be typed there', async () => {
	const { stdout } = await roundhouse.run(['open'])
	expect(stdout).toContain('For another one run: npx --no roundhouse open')
	const page = await fetch(`http://${number()}/`, { headers: { host: entry.host } })
	expect(await page.text()).toContain('npx --no roundhouse open')
})

test('a link to a view waits for a window, and another text is none', async () => {
	const link = 'roundhouse://view/anything'
	const { code, stdout } = await roundhouse.run(['open', link])
	expect([code, stdout]).toEqual([0, expect.stringContaining('Open Roundhouse in a browser')])
	expect(await roundhouse.withHost(host => host.call('viewLinks.take', {}))).toBe(link)
	expect(await roundhouse.withHost(host => host.call('viewLinks.take', {}))).toBe(null)
	const refused = await roundhouse.run(['open', 'roundhouse://pair?client=Editor'])
	expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('A link begins with roundhouse://view/.')])
})

test('the output of `serve` admits no browser, and that of `open` admits one', async () => {
	await using other = await Roundhouse.make()
	const ready = await other.serve()
	const printed = JSON.stringify(ready)
	const control = await readFile(join(other.home, 'control.json'), 'utf8')
	for (const key of [JSON.parse(control).key, new URL((await other.enter()).url).pathname])
		expect(printed).not.toContain(key)
	expect((await fetch(ready.ui?.url ?? '')).status).toBe(403)
	const { fallbackUrl } = await other.json<{ fallbackUrl: string }>(['open'])
	expect((await fetch(fallbackUrl)).headers.get('set-cookie')).toContain('HttpOnly')
	const { code, stdout } = await other.run(['open'])
	expect(code).toBe(0)
	expect(stdout).toMatch(/http:\/\/\w+\.localhost:\d+\/\S+\/enter\?ticket=/)
})
