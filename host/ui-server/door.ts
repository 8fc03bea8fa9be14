import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { apiErrors } from './errors.ts'
import { Returns } from './returns.ts'
import { Tickets } from './tickets.ts'
import { looksFor, portsAfter, type WindowPlace } from './window-place.ts'

/** Where a browser comes in; works once. */
export interface Entry {
	readonly url: string
	/** The same for a browser that does not take the first one's name for this machine, as Safari does not. */
	readonly fallbackUrl: string
}

const cookieName = 'roundhouse'
/** Where commands call the host API; the window's is under its own path. */
const commandPath = '/api'
const returnPath = '/return'

/**
 * Who may come in at the window's port. There are two keys, and neither is worth anything in the other's place: a
 * command reads one from the control file and sends it as a bearer token; a browser gets the other as a cookie, for a
 * ticket that works once.
 *
 * A cookie goes to every port of its host, and any program may listen on another port of 127.0.0.1. So the window
 * lives under a name that is ours alone: browsers take whatever ends in `.localhost` for this machine
 * (Chromium and so Electron, and Firefox, without asking any resolver), and keep its cookies, caches and service
 * workers apart from every other program's. For those that do not, the window's path is a secret of its own: on
 * 127.0.0.1 too the cookie is sent to nobody who is not asked for that path.
 */
export class Door {
	/** What commands show. */
	readonly commandKey = randomKey()
	/** By what a window and the next host know each other, and the ports where that may be if this one is taken. */
	readonly wayBack: { readonly key: string; readonly ports: readonly number[] }
	readonly #port: number
	readonly #hasWindow: boolean
	readonly #windowKey = randomKey()
	readonly #tickets = new Tickets()
	readonly #hosts: readonly [name: string, number: string]
	/** Where the window lives, from slash to slash. */
	readonly #windowPath: string
	/** How windows of the last launch come back. */
	readonly #returns: Returns

	/** Without a window only commands are let in. */
	constructor({ port, name, path, returnKey }: WindowPlace, hasWindow: boolean) {
		this.#port = port
		this.#windowPath = path
		this.wayBack = { key: returnKey, ports: portsAfter(port) }
		this.#returns = new Returns(returnKey, port)
		this.#hasWindow = hasWindow
		this.#hosts = [`${name}.localhost:${port}`, `127.0.0.1:${port}`]
	}

	/** The address of the port itself, where nothing is to be had without a key. */
	get origin(): string {
		return `http://127.0.0.1:${this.#port}`
	}

	/** The cookie for whoever came with a ticket, for as long as the browser runs. */
	get cookie(): string {
		return `${cookieName}=${this.#windowKey}; HttpOnly; SameSite=Strict; Path=${this.#windowPath}`
	}

	/** An address that lets one browser in. @throws HostError `api/no_window` */
	entry(): Entry {
		if (!this.#hasWindow) throw apiErrors.make('no_window')
		const path = `${this.#windowPath}enter?ticket=${this.#tickets.issue()}`
		const [url, fallbackUrl] = this.#hosts.map(host => `http://${host}${path}`)
		return { url: url ?? '', fallbackUrl: fallbackUrl ?? '' }
	}

	spend(ticket: string): boolean {
		return this.#tickets.spend(ticket)
	}

	/** Against DNS rebinding: the browser names the host it thinks it talks to, and names one. */
	isAddressed({ headersDistinct: { host = [] } }: IncomingMessage): boolean {
		return host.length === 1 && this.#hosts.includes(host[0] ?? '')
	}

	/**
	 * The path and query that are asked for, or `null`. Never resolved against our origin: `//` would be no URL, and
	 * `//name/` somebody else's.
	 */
	target({ url = '' }: IncomingMessage): URL | null {
		return url.startsWith('/') ? URL.parse(this.origin + url) : null
	}

	/** The path within the window, from its slash; `undefined` for what is not the window's, or where there is none. */
	windowPath({ pathname }: URL): string | undefined {
		if (!this.#hasWindow || !pathname.startsWith(this.#windowPath)) return undefined
		return pathname.slice(this.#windowPath.length - 1)
	}

	/**
	 * What a window that was open before is shown first. It does not ask under the window's path, which whoever has taken
	 * the port would learn.
	 */
	greeting(url: URL): object | undefined {
		const nonce = this.#isReturn(url) && url.searchParams.get('nonce')
		return nonce ? this.#returns.greet(nonce) : undefined
	}

	/** The ticket of a window that has proved to be ours. */
	returnTicket(url: URL): object | undefined {
		return this.#isProven(url) ? { ticket: this.#tickets.issue() } : undefined
	}

	/** The page that asks, if it may be of a window whose host had another port, from which this one is tried. */
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

	/** Who calls the host API; a browser always says from which page. */
	caller(request: IncomingMessage): 'window' | 'command' | undefined {
		const url = this.target(request)
		const { authorization, origin, host } = request.headers
		if (url?.pathname === commandPath) {
			const bearer = /^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? ''
			return origin === undefined && isKey(bearer, this.commandKey) ? 'command' : undefined
		}
		// A window from another port has no cookie of ours; it comes to be told where to go.
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
