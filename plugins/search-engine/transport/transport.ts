import { setTimeout as pause } from 'node:timers/promises'
import { type Json, stringifyJson } from '@roundhouse/kit'
import { type buildConnector, type Dispatcher, Pool } from 'undici'
import { type Credentials, redact } from './credentials.ts'
import { Deadline } from './deadline.ts'
import { EngineError, engineError, readError } from './engine-error.ts'
import { decompressed, ExchangeFailure, exchange, type Incoming, largestAnswerBytes } from './exchange.ts'
import { Cancelled, ConnectionLost, describeFailure, isTooLarge, OversizedAnswer, RequestTimedOut } from './failure.ts'
import type { ClusterNode } from './hosts.ts'
import { Reply } from './reply.ts'
import { retryAfterMs } from './retry-after.ts'

/** Looks at a request before it leaves, and may ask the engine about it. @throws what keeps it from leaving */
export type Appraise = (
	request: EngineRequest,
	transport: Pick<Transport, 'send'>,
	signal: AbortSignal,
) => Promise<void>

export interface TransportOptions {
	readonly nodes: readonly ClusterNode[]
	readonly credentials: Credentials
	readonly headers: Readonly<Record<string, string>>
	readonly connect: buildConnector.connector
	/** 0 waits without end. */
	readonly requestTimeoutMs: number
	/** What stands between the requests and a node. */
	readonly guard: (node: ClusterNode) => Dispatcher.DispatcherComposeInterceptor
	readonly appraise?: Appraise
}

export interface EngineRequest {
	readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
	/** Encoded, from `pathOf` or `parsePath`. */
	readonly path: string
	/** Encoded, without `?`. */
	readonly search?: string
	readonly body?: Json
	/** Sent as it is, instead of `body`: NDJSON, or JSON as a person typed it. */
	readonly text?: string
	/** A read may be sent again to the next node when one does not answer; a write only if it was never sent. */
	readonly isRead: boolean
	/** Names the work in the engine's list of tasks, so that it can be cancelled there. */
	readonly opaqueId?: string
	/** An answer above this is dropped half-way. */
	readonly maxAnswerBytes?: number
	/** A node that has not answered a read by then is left for the next one. */
	readonly nodeLimitMs?: number
}

/**
 * Speaks to the cluster: one pool of sockets a node, plain `application/json` both ways (all of 7.x and 8.x take it),
 * compressed answers, failover, a time limit, and no secret in any error.
 */
export class Transport {
	readonly #options: TransportOptions
	readonly #pools: readonly Dispatcher[]
	/** Index of the node that answered last. */
	#current = 0
	/** Nodes that have answered anything. */
	readonly #known = new Set<number>()
	#writes = 0

	constructor(options: TransportOptions) {
		this.#options = options
		this.#pools = options.nodes.map(node =>
			new Pool(node.origin, { connect: options.connect, connections: 16, headersTimeout: 0, bodyTimeout: 0 }).compose(
				options.guard(node),
				decompressed,
			),
		)
	}

	/**
	 * Sends a request and gives the answer of any status. A read that the cluster has no room for is sent again when it
	 * says so, within the time limit.
	 * @throws ConnectionLost, RequestTimedOut, or DriverError `user_cancelled`.
	 */
	async exchange(request: EngineRequest, signal: AbortSignal): Promise<Reply> {
		await this.#options.appraise?.(request, this, signal)
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
			const answer = await this.#ask(request, deadline, signal)
			const waitMs = answer.status === 429 && request.isRead ? retryAfterMs(answer.headers) : undefined
			const mostMs = Math.min(deadline.leftMs, longestWaitMs)
			if (waitMs === undefined || tries === mostTries || waitMs > mostMs) return new Reply(answer)
			await pause(waitMs, undefined, { signal: deadline.signal }).catch(() => {
				throw this.#stopped(deadline, signal, false)
			})
		}
	}

	/** Asks the node that answered last, then the others. */
	async #ask(request: EngineRequest, deadline: Deadline, signal: AbortSignal): Promise<Incoming> {
		const first = this.#current
		const failures: string[] = []
		let wasSent = false
		for (let step = 0; step < this.#pools.length; step++) {
			const index = (first + step) % this.#pools.length
			using patience = new Deadline(deadline.signal, request.nodeLimitMs ?? 0)
			try {
				const answer = await this.#send(index, request, patience.signal)
				this.#known.add(index)
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
				failures.push(`${this.#label(index)}: ${this.#clean(this.#describe(error, index, patience))}`)
				if (isTooLarge(error)) throw new OversizedAnswer(describeFailure(error))
				if (!request.isRead && error.wasSent) break
			}
		}
		throw new ConnectionLost(failures.join('; '), wasSent)
	}

	/** As {@link exchange}, and an answer with an error status is thrown as an {@link EngineError}. */
	async send(request: EngineRequest, signal: AbortSignal): Promise<Reply> {
		const reply = await this.exchange(request, signal)
		if (reply.status >= 300) throw this.errorOf(reply)
		return reply
	}

	/** What an answer says, with the credentials of this connection taken out. */
	withoutSecrets(text: string): string {
		return this.#clean(text)
	}

	errorOf(reply: Reply): EngineError {
		const { code, message, status, type } = engineError(reply, this.#label(this.#current))
		return new EngineError(code, this.#clean(message), status, type)
	}

	/**
	 * Grows when what is no read is sent, and when it was answered or given up. What it began may go on in the cluster.
	 */
	get writes(): number {
		return this.#writes
	}

	/** Where requests go now, as one writes it: without any credential. */
	get address(): string {
		const { origin = '', prefix = '' } = this.#options.nodes[this.#current] ?? {}
		return `${origin}${prefix}`
	}

	get hasAuthorization(): boolean {
		return this.#options.credentials.authorization !== undefined
	}

	async close(): Promise<void> {
		await Promise.all(this.#pools.map(pool => pool.destroy()))
	}

	#send(index: number, request: EngineRequest, signal: AbortSignal): Promise<Incoming> {
		const pool = this.#pools[index] as Dispatcher
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
			// On loopback packing costs half as much again as the answer; the answer to HEAD has nothing to unpack.
			...(!isLocal && method !== 'HEAD' && { 'accept-encoding': 'gzip' }),
			...(body !== undefined && { 'content-type': 'application/json' }),
			...(authorization !== undefined && { authorization }),
			...(opaqueId !== undefined && { 'x-opaque-id': opaqueId }),
		}
	}

	#describe(error: ExchangeFailure, index: number, patience: Deadline): string {
		if (!patience.isOver) return describeFailure(error, { hasAnswered: this.#known.has(index) })
		return `no answer within ${patience.limitMs / 1000} seconds; check host, port and SSL mode, or raise the connect timeout`
	}

	/** The caller's patience, or the time limit, ended. */
	#stopped(deadline: Deadline, signal: AbortSignal, wasSent: boolean): Cancelled | RequestTimedOut {
		if (signal.aborted) return new Cancelled(wasSent)
		const seconds = deadline.limitMs / 1000
		return new RequestTimedOut(
			`No answer within ${seconds} seconds; the request was stopped. Narrow it, or raise the request timeout of the connection.`,
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

/** Nobody looks on for longer, whatever a request may take; a timer of more than 24 days would end at once. */
const longestWaitMs = 600_000

/** A cluster that puts off the same read so often has no room for it. */
const mostTries = 4

/** What a proxy or a node on its way out says; the next node may be well. */
function isGatewayError(answer: Incoming): boolean {
	return answer.status === 502 || answer.status === 503 || answer.status === 504
}

/** A gateway's own 502, 503 or 504 tells nothing about what the engine did; the engine's own error does. */
export function leavesDoubt(reply: Reply): boolean {
	return (reply.status === 502 || reply.status === 503 || reply.status === 504) && readError(reply.text).type === ''
}
