import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { messageOf } from '../../base/errors.ts'
import { challengeHeader, proofHeaders } from '../../base/proven-socket.ts'
import { typedCommand } from '../../base/release.ts'
import type { Exports } from '../api/exports.ts'
import type { Door } from './door.ts'
import { portsAfter } from './window-address.ts'

const html = 'text/html; charset=utf-8'
const json = { 'content-type': 'application/json' }
const contentTypes: Readonly<Record<string, string>> = {
	'.html': html,
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.map': 'application/json',
	'.svg': 'image/svg+xml',
}
/**
 * The editor creates its style sheet; a nonce from the page admits only that one. Beside its own port a page may
 * connect to those where the next host may be.
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
type Headers = Readonly<Record<string, string>>

/** Answers the requests of windows and commands that are not WebSockets: pages, tickets, exports. */
export class Pages {
	readonly #door: Door
	readonly #port: number
	readonly #exports: Exports
	readonly #files: WindowFiles

	constructor({ door, port, exports, files }: PagesOptions) {
		this.#door = door
		this.#port = port
		this.#exports = exports
		this.#files = files
	}

	serve(request: IncomingMessage, response: ServerResponse): void {
		const door = this.#door
		const answer = (status: number, text: string, headers: Headers = {}) =>
			void response.writeHead(status, { ...this.#headers(), 'content-type': html, ...headers }).end(text)
		if (!door.isAddressed(request)) return answer(403, 'Forbidden')
		const challenge = request.headers[challengeHeader]
		if (request.method === 'OPTIONS' && challenge !== undefined)
			return answer(204, '', proofHeaders(door.commandKey, this.#port, challenge))
		if (request.method !== 'GET') return answer(405, 'Method not allowed', { allow: 'GET' })
		const url = door.target(request)
		if (!url) return answer(400, 'Bad request')
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
				return answer(403, `This address has been used, or is too old. Get another one with: ${typedCommand('open')}`)
			// A page of this origin forwards to the window: a redirect would count as cross-site and lose a strict cookie.
			const page = '<!doctype html><link rel="icon" href="icon.svg"><meta http-equiv="refresh" content="0;url=./">'
			return answer(200, page, isLetIn ? { 'set-cookie': door.cookie } : {})
		}
		if (path === undefined || !door.isWindow(request))
			return answer(403, `Open the window with: ${typedCommand('open')}`)
		const exported = /^\/export\/([0-9a-f-]{36})$/.exec(path)?.[1]
		if (exported) {
			return void this.#exports
				.stream(exported, response, this.#headers())
				.catch(error => answer(404, messageOf(error)))
		}
		const file = this.#files.get(path === '/' ? '/index.html' : path)
		if (!file) return answer(404, 'Not found')
		this.#sendFile(file, response)
	}

	#sendFile({ data, type }: WindowFile, response: ServerResponse): void {
		const nonce = newNonce()
		response
			.writeHead(200, { ...this.#headers(nonce), 'content-type': type })
			.end(type === html ? data.toString('utf8').replace(noncePlace, nonce) : data)
	}

	#headers(nonce = newNonce()): Headers {
		return { ...securityHeaders, 'content-security-policy': securityPolicy(nonce, this.#port) }
	}
}

interface PagesOptions {
	readonly door: Door
	readonly port: number
	readonly exports: Exports
	readonly files: WindowFiles
}

const newNonce = () => randomBytes(16).toString('base64')

type WindowFiles = ReadonlyMap<string, WindowFile>

interface WindowFile {
	readonly data: Buffer
	readonly type: string
}

/** Reads the window's files, by their paths. */
export async function loadFiles(folder: string): Promise<WindowFiles> {
	const files = new Map<string, WindowFile>()
	for (const name of await readdir(folder)) {
		const type = contentTypes[extname(name)]
		if (type) files.set(`/${name}`, { data: await readFile(join(folder, name)), type })
	}
	return files
}
