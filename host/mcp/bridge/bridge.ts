import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Semaphore } from '../../../base/semaphore.ts'
import { metaKeys } from '../wire/meta-keys.ts'
import { protocolErrors } from '../wire/protocol-errors.ts'
import { isLegacyVersion, modernVersion, newestLegacyVersion } from '../wire/versions.ts'
import { findHost, type Host } from './find-host.ts'
import { type Message, modernHeaders, readMessage, SeenTools } from './message.ts'
import { post } from './post.ts'

/** Contract, "Versioning" 5. */
const requiredVersion = modernVersion
/** A bridge uses eight connections. One is reserved for cancellations and for answers to questions of the host. */
const maxConcurrentRequests = 7
/** Upper limit of open streams. The other connections are for short requests. */
const maxStreams = 4
/** How long a rate-limited request is retried. The client decides about longer waits. */
const retryTimeoutMs = 5_000
/** Errors that occur before anything was sent. */
const neverSent: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ENOTTHEHOST'])

export interface BridgeOptions {
	readonly supportPath: string
	/** Starts the host in the background if it does not run. @throws Error with the reason for the user */
	readonly startHost: () => Promise<void> | void
	/** Keeps running without a host: answers each request with the reason, and connects to a host that starts later. */
	readonly staysWithoutHost?: boolean
	/** The version that the bridge reports to the host. */
	readonly version: string
	readonly input?: Readable
	readonly output?: Writable
	/** Aborts when the client is gone and its answers are not read any more. */
	readonly clientGone?: AbortSignal
	/** Receives messages that are not part of the protocol. Default: stderr. */
	readonly log?: (message: string) => void
}

/**
 * Serves an MCP client on stdio by forwarding its lines to the running host (contract, "What the service does", 3).
 * Lines are forwarded unchanged in both directions; the bridge only adds the HTTP headers. Resolves when the client has
 * closed its input and every answer is written.
 * @throws Error if the host cannot be reached, or is too old
 */
export async function runBridge(options: BridgeOptions): Promise<void> {
	const bridge = new Bridge(options)
	try {
		await bridge.start()
	} catch (error) {
		if (options.clientGone?.aborted) return
		if (options.staysWithoutHost) return bridge.serve()
		bridge.writeError(null, error instanceof Error ? error.message : String(error))
		throw error
	}
	await bridge.serve()
}

interface Posted {
	readonly body: string
	readonly message: Message
	readonly signal: AbortSignal
}

class Bridge {
	readonly #options: BridgeOptions
	readonly #output: Writable
	readonly #log: (message: string) => void
	/** Distinguishes this bridge from others, which use the same token. */
	readonly #id = randomUUID()
	readonly #tools = new SeenTools()
	/** Ids of cancelled requests. On stdio, no answer may be sent for them. */
	readonly #cancelled = new Set<string | number>()
	readonly #open = new Set<string | number>()
	readonly #streams = new Set<AbortController>()
	readonly #requests = new Semaphore(maxConcurrentRequests)
	readonly #others = new Semaphore(1)
	/** Aborts when the client is gone. */
	readonly #gone = new AbortController()
	#host: Promise<Host> | undefined
	#session: { readonly id: string; readonly version: string; readonly opening: string } | undefined

	constructor(options: BridgeOptions) {
		this.#options = options
		this.#output = options.output ?? process.stdout
		this.#log = options.log ?? (message => void process.stderr.write(`${message}\n`))
		this.#output.on('error', () => this.#gone.abort())
		options.clientGone?.addEventListener('abort', () => this.#gone.abort(), { once: true })
	}

	/**
	 * Connects to the host and checks that it supports the current revision. Refusals are logged; each request gets its
	 * own error.
	 */
	async start(): Promise<void> {
		const answers: string[] = []
		const body = JSON.stringify({
			jsonrpc: '2.0',
			id: 'bridge',
			method: 'server/discover',
			params: {
				_meta: {
					[metaKeys.protocolVersion]: requiredVersion,
					[metaKeys.clientCapabilities]: {},
					[metaKeys.clientInfo]: { name: 'roundhouse-bridge', version: this.#options.version },
				},
			},
		})
		await this.#post({ body, message: readMessage(body), signal: this.#gone.signal }, line => answers.push(line))
		const { result, error } = JSON.parse(answers[0] ?? '{}') as Discovered
		if (result?.supportedVersions?.includes(requiredVersion)) return
		if (error && error.code !== protocolErrors.unsupported_version.code) return this.#log(error.message)
		throw new Error(`The running Roundhouse does not speak ${requiredVersion}. Update it, then start it again.`)
	}

	async serve(): Promise<void> {
		const running = new Set<Promise<void>>()
		const lines = createInterface({ input: this.#options.input ?? process.stdin })
		this.#gone.signal.addEventListener('abort', () => lines.close(), { once: true })
		if (this.#gone.signal.aborted) lines.close()
		for await (const line of lines) {
			if (line.trim() === '') continue
			const handled = this.#handle(line)
			running.add(handled)
			void handled.finally(() => running.delete(handled))
		}
		for (const stream of this.#streams) stream.abort()
		await Promise.all(running)
	}

	writeError(id: string | number | null, message: string): void {
		this.#write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: protocolErrors.unavailable.code, message } }))
	}

	async #handle(read: string): Promise<void> {
		const asked = readMessage(read)
		const line = negotiable(read, asked)
		const message = line === read ? asked : readMessage(line)
		if (message.method === 'notifications/cancelled') this.#noteCancelled(message)
		const abort = new AbortController()
		const isStream = message.method === 'subscriptions/listen'
		if (message.id !== undefined) this.#open.add(message.id)
		const signal = AbortSignal.any([abort.signal, this.#gone.signal])
		try {
			if (isStream) this.#keepStream(abort)
			const release = await (message.id !== undefined && message.method !== undefined
				? this.#requests
				: this.#others
			).acquire(signal)
			// The client may have cancelled the request while it waited in the queue.
			if (message.id !== undefined && this.#cancelled.has(message.id)) release()
			else await this.#forward(line, message, signal).finally(release)
		} catch (error) {
			if (!signal.aborted) this.#fail(message, error)
		} finally {
			this.#streams.delete(abort)
			if (message.id !== undefined) {
				this.#open.delete(message.id)
				this.#cancelled.delete(message.id)
			}
		}
	}

	#keepStream(stream: AbortController): void {
		if (this.#streams.size >= maxStreams) throw new Error(`a client can have at most ${maxStreams} open streams`)
		this.#streams.add(stream)
	}

	async #forward(line: string, message: Message, signal: AbortSignal): Promise<void> {
		const isNotification = message.id === undefined && message.method !== undefined
		let isSessionGone = false
		let lacksHeaders = false
		const mayLackHeaders = this.#tools.isNew(message)
		const take = (answer: string) => {
			if (mayLackHeaders && codeOf(answer) === protocolErrors.header_mismatch.code) {
				lacksHeaders = true
				return
			}
			if (
				this.#session &&
				message.method !== 'initialize' &&
				codeOf(answer) === protocolErrors.session_not_found.code
			) {
				isSessionGone = true
				return
			}
			if (isNotification) return this.#log(`${message.method} was refused: ${answer}`)
			if (message.method === 'tools/list') this.#tools.note(answer)
			if (message.id === undefined || !this.#cancelled.has(message.id)) this.#write(withId(answer, message.id))
		}
		const posted = await this.#post({ body: line, message, signal }, take)
		if (isSessionGone || lacksHeaders) {
			await (isSessionGone ? this.#reopenSession(signal) : this.#learnTools(message, signal))
			await this.#post({ body: line, message, signal }, answer => this.#write(withId(answer, message.id)))
		} else if (!isNotification && posted.messages === 0) {
			throw new Error(`Roundhouse answered with HTTP ${posted.status} and nothing else.`)
		}
	}

	/** Posts a message, and retries if the host is at its rate limit, because the request was not executed. */
	async #post({ body, message, signal }: Posted, onMessage: (line: string) => void) {
		const end = performance.now() + retryTimeoutMs
		for (;;) {
			const held: string[] = []
			const posted = await this.#postOnce({ body, message, signal }, line =>
				codeOf(line) === protocolErrors.rate_limited.code ? held.push(line) : onMessage(line),
			)
			const waitMs = 1000 * (posted.retryAfter ?? Number.POSITIVE_INFINITY)
			if (performance.now() + waitMs > end) {
				for (const line of held) onMessage(line)
				return posted
			}
			await sleep(waitMs, undefined, { signal })
		}
	}

	/** Posts a message, and retries once if the host was restarted, because the first attempt was not executed. */
	async #postOnce({ body, message, signal }: Posted, onMessage: (line: string) => void) {
		const send = async (mayRetry: boolean) => {
			const host = await this.#connect()
			const held: string[] = []
			const posted = await post({
				host,
				bridgeId: this.#id,
				headers: this.#headers(message),
				body,
				signal,
				// A rejection of an outdated token is handled here and not sent to the client.
				onMessage: line => (mayRetry && isUnauthenticated(line) ? held.push(line) : onMessage(line)),
			})
			if (posted.status !== 401 || !mayRetry) return posted
			this.#host = undefined
			return undefined
		}
		const first = await send(true).catch((error: NodeJS.ErrnoException) => {
			if (!neverSent.has(error.code)) throw error
			this.#host = undefined
			return undefined
		})
		const posted = first ?? (await send(false))
		if (!posted) throw new Error('Roundhouse refuses the bridge.')
		if (message.method === 'initialize' && posted.sessionId !== undefined) {
			const version = String(message.params.protocolVersion)
			this.#session = { id: posted.sessionId, version, opening: body }
		}
		return posted
	}

	#connect(): Promise<Host> {
		this.#host ??= findHost(this.#options.supportPath, this.#options.startHost)
		const host = this.#host
		host.catch(() => {
			if (this.#host === host) this.#host = undefined
		})
		return host
	}

	#headers(message: Message): Record<string, string> {
		if (message.modernVersion !== undefined) return modernHeaders(message, this.#tools.headersOf(message))
		if (!this.#session || message.method === 'initialize') return {}
		return { 'Mcp-Session-Id': this.#session.id, 'MCP-Protocol-Version': this.#session.version }
	}

	/** Opens the legacy session again after the host has lost it, for example by a restart. */
	async #reopenSession(signal: AbortSignal): Promise<void> {
		const opening = this.#session?.opening
		this.#session = undefined
		if (opening !== undefined) await this.#post({ body: opening, message: readMessage(opening), signal }, () => {})
	}

	/**
	 * Lists the tools, because the client calls a tool that it did not list. The schema declares which arguments need a
	 * header.
	 */
	async #learnTools({ params }: Message, signal: AbortSignal): Promise<void> {
		let cursor: string | undefined
		do {
			const listing = {
				...(cursor !== undefined && { cursor }),
				_meta: { ...(params._meta as object), progressToken: undefined },
			}
			const body = JSON.stringify({ jsonrpc: '2.0', id: 'bridge', method: 'tools/list', params: listing })
			cursor = undefined
			await this.#post({ body, message: readMessage(body), signal }, answer => {
				cursor = this.#tools.note(answer)
			})
		} while (cursor !== undefined)
	}

	#noteCancelled({ params }: Message): void {
		const id = params.requestId
		if ((typeof id === 'string' || typeof id === 'number') && this.#open.has(id)) this.#cancelled.add(id)
	}

	#fail({ id, method }: Message, error: unknown): void {
		const reason = `Roundhouse cannot be reached: ${error instanceof Error ? error.message : String(error)}`
		if (id === undefined) return this.#log(reason)
		if (this.#cancelled.has(id)) return
		if (method !== 'subscriptions/listen') return this.writeError(id, reason)
		this.#write(
			JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason } }),
		)
	}

	#write(line: string): void {
		this.#output.write(`${line}\n`)
	}
}

interface Discovered {
	readonly result?: { readonly supportedVersions?: readonly string[] }
	readonly error?: { readonly code: number; readonly message: string }
}

/**
 * Replaces an unknown version in `initialize` by the newest legacy version. On stdio, clients of any version may begin
 * with `initialize`, and they accept the version in the answer.
 */
function negotiable(line: string, { method, params }: Message): string {
	if (method !== 'initialize' || typeof params.protocolVersion !== 'string' || isLegacyVersion(params.protocolVersion))
		return line
	const message = JSON.parse(line) as object
	return JSON.stringify({ ...message, params: { ...params, protocolVersion: newestLegacyVersion } })
}

/** Sets the id of an answer, if the host refused the request before it read the id. */
function withId(answer: string, id: string | number | undefined): string {
	if (id === undefined || codeOf(answer) === undefined) return answer
	const message = JSON.parse(answer) as { readonly id?: unknown }
	return message.id === null ? JSON.stringify({ ...message, id }) : answer
}

function codeOf(line: string): number | undefined {
	if (!line.includes('"error"')) return undefined
	const { error } = JSON.parse(line) as { readonly error?: { readonly code?: number } }
	return error?.code
}

function isUnauthenticated(line: string): boolean {
	const code = codeOf(line)
	return code === protocolErrors.unauthenticated.code || code === protocolErrors.token_expired.code
}
