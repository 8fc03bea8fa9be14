import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { messageOf } from '../base/errors.ts'
import { layout } from '../base/layout.ts'
import { challengeHeader, proofHeaders } from '../base/proven-socket.ts'
import type { Sessions } from '../connections/sessions.ts'
import type { HostEvents } from './api.ts'
import { ApiCaller } from './api-caller.ts'
import type { Door } from './door.ts'
import type { Exports } from './exports.ts'
import type { LoopbackPort } from './loopback.ts'
import type { Methods } from './methods/method.ts'
import { portsAfter } from './window-place.ts'

/** Serves the window's files and the host API on loopback, to whoever the door lets in. */
export interface UiServer {
	emit<E extends keyof HostEvents>(event: E, data: HostEvents[E]): void
	/** Windows and commands that are connected. */
	callers(): number
	close(): void
}

const contentTypes: Readonly<Record<string, string>> = {
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.map': 'application/json',
	'.svg': 'image/svg+xml',
}
/**
 * The editor makes its own style sheet; a nonce that the page tells it lets in that one and no other. Beside its own
 * port a page may ask those where its host will be if that is taken.
 */
const securityPolicy = (nonce: string, port: number) =>
	`default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; ` +
	`connect-src 'self' ${portsAfter(port).flatMap(addressesOf).join(' ')}; ` +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const addressesOf = (port: number) => [`http://127.0.0.1:${port}`, `ws://127.0.0.1:${port}`]
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
	readonly port: LoopbackPort
	readonly door: Door
	/** Without it, only commands are served. */
	readonly hasWindow: boolean
	readonly methods: Methods
	readonly sessions: Sessions
	readonly exports: Exports
	/** A browser's window came; returns what to call when it goes. */
	onWindow(): () => void
}): Promise<UiServer> {
	const files: ReadonlyMap<string, WindowFile> = options.hasWindow ? await loadFiles(layout.ui) : new Map()
	const callers = new Set<ApiCaller>()
	const sockets = new WebSocketServer({ noServer: true, maxPayload: messageLimitBytes })
	const { door } = options
	const { port, servers } = options.port
	for (const server of servers) server.on('request', serve).on('upgrade', upgrade)

	function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
		// Until it is a WebSocket nobody else listens for its errors, and a page may reset it at any moment.
		const onError = () => socket.destroy()
		socket.on('error', onError)
		const kind = door.isAddressed(request) ? door.caller(request) : undefined
		if (kind === undefined) {
			socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n')
			return
		}
		sockets.handleUpgrade(request, socket, head, webSocket => {
			socket.off('error', onError)
			const caller = new ApiCaller(webSocket, options.methods, options.sessions)
			callers.add(caller)
			webSocket.on('error', () => webSocket.terminate())
			// A command is no window: it shows nothing to anyone.
			const onGone = kind === 'window' ? options.onWindow() : undefined
			webSocket.once('close', () => {
				callers.delete(caller)
				onGone?.()
			})
		})
	}

	function serve(request: IncomingMessage, response: ServerResponse): void {
		const answer = (status: number, text: string, headers: Readonly<Record<string, string>> = {}) =>
			void response
				.writeHead(status, {
					...securityHeaders,
					'content-security-policy': securityPolicy(newNonce(), port),
					'content-type': contentTypes['.html'] ?? '',
					...headers,
				})
				.end(text)
		if (!door.isAddressed(request)) return answer(403, 'Forbidden')
		const challenge = request.headers[challengeHeader]
		if (request.method === 'OPTIONS' && challenge !== undefined)
			return answer(204, '', proofHeaders(door.commandKey, port, challenge))
		if (request.method !== 'GET') return answer(405, 'Method not allowed', { allow: 'GET' })
		const url = door.target(request)
		if (!url) return answer(400, 'Bad request')
		const json = { 'content-type': 'application/json' }
		const greeting = door.greeting(url)
		if (greeting) {
			const origin = door.formerOrigin(request)
			return answer(200, JSON.stringify(greeting), {
				...json,
				...(origin && { 'access-control-allow-origin': origin }),
			})
		}
		const ticket = door.returnTicket(url)
		if (ticket) return answer(200, JSON.stringify(ticket), json)
		const path = door.windowPath(url)
		if (path === '/enter') {
			const isLetIn = door.spend(url.searchParams.get('ticket') ?? '')
			if (!isLetIn && !door.isWindow(request))
				return answer(403, 'This address has been used, or is too old. Get another one with: roundhouse open')
			// A page of our own goes on to the window: a redirect would count as cross-site and lose a strict cookie.
			const page = '<!doctype html><link rel="icon" href="icon.svg"><meta http-equiv="refresh" content="0;url=./">'
			return answer(200, page, isLetIn ? { 'set-cookie': door.cookie } : {})
		}
		if (path === undefined || !door.isWindow(request)) return answer(403, 'Open the window with: roundhouse open')
		const exported = /^\/export\/([0-9a-f-]{36})$/.exec(path)?.[1]
		if (exported) {
			const headers = { ...securityHeaders, 'content-security-policy': securityPolicy(newNonce(), port) }
			return void options.exports.stream(exported, response, headers).catch(error => answer(404, messageOf(error)))
		}
		const file = files.get(path === '/' ? '/index.html' : path)
		if (!file) return answer(404, 'Not found')
		const nonce = newNonce()
		const headers = {
			...securityHeaders,
			'content-security-policy': securityPolicy(nonce, port),
			'content-type': file.type,
		}
		const isPage = file.type === contentTypes['.html']
		response.writeHead(200, headers).end(isPage ? file.data.toString('utf8').replace(noncePlace, nonce) : file.data)
	}

	return {
		emit: (event, data) => {
			for (const caller of callers) caller.emit(event, data)
		},
		callers: () => callers.size,
		close: () => {
			for (const socket of sockets.clients) socket.close(1001, 'the host stops')
			for (const socket of sockets.clients) socket.terminate()
		},
	}
}

const newNonce = () => randomBytes(16).toString('base64')

interface WindowFile {
	readonly data: Buffer
	readonly type: string
}

async function loadFiles(folder: string): Promise<Map<string, WindowFile>> {
	const files = new Map<string, WindowFile>()
	for (const name of await readdir(folder)) {
		const type = contentTypes[extname(name)]
		if (type) files.set(`/${name}`, { data: await readFile(join(folder, name)), type })
	}
	return files
}
