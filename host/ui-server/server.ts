import { randomBytes, timingSafeEqual } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { messageOf } from '../base/errors.ts'
import { layout } from '../base/layout.ts'
import type { Sessions } from '../connections/sessions.ts'
import type { HostEvents } from './api.ts'
import { ApiClient } from './calls.ts'
import type { Exports } from './exports.ts'
import type { Methods } from './methods/method.ts'

/**
 * Serves the window's files and the host API on loopback, to whoever knows this launch's key: a browser that entered
 * by the address with the key and now holds the cookie, or a command that sends it as a bearer token.
 */
export interface UiServer {
	/** Where a browser enters: holds the key, so it is never logged nor put on a command line. */
	readonly entryUrl: string
	readonly origin: string
	readonly key: string
	emit<E extends keyof HostEvents>(event: E, data: HostEvents[E]): void
	close(): Promise<void>
}

const cookieName = 'roundhouse'
const contentTypes: Readonly<Record<string, string>> = {
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.map': 'application/json',
	'.svg': 'image/svg+xml',
}
/** The editor makes its own style sheet; a nonce that the page tells it lets in that one and no other. */
const securityPolicy = (nonce: string) =>
	`default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; ` +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const noncePlace = '{style-nonce}'
const securityHeaders = {
	'cross-origin-opener-policy': 'same-origin',
	'cross-origin-resource-policy': 'same-origin',
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
	'cache-control': 'no-store',
}
/** The host API takes whole rows as edits. */
const messageLimitBytes = 64 * 1024 * 1024

export async function startUiServer(options: {
	readonly port: number
	readonly methods: Methods
	readonly sessions: Sessions
	readonly exports: Exports
	/** A browser's window came; returns what to call when it goes. */
	onWindow(): () => void
}): Promise<UiServer> {
	const key = randomBytes(32).toString('base64url')
	const files = await loadFiles(layout.ui)
	const clients = new Set<ApiClient>()
	const sockets = new WebSocketServer({ noServer: true, maxPayload: messageLimitBytes })
	const server = createServer((request, response) => serve(request, response))
	server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
		// Until it is a WebSocket nobody else listens for its errors, and a page may reset it at any moment.
		const onError = () => socket.destroy()
		socket.on('error', onError)
		if (!isOurs(request) || target(request)?.pathname !== '/api' || !mayCall(request)) {
			return socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n')
		}
		sockets.handleUpgrade(request, socket, head, webSocket => {
			socket.off('error', onError)
			const client = new ApiClient(webSocket, options.methods, options.sessions)
			clients.add(client)
			webSocket.on('error', () => webSocket.terminate())
			// A command is no window: it shows nothing to anyone.
			const onGone = request.headers.authorization === undefined ? options.onWindow() : undefined
			webSocket.once('close', () => {
				clients.delete(client)
				onGone?.()
			})
		})
	})
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject)
		server.listen(options.port, '127.0.0.1', resolve)
	})
	// A TCP server that listens has a port.
	const { port } = server.address() as AddressInfo
	const origin = () => `http://127.0.0.1:${port}`

	/** Against DNS rebinding: the browser names the host it thinks it talks to. */
	const isOurs = ({ headersDistinct: { host = [] } }: IncomingMessage) =>
		host.length === 1 && (host[0] === `127.0.0.1:${port}` || host[0] === `localhost:${port}`)
	/** What is asked for. Never resolved against our origin: `//` would be no URL, and `//name/` somebody else's. */
	const target = ({ url = '' }: IncomingMessage) => (url.startsWith('/') ? URL.parse(origin() + url) : null)
	const hasCookie = (request: IncomingMessage) =>
		(request.headers.cookie ?? '')
			.split(/;\s*/)
			.some(pair => pair.startsWith(`${cookieName}=`) && isKey(pair.slice(cookieName.length + 1)))
	const mayCall = (request: IncomingMessage) => {
		const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
		if (bearer !== undefined) return request.headers.origin === undefined && isKey(bearer)
		return hasCookie(request) && request.headers.origin === `http://${request.headers.host}`
	}
	const isKey = (candidate: string) => {
		const given = Buffer.from(candidate)
		const expected = Buffer.from(key)
		return given.length === expected.length && timingSafeEqual(given, expected)
	}

	function serve(request: IncomingMessage, response: ServerResponse): void {
		const answer = (status: number, text: string, headers: Record<string, string> = {}) =>
			void response
				.writeHead(status, {
					...securityHeaders,
					'content-security-policy': securityPolicy(newNonce()),
					'content-type': contentTypes['.html'] ?? '',
					...headers,
				})
				.end(text)
		if (!isOurs(request)) return answer(403, 'Forbidden')
		if (request.method !== 'GET') return answer(405, 'Method not allowed', { allow: 'GET' })
		const url = target(request)
		if (!url) return answer(400, 'Bad request')
		if (url.pathname === '/enter') {
			if (!isKey(url.searchParams.get('key') ?? '')) return answer(403, 'This address is of another launch.')
			// A page of our own goes on to the window: a redirect would count as cross-site and lose a strict cookie.
			const cookie = `${cookieName}=${key}; HttpOnly; SameSite=Strict; Path=/`
			return answer(
				200,
				'<!doctype html><link rel="icon" href="/icon.svg"><meta http-equiv="refresh" content="0;url=/">',
				{ 'set-cookie': cookie },
			)
		}
		if (!hasCookie(request)) return answer(403, 'Open this window with: roundhouse open')
		const exported = /^\/export\/([0-9a-f-]{36})$/.exec(url.pathname)?.[1]
		if (exported) {
			const headers = { ...securityHeaders, 'content-security-policy': securityPolicy(newNonce()) }
			return void options.exports.stream(exported, response, headers).catch(error => answer(404, messageOf(error)))
		}
		const file = files.get(url.pathname === '/' ? '/index.html' : url.pathname)
		if (!file) return answer(404, 'Not found')
		const nonce = newNonce()
		const headers = { ...securityHeaders, 'content-security-policy': securityPolicy(nonce), 'content-type': file.type }
		const isPage = file.type === contentTypes['.html']
		response.writeHead(200, headers).end(isPage ? file.data.toString('utf8').replace(noncePlace, nonce) : file.data)
	}

	return {
		entryUrl: `${origin()}/enter?key=${key}`,
		origin: origin(),
		key,
		emit: (event, data) => {
			for (const client of clients) client.emit(event, data)
		},
		close: async () => {
			for (const socket of sockets.clients) socket.close(1001, 'the host stops')
			server.closeAllConnections()
			const closed = new Promise(resolve => server.close(resolve))
			for (const socket of sockets.clients) socket.terminate()
			await closed
		},
	}
}

const newNonce = () => randomBytes(16).toString('base64')

async function loadFiles(folder: string): Promise<Map<string, { readonly data: Buffer; readonly type: string }>> {
	const files = new Map<string, { data: Buffer; type: string }>()
	for (const name of await readdir(folder)) {
		const type = contentTypes[extname(name)]
		if (type) files.set(`/${name}`, { data: await readFile(join(folder, name)), type })
	}
	return files
}
