import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { temporaryServer } from '../../tests/support/temporary-server.ts'
import { labelOf } from './address.ts'
import { openThrough, type ProxySetting, parseProxy, proxyFor, proxySettingSchema } from './proxy.ts'

const never = new AbortController().signal

async function textOf(socket: Socket): Promise<string> {
	let text = ''
	for await (const chunk of socket.setEncoding('utf8')) text += chunk
	return text
}

describe('which proxy', () => {
	const environment = { HTTPS_PROXY: 'http://proxy:3128', no_proxy: '.corp.example, 10.0.0.0/8 db:9300,[fd00::1]' }
	const chosen = (setting: ProxySetting, host: string, port = 9200) =>
		proxyFor(setting, { host, port }, environment)?.host

	test.each([
		['search.example', 'proxy:3128'],
		['corp.example', undefined],
		['es.corp.example', undefined],
		['notcorp.example', 'proxy:3128'],
		['10.1.2.3', undefined],
		['11.1.2.3', 'proxy:3128'],
		['db', 'proxy:3128'],
		['fd00::1', undefined],
		['localhost', undefined],
		['127.0.0.2', undefined],
		['::1', undefined],
	])('the proxy of the environment for %s: %s', (host, expected) => {
		expect(chosen({ mode: 'machine' }, host)).toBe(expected)
	})

	test('an exception may name a port', () => {
		expect(chosen({ mode: 'machine' }, 'db', 9300)).toBe(undefined)
	})

	test('the modes direct and manual', () => {
		expect(chosen({ mode: 'direct' }, 'search.example')).toBe(undefined)
		expect(chosen({ mode: 'manual', url: 'socks5://other:1080', except: '*' }, 'search.example')).toBe(undefined)
		expect(chosen({ mode: 'manual', url: 'socks5://other:1080', except: 'corp.example' }, 'x')).toBe('other:1080')
	})

	test('an invalid proxy is reported without its password', () => {
		expect(() => parseProxy('ftp://someone:hush@proxy')).toThrow('The proxy ftp://proxy cannot be used')
		expect(parseProxy('proxy:3128').protocol).toBe('http:')
		for (const url of ['', 'proxy', 'https://proxy', 'http://someone:hush@proxy:1']) {
			expect(proxySettingSchema.safeParse({ mode: 'manual', url }).success, url).toBe(false)
		}
	})
})

/** Answers `CONNECT` like a proxy, and records the requests. */
async function httpProxy(answer = 'HTTP/1.1 200 OK\r\n\r\n') {
	const asked: string[] = []
	const server: Server = createServer()
	server.on('connect', (request, socket) => {
		asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim())
		const [host, port] = String(request.url).split(':')
		if (!answer.includes('200')) return socket.end(answer)
		const onward = connect(Number(port), host, () => {
			socket.write(answer)
			onward.pipe(socket).pipe(onward)
		})
		onward.on('error', () => socket.destroy())
		socket.on('error', () => onward.destroy())
	})
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	const { port } = server.address() as AddressInfo
	return {
		asked,
		port,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections()
			await new Promise(resolve => server.close(resolve))
		},
	}
}

/** A SOCKS 5 proxy (RFC 1928, RFC 1929) that may require a user name and a password, and allows every address. */
const socksProxy = (wants?: string) => {
	const asked: string[] = []
	const serve = async (socket: Socket) => {
		const bytes = socket.iterator({ destroyOnReturn: false })
		const next = async () => Buffer.from((await bytes.next()).value ?? [])
		await next()
		socket.write(Buffer.from([5, wants === undefined ? 0 : 2]))
		if (wants !== undefined) {
			const given = await next()
			const length = given[1] ?? 0
			const word = `${given.subarray(2, 2 + length)}:${given.subarray(3 + length)}`
			socket.write(Buffer.from([1, word === wants ? 0 : 1]))
			if (word !== wants) return socket.end()
		}
		const request = await next()
		const isName = request[3] === 3
		const host = isName ? request.subarray(5, -2).toString() : request.subarray(4, 8).join('.')
		const port = request.readUInt16BE(request.length - 2)
		asked.push(labelOf({ host, port }))
		const onward = connect(port, host, () => {
			// The server's greeting may arrive in the same chunk.
			socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
			onward.pipe(socket)
		})
		onward.on('error', () => socket.end(Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])))
	}
	return { asked, serve: (socket: Socket) => void serve(socket) }
}

describe('through a proxy', () => {
	test('of HTTP, with a user name and a password', async () => {
		await using target = await temporaryServer(socket => socket.end('hello'))
		await using proxy = await httpProxy()
		const url = new URL(`http://some%40one:hush@127.0.0.1:${proxy.port}`)
		const socket = await openThrough(url, { host: '127.0.0.1', port: target.port }, never)
		expect(socket.isPaused()).toBe(true)
		expect(await textOf(socket)).toBe('hello')
		const basic = Buffer.from('some@one:hush').toString('base64')
		expect(proxy.asked).toEqual([`127.0.0.1:${target.port} Basic ${basic}`])
	})

	test.each([
		['HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n', 'it answered 407'],
		['HTTP/1.1 503 Nope\r\n\r\n', 'it answered 503'],
		['', 'socket hang up'],
	])('a refusal is reported: %j', async (answer, reason) => {
		await using proxy = await httpProxy(answer)
		const opening = openThrough(new URL(`http://x:hush@127.0.0.1:${proxy.port}`), { host: 'db', port: 1 }, never)
		await expect(opening).rejects.toThrow(`The proxy 127.0.0.1:${proxy.port} did not connect to db:1: ${reason}.`)
	})

	test.each([undefined, 'someone:hush'])('of SOCKS 5, with %s', async wants => {
		await using target = await temporaryServer(socket => socket.end('hello'))
		const { asked, serve } = socksProxy(wants)
		await using proxy = await temporaryServer(serve)
		const url = new URL(`socks5://${wants === undefined ? '' : `${wants}@`}127.0.0.1:${proxy.port}`)
		const socket = await openThrough(url, { host: 'localhost', port: target.port }, never)
		expect(await textOf(socket)).toBe('hello')
		// The proxy resolves the name.
		expect(asked).toEqual([`localhost:${target.port}`])
	})

	test('a proxy that does not answer is aborted with the caller', async () => {
		await using proxy = await temporaryServer()
		for (const scheme of ['http', 'socks5']) {
			const abort = new AbortController()
			const opening = openThrough(new URL(`${scheme}://127.0.0.1:${proxy.port}`), { host: 'db', port: 1 }, abort.signal)
			setTimeout(() => abort.abort(new Error('enough')), 20)
			await expect(opening).rejects.toThrow('enough')
		}
	})
})
