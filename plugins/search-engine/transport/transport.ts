import { setTimeout as pause } from 'node:timers/promises'
import { DriverError, stringifyJson } from '@roundhouse/kit'
import { type buildConnector, type Dispatcher, Pool } from 'undici'
import { type Credentials, redact } from './credentials.ts'
import { Deadline } from './deadline.ts'
import { EngineError, engineError, readError } from './engine-error.ts'
import type { EngineRequest } from './engine-request.ts'
import { decompressed, ExchangeFailure, exchange, type Incoming, largestAnswerBytes } from './exchange.ts'
import { Cancelled, ConnectionLost, describeFailure, isTooLarge, OversizedAnswer, RequestTimedOut } from './failure.ts'
import type { ClusterNode } from './hosts.ts'
import { Reply } from './reply.ts'
import { retryAfterMs } from './retry-after.ts'
import { type VectorHabit, withVectors } from './whole-source.ts'

/** Checks a request before it is sent, and may query the engine for that. @throws the reason to not send it */
export type CheckRequest = (
	request: EngineRequest,
	transport: Pick<Transport, 'send'>,
	signal: AbortSignal,
) => Promise<void>

export interface TransportOptions {
	readonly nodes: readonly ClusterNode[]
	readonly credentials: Credentials
	readonly headers: Readonly<Record<string, string>>
	readonly connect: buildConnector.connector
	/** 0 means no limit. */
	readonly requestTimeoutMs: number
	/** Interceptor between the requests and a node. */
	readonly guard: (node: ClusterNode) => Dispatcher.DispatcherComposeInterceptor
	readonly checkRequest?: CheckRequest
	/** Checks the answer of a node to `GET /`, before that node becomes current. @throws DriverError to not use it */
	readonly checkNode?: (answer: Reply) => void
	/** What the node that was checked last does with vectors. */
	readonly vectors?: () => VectorHabit
}

/**
 * Communicates with the cluster: one pool of sockets per node and a small one for look-ups, compressed answers, failover
 * to nodes of the same cluster, a time limit, and no secret in any error. Bodies are plain `application/json` in both directions, which all of 7.x and 8.x support.
 */
export class Transport {
	readonly #options: TransportOptions
	readonly #pools: readonly Dispatcher[]
	readonly #lookUpPools: readonly Dispatcher[]
	/** Index of the node that answered last. */
	#current = 0
	/**
	 * The node that was identified last, by its index. Another one may be of another version, or of another cluster, and so
	 * may a later one at the same address.
	 */
	#identified: { readonly index: number; readonly at: number } | undefined
	/** Whether that node has refused the parameter for vectors. */
	#refusesVectors = false
	/** Nodes that have answered before. */
	readonly #known = new Set<number>()
	#writes = 0

	constructor(options: TransportOptions) {
		this.#options = options
		const poolsOf = (connections: number) =>
			options.nodes.map((node, index) =>
				new Pool(node.origin, { connect: options.connect, connections, headersTimeout: 0, bodyTimeout: 0 })
					.on('disconnect', (_origin, _targets, error) => this.#noteDisconnect(index, error))
					.compose(options.guard(node), decompressed),
			)
		this.#pools = poolsOf(16)
		this.#lookUpPools = poolsOf(4)
	}

	/**
	 * Sends a request and returns the answer of any status. Retries a read that the cluster defers, within the time
	 * limit.
	 * @throws ConnectionLost, RequestTimedOut, or DriverError `user_cancelled`
	 */
	async exchange(request: EngineRequest, signal: AbortSignal): Promise<Reply> {
		const { isLookUp = false } = request
		const send: Transport['send'] = (asked, signal) => this.send({ ...asked, isLookUp }, signal)
		await this.#options.checkRequest?.(request, { send }, signal)
		if (request.isRead) return this.#exchange(request, signal)
		this.#writes++
		try {
			return await this.#exchange(request, signal)
		} finally {
			this.#writes++
		}
	}

	async #exchange(request: EngineRequest, signal: AbortSignal): Promise<Reply> {
		using deadline = new Deadline(signal, this.#options.requestTimeoutMs)
		for (let tries = 1; ; tries++) {
			const { answer, repeats } = await this.#askAgain(request, deadline, signal)
			const waitMs = answer.status === 429 && request.isRead ? retryAfterMs(answer.headers) : undefined
			const maxMs = Math.min(deadline.leftMs, longestWaitMs)
			if (waitMs === undefined || tries === maxTries || waitMs > maxMs) return new Reply(answer, repeats)
			await this.#pause(waitMs, deadline, signal)
		}
	}

	/** Repeats a request whose connection drops before its answer is complete, if that is harmless. */
	async #askAgain(
		request: EngineRequest,
		deadline: Deadline,
		signal: AbortSignal,
	): Promise<{ readonly answer: Incoming; readonly repeats: number }> {
		for (let repeats = 0; ; repeats++) {
			const sentAt = performance.now()
			try {
				return { answer: await this.#ask(request, deadline, signal), repeats }
			} catch (error) {
				const waitMs = repeatsAfterMs[repeats]
				// A node that restarts refuses connections for a time.
				const isDropped = error instanceof ConnectionLost && (error.wasSent || repeats > 0)
				const isLong = performance.now() - sentAt > longestRepeatedMs
				if (!request.isRepeatable || !isDropped || isLong || waitMs === undefined) throw error
				await this.#pause(waitMs, deadline, signal)
			}
		}
	}

	/** @throws RequestTimedOut, Cancelled */
	async #pause(waitMs: number, deadline: Deadline, signal: AbortSignal): Promise<void> {
		await pause(waitMs, undefined, { signal: deadline.signal }).catch(() => {
			throw this.#stopped(deadline, signal, false)
		})
	}

	/** Tries the node that answered last, then the others. */
	async #ask(request: EngineRequest, deadline: Deadline, signal: AbortSignal): Promise<Incoming> {
		const first = this.#current
		const failures: string[] = []
		let wasSent = false
		for (let step = 0; step < this.#pools.length; step++) {
			const index = (first + step) % this.#pools.length
			using nodeDeadline = new Deadline(deadline.signal, request.nodeLimitMs ?? 0)
			try {
				const unfit = request.identifies ? undefined : await this.#whyUnfit(index, request, nodeDeadline.signal)
				if (unfit !== undefined) {
					failures.push(`${this.#label(index)}: ${unfit}`)
					continue
				}
				const answer = await this.#sendWhole(index, request, nodeDeadline.signal)
				this.#known.add(index)
				if (request.identifies) this.#setIdentified(index)
				if (request.isRead && isGatewayError(answer) && step + 1 < this.#pools.length) {
					failures.push(`${this.#label(index)}: ${answer.status} ${answer.statusText}`)
					continue
				}
				this.#current = index
				return answer
			} catch (error) {
				if (!(error instanceof ExchangeFailure)) throw error
				wasSent ||= error.wasSent
				if (deadline.isOver) this.#current = (index + 1) % this.#pools.length
				if (signal.aborted || deadline.isOver) throw this.#stopped(deadline, signal, error.wasSent)
				failures.push(`${this.#label(index)}: ${this.#clean(this.#describe(error, index, nodeDeadline))}`)
				if (isTooLarge(error)) throw new OversizedAnswer(describeFailure(error))
				if (!request.isRead && error.wasSent) break
			}
		}
		throw new ConnectionLost(failures.join('; '), wasSent)
	}

	/** A node that closes its connections may return as another version. The pool itself closes those that are not used. */
	#noteDisconnect(index: number, { message }: Error): void {
		if (index === this.#identified?.index && message !== 'socket idle timeout') this.#identified = undefined
	}

	#setIdentified(index: number): void {
		this.#identified = { index, at: performance.now() }
		this.#refusesVectors = false
	}

	/** Returns the request as the current node gets it: with a parameter for vectors if it leaves them out, or may do so. */
	asSent(request: EngineRequest): EngineRequest {
		const vectors = this.#options.vectors?.() ?? 'kept'
		const isAsked = vectors === 'left out' || (vectors === 'unknown' && !this.#refusesVectors)
		return request.isWhole && isAsked ? withVectors(request) : request
	}

	async #sendWhole(index: number, request: EngineRequest, signal: AbortSignal): Promise<Incoming> {
		const asked = this.asSent(request)
		const answer = await this.#send(index, asked, signal)
		const isUnknown = asked !== request && this.#options.vectors?.() === 'unknown'
		if (!isUnknown || answer.status !== 400 || !answer.bytes.includes('exclude_vectors')) return answer
		this.#refusesVectors = true
		return this.#send(index, request, signal)
	}

	/** Whole documents of a cluster that was upgraded meanwhile would lack their vectors. */
	#isIdentified(index: number, isWhole: boolean): boolean {
		if (index !== this.#identified?.index) return false
		const mayChange = isWhole && this.#options.vectors?.() !== 'left out'
		return !mayChange || performance.now() - this.#identified.at < identityMs
	}

	/**
	 * Identifies a node if another one was identified last or if that was long ago, because the server at an address can
	 * change. Returns why it is not used, or `undefined`.
	 * @throws ExchangeFailure that says that the request itself was not sent
	 */
	async #whyUnfit(
		index: number,
		{ isLookUp = false, isWhole = false }: EngineRequest,
		signal: AbortSignal,
	): Promise<string | undefined> {
		const { checkNode } = this.#options
		if (checkNode === undefined || this.#isIdentified(index, isWhole)) return undefined
		try {
			const answer = await this.#send(index, { method: 'GET', path: '/', isRead: true, isLookUp }, signal)
			this.#known.add(index)
			checkNode(new Reply(answer))
			this.#setIdentified(index)
			return undefined
		} catch (error) {
			if (error instanceof ExchangeFailure) throw new ExchangeFailure(false, error.cause)
			if (!(error instanceof DriverError)) throw error
			return this.#clean(error.message.replace(/^Connection failed: |\.$/g, ''))
		}
	}

	/** Sends like {@link exchange}, but throws an answer with an error status as an {@link EngineError}. */
	async send(request: EngineRequest, signal: AbortSignal): Promise<Reply> {
		const reply = await this.exchange(request, signal)
		if (reply.status >= 300) throw this.errorOf(reply)
		return reply
	}

	/** Returns text of an answer without the credentials of this connection. */
	withoutSecrets(text: string): string {
		return this.#clean(text)
	}

	errorOf(reply: Reply): EngineError {
		const { code, message, status, type } = engineError(reply, this.#label(this.#current))
		return new EngineError(code, this.#clean(message), { status, type })
	}

	/**
	 * Number that increases when a write is sent, and when it is answered or aborted. Work that it started may continue
	 * in the cluster.
	 */
	get writes(): number {
		return this.#writes
	}

	/** URL of the current node, without a credential. */
	get address(): string {
		const { origin = '', prefix = '' } = this.#options.nodes[this.#current] ?? {}
		return `${origin}${prefix}`
	}

	get hasAuthorization(): boolean {
		return this.#options.credentials.authorization !== undefined
	}

	async close(): Promise<void> {
		await Promise.all([...this.#pools, ...this.#lookUpPools].map(pool => pool.destroy()))
	}

	#send(index: number, request: EngineRequest, signal: AbortSignal): Promise<Incoming> {
		const pool = (request.isLookUp ? this.#lookUpPools : this.#pools)[index] as Dispatcher
		const { prefix = '', isLocal = false } = this.#options.nodes[index] ?? {}
		const search = request.search ? `?${request.search}` : ''
		const body = request.text ?? (request.body === undefined ? undefined : stringifyJson(request.body))
		const method: Dispatcher.HttpMethod = request.method
		const { maxAnswerBytes = largestAnswerBytes } = request
		const path = `${prefix}${request.path}${search}`
		const outgoing = { method, path, headers: this.#headers(request, body, isLocal), body, maxAnswerBytes }
		return exchange(pool, outgoing, signal)
	}

	#headers({ method, opaqueId }: EngineRequest, body: string | undefined, isLocal: boolean): Record<string, string> {
		const { authorization } = this.#options.credentials
		return {
			...this.#options.headers,
			accept: 'application/json',
			// On loopback, compression takes half as long again as the plain answer. An answer to HEAD has no body.
			...(!isLocal && method !== 'HEAD' && { 'accept-encoding': 'gzip' }),
			...(body !== undefined && { 'content-type': 'application/json' }),
			...(authorization !== undefined && { authorization }),
			...(opaqueId !== undefined && { 'x-opaque-id': opaqueId }),
		}
	}

	#describe(error: ExchangeFailure, index: number, nodeDeadline: Deadline): string {
		if (!nodeDeadline.isOver) return describeFailure(error, { hasAnswered: this.#known.has(index) })
		return `no answer within ${nodeDeadline.limitMs / 1000} seconds; check host, port and SSL mode, or raise the connect timeout`
	}

	/** The caller aborted, or the time limit was exceeded. */
	#stopped(deadline: Deadline, signal: AbortSignal, wasSent: boolean): Cancelled | RequestTimedOut {
		if (signal.aborted) return new Cancelled(wasSent)
		const seconds = deadline.limitMs / 1000
		return new RequestTimedOut(
			`No answer within ${seconds} seconds. The request was cancelled. Narrow the request, or raise the request timeout of the connection.`,
			wasSent,
		)
	}

	#label(index: number): string {
		return this.#options.nodes[index]?.label ?? ''
	}

	#clean(text: string): string {
		return redact(text, this.#options.credentials.secrets)
	}
}

/** Time after which a node may be another version. A restart takes longer, and a load balancer hides it. */
const identityMs = 30_000

/** Longest wait for a retry, whatever the time limit. A timer of more than 24 days would fire at once. */
const longestWaitMs = 600_000

/** Waits before a read is repeated whose connection dropped. */
const repeatsAfterMs = [200, 1_000] as const

/** A read that was cut off after a longer time is not repeated: a proxy would cut it off again, at full cost. */
const longestRepeatedMs = 20_000

/** Upper limit of retries of a deferred read. */
const maxTries = 4

/** Returns whether a proxy or a stopping node answered. The next node may work. */
function isGatewayError(answer: Incoming): boolean {
	return answer.status === 502 || answer.status === 503 || answer.status === 504
}

/**
 * Returns whether the outcome of a request is unknown: a gateway's 502, 503 or 504 says nothing about the engine, but
 * the engine's error does.
 */
export function isOutcomeUnknown(reply: Reply): boolean {
	return (reply.status === 502 || reply.status === 503 || reply.status === 504) && readError(reply.text).type === ''
}
