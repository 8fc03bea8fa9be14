import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Entry, WayBack } from '../api/api.ts'
import { apiErrors } from '../api/errors.ts'
import { Returns } from './returns.ts'
import { Tickets } from './tickets.ts'
import { looksFor, portsAfter, type WindowAddress } from './window-address.ts'

const cookieName = 'roundhouse'
/** Path of the host API for commands; the window's is below the window's path. */
const commandPath = '/api'
const returnPath = '/return'

/**
 * Controls access to the window's port. There are two keys, and neither is valid in place of the other: a command reads
 * one from the control file and sends it as a bearer token; a browser gets the other as a cookie for a ticket that
 * works once.
 *
 * A cookie goes to every port of its host, and any program may listen on another port of 127.0.0.1. So the window has a
 * random host name: browsers resolve names that end in `.localhost` to this machine (Chromium, Electron and Firefox,
 * without a resolver) and separate their cookies, caches and service workers from those of other programs. For browsers
 * that do not, the window's path is secret: on 127.0.0.1 too the cookie is sent only with requests for that path.
 */
export class Door {
	/** The key of commands. */
	readonly commandKey = randomKey()
	readonly wayBack: WayBack
	readonly #port: number
	readonly #hasWindow: boolean
	readonly #windowKey = randomKey()
	readonly #tickets = new Tickets()
	readonly #hosts: readonly [name: string, number: string]
	/** The window's path, with both slashes. */
	readonly #windowPath: string
	/** How windows of the last launch return. */
	readonly #returns: Returns

	/** Without a window only commands are admitted. */
	constructor({ port, name, path, returnKey }: WindowAddress, hasWindow: boolean) {
		this.#port = port
		this.#windowPath = path
		this.wayBack = { key: returnKey, ports: portsAfter(port) }
		this.#returns = new Returns(returnKey, port)
		this.#hasWindow = hasWindow
		this.#hosts = [`${name}.localhost:${port}`, `127.0.0.1:${port}`]
	}

	/** The address of the port, where nothing is accessible without a key. */
	get origin(): string {
		return `http://127.0.0.1:${this.#port}`
	}

	/** The cookie for a browser with a ticket, for its session. */
	get cookie(): string {
		return `${cookieName}=${this.#windowKey}; HttpOnly; SameSite=Strict; Path=${this.#windowPath}`
	}

	/** Returns an address that admits one browser. @throws HostError `api/no_window` */
	entry(): Entry {
		if (!this.#hasWindow) throw apiErrors.make('no_window')
		const path = `${this.#windowPath}enter?ticket=${this.#tickets.issue()}`
		const [url, fallbackUrl] = this.#hosts.map(host => `http://${host}${path}`)
		return { url: url ?? '', fallbackUrl: fallbackUrl ?? '' }
	}

	spend(ticket: string): boolean {
		return this.#tickets.spend(ticket)
	}

	/** Against DNS rebinding: the browser names the host it connects to, and names exactly one. */
	isAddressed({ headersDistinct: { host = [] } }: IncomingMessage): boolean {
		return host.length === 1 && this.#hosts.includes(host[0] ?? '')
	}

	/**
	 * Returns the requested path and query, or `null`. The URL is not resolved against the origin, because `//name/`
	 * would name another host.
	 */
	target({ url = '' }: IncomingMessage): URL | null {
		return url.startsWith('/') ? URL.parse(this.origin + url) : null
	}

	/** Returns the path within the window, with its slash; `undefined` for other paths, or if there is no window. */
	windowPath({ pathname }: URL): string | undefined {
		if (!this.#hasWindow || !pathname.startsWith(this.#windowPath)) return undefined
		return pathname.slice(this.#windowPath.length - 1)
	}

	/**
	 * Returns the first answer to a window that was open before. It does not use the window's path, which a program that
	 * took the port would learn.
	 */
	greeting(url: URL): object | undefined {
		const nonce = this.#isReturn(url) && url.searchParams.get('nonce')
		return nonce ? this.#returns.greet(nonce) : undefined
	}

	/** Returns a ticket for a window that has proved that it knows the key. */
	returnTicket(url: URL): object | undefined {
		return this.#isProven(url) ? { ticket: this.#tickets.issue() } : undefined
	}

	/** Returns the origin of the page if it may be a window whose host had another port. */
	formerOrigin({ headers: { origin } }: IncomingMessage): string | undefined {
		return looksFor(origin, this.#port) ? origin : undefined
	}

	#isReturn({ pathname }: URL): boolean {
		return this.#hasWindow && pathname === returnPath
	}

	#isProven(url: URL): boolean {
		const { searchParams } = url
		return (
			this.#isReturn(url) && this.#returns.admits(searchParams.get('challenge') ?? '', searchParams.get('answer') ?? '')
		)
	}

	isWindow(request: IncomingMessage): boolean {
		return (request.headers.cookie ?? '')
			.split(/;\s*/)
			.some(pair => pair.startsWith(`${cookieName}=`) && isKey(pair.slice(cookieName.length + 1), this.#windowKey))
	}

	/** Returns the kind of caller. A browser always sends its origin. */
	caller(request: IncomingMessage): 'window' | 'command' | undefined {
		const url = this.target(request)
		const { authorization, origin, host } = request.headers
		if (url?.pathname === commandPath) {
			const bearer = /^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? ''
			return origin === undefined && isKey(bearer, this.commandKey) ? 'command' : undefined
		}
		// A window at another port has no cookie for this one; it only learns where to go.
		if (url && this.#isReturn(url)) return this.formerOrigin(request) && this.#isProven(url) ? 'window' : undefined
		const isFromWindow = url && this.windowPath(url) === '/api' && origin === `http://${host}`
		return isFromWindow && this.isWindow(request) ? 'window' : undefined
	}
}

function randomKey(): string {
	return randomBytes(32).toString('base64url')
}

function isKey(candidate: string, key: string): boolean {
	const given = Buffer.from(candidate)
	const expected = Buffer.from(key)
	return given.length === expected.length && timingSafeEqual(given, expected)
}
