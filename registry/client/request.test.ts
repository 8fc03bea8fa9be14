import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { ProxiedAgent } from '../../host/network/proxied-agent.ts'
import { mayRedirect } from './address.ts'
import { type ReadOptions, read } from './request.ts'

const options: ReadOptions = { maxBytes: 1000, limits: { stallMs: 300, totalMs: 600 } }

async function serve(listener: RequestListener) {
	const server = createServer(listener).listen(0, '127.0.0.1')
	await once(server, 'listening')
	// A listening TCP server has a port.
	const { port } = server.address() as AddressInfo
	return {
		url: (path: string) => new URL(path, `http://127.0.0.1:${port}`),
		async [Symbol.asyncDispose]() {
			server.closeAllConnections()
			await new Promise(resolve => server.close(resolve))
		},
	}
}

async function textOf(url: URL, more: Partial<ReadOptions> = {}): Promise<string> {
	const chunks: Buffer[] = []
	for await (const chunk of (await read(url, { ...options, ...more })).body) chunks.push(chunk)
	return Buffer.concat(chunks).toString('utf8')
}

describe('reading a file of a registry', () => {
	test('reads from a folder', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'roundhouse-request-'))
		try {
			await writeFile(join(folder, 'there'), 'yes')
			expect(await textOf(pathToFileURL(join(folder, 'there')))).toBe('yes')
			expect((await read(pathToFileURL(join(folder, 'not')), options)).status).toBe(404)
		} finally {
			await rm(folder, { recursive: true })
		}
	})

	test('does not transfer the file again while its ETag matches', async () => {
		await using server = await serve((request, response) => {
			if (request.headers['if-none-match'] === '"a"') response.writeHead(304).end()
			else response.writeHead(200, { etag: '"a"' }).end('text')
		})
		const { etag } = await read(server.url('/'), options)
		expect((await read(server.url('/'), { ...options, etag })).status).toBe(304)
	})

	test.each<readonly [string, RequestListener, string]>([
		['a server that sends nothing', () => {}, 'the server sent no data for 0.3 s'],
		[
			'a server that stops half-way',
			(_, response) => void response.writeHead(200, { 'content-length': 9 }).write('half'),
			'the server sent no data for 0.3 s',
		],
		[
			'that trickles',
			(_, response) => {
				const timer = setInterval(() => response.write('.'), 50)
				response.on('close', () => clearInterval(timer))
			},
			'the download took longer than 0.6 s',
		],
		[
			'a truncated answer',
			(_, response) => {
				response.writeHead(200, { 'content-length': 9 }).write('half', () => response.destroy())
			},
			'aborted',
		],
		[
			'an answer that is too long',
			(_, response) => void response.end('x'.repeat(1001)),
			'the file is longer than 1000 bytes',
		],
	])('gives up %s', async (_, listener, reason) => {
		await using server = await serve(listener)
		await expect(textOf(server.url('/'))).rejects.toThrow(reason)
	})

	test('follows a limited number of redirects, and only if the caller allows them', async () => {
		await using server = await serve((request, response) => {
			if (request.url === '/end') return response.end('there')
			response.writeHead(302, { location: request.url === '/round' ? '/round' : '/end' }).end()
		})
		await expect(textOf(server.url('/start'))).rejects.toThrow(
			'the server redirects this file, but only packages may be redirected',
		)
		expect(await textOf(server.url('/start'), { followsRedirects: true })).toBe('there')
		await expect(textOf(server.url('/round'), { followsRedirects: true })).rejects.toThrow(
			'the server redirects more than 5 times',
		)
	})
})

test('uses the proxy of the machine for network addresses, but not for this machine', async () => {
	const asked: string[] = []
	const proxy = createServer((request, response) => {
		asked.push(`${request.method} ${request.url}`)
		response.writeHead(502).end()
	}).listen(0, '127.0.0.1')
	proxy.on('connect', ({ url }, socket) => {
		asked.push(`CONNECT ${url}`)
		socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
	})
	await once(proxy, 'listening')
	await using server = await serve((_, response) => void response.end('here'))
	// A listening TCP server has a port.
	const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
	for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']) vi.stubEnv(name, address)
	for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, '')
	try {
		const proxied = { ...options, agent: new ProxiedAgent(() => ({ mode: 'machine' })) }
		await expect(read(new URL('https://registry.example/metadata/'), proxied)).rejects.toThrow()
		expect((await read(server.url('/'), proxied)).status).toBe(200)
		expect(asked).toEqual(['CONNECT registry.example:443'])
	} finally {
		vi.unstubAllEnvs()
		proxy.closeAllConnections()
		await new Promise(resolve => proxy.close(resolve))
	}
})

test.each([
	['https://a.example/x', 'https://b.example/y', true],
	['https://a.example/x', 'http://b.example/y', false],
	['https://a.example/x', 'http://127.0.0.1:9200/', false],
	['https://a.example/x', 'file:///etc/passwd', false],
	['https://a.example/x', 'https://user:secret@b.example/y', false],
	['http://127.0.0.1:1/x', 'http://127.0.0.1:2/y', true],
	['http://127.0.0.1:1/x', 'http://b.example/y', false],
])('from %s to %s: %s', (from, to, isAllowed) => {
	expect(mayRedirect(new URL(from), new URL(to))).toBe(isAllowed)
})
