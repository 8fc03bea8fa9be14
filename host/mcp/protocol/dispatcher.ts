import { setImmediate } from 'node:timers/promises'
import type { ParameterHeaders } from '../wire/parameter-headers.ts'
import { isLegacyVersion, modernVersion, supportedVersions } from '../wire/versions.ts'
import type { Caller } from './caller.ts'
import type { Clock } from './clock.ts'
import { duringCall } from './current-call.ts'
import { startDeadline, startTokenWatch } from './deadline.ts'
import type { EndedRequest } from './ended-request.ts'
import { ProtocolError } from './errors.ts'
import { checkHeaders, checkNotificationHeaders, checkVersionHeader, type Headers } from './header-agreement.ts'
import type { InFlight } from './in-flight.ts'
import type { LegacySessions } from './legacy-sessions.ts'
import { isRequestId, type Notification, parseMessage, type Request, type RequestId } from './message.ts'
import { claimedVersion, readMeta, readProgressToken } from './meta.ts'
import type { Method, Methods } from './method.ts'
import type { Outcome } from './outcome.ts'
import { quotedInput } from './outgoing-text.ts'
import type { FrameStream, Reply } from './reply.ts'
import { errorResponse, type ResultEncoding } from './result-encoding.ts'
import { RunningCall, type RunningCallInit } from './running-call.ts'

/** A received body and its sender. */
export interface Inbound {
	readonly headers: Headers
	readonly body: Buffer
	/** Why the body must not be parsed. */
	readonly fault: ProtocolError | undefined
	readonly caller: Caller
}

export interface DispatcherOptions {
	readonly methods: Methods
	readonly sessions: LegacySessions
	readonly inFlight: InFlight
	/**
	 * Admits a call of a known method, now or after other requests of the caller have ended. The returned function marks
	 * the call as ended. @throws ProtocolError, thrown or as a rejection
	 */
	readonly admit: (
		caller: Caller,
		requested: { readonly name: string; readonly method: Method; readonly dropped: () => AbortSignal },
	) => (() => void) | Promise<() => void> | undefined
	readonly clock: Clock
	readonly encoding: ResultEncoding
	/** Returns the arguments of a tool that must also be sent as headers. */
	readonly parameterHeaders: (toolName: string) => ParameterHeaders | undefined
	/** Throws if this caller is no longer served. */
	readonly requireServed: (caller: Caller) => void
	/** Called for each ended request. The answer waits for the returned promise. */
	readonly onEnded: (request: EndedRequest) => Promise<void> | undefined
	/** Called for internal errors. Their text is logged and not sent to the client. */
	readonly onFault: (error: unknown) => void
}

type Admitted = Pick<RunningCallInit, 'era' | 'client' | 'clientCapabilities'> & { readonly method: Method }

/** Reports how a call ended. @returns a promise if the answer must wait for the log */
type ReportEnd = (ending: Outcome | ProtocolError) => Promise<void> | undefined

/** A request without an answer yet. */
interface Exchange extends Pick<Inbound, 'headers' | 'caller'> {
	readonly request: Request
	readonly reply: Reply
	/** `Clock.elapsed` when the request arrived. */
	readonly startedAt: number
	/** Whether the client has disconnected, so that no answer is sent. */
	isDropped: boolean
}

/**
 * Parses messages, calls their methods and encodes the outcomes (docs/mcp.md, "Order of checks": from JSON on). Methods
 * are independent of HTTP, and the transport is independent of methods.
 */
export class Dispatcher {
	readonly #options: DispatcherOptions

	constructor(options: DispatcherOptions) {
		this.#options = options
	}

	receive({ headers, body, fault, caller }: Inbound, reply: Reply): void {
		const message = parseMessage(body, fault)
		if (message.kind === 'unreadable') return refuse(message.id, this.#toProtocolError(message.error), reply)
		if (message.kind === 'request') {
			const startedAt = this.#options.clock.elapsed()
			return void this.#answer({ headers, caller, request: message, reply, startedAt, isDropped: false })
		}
		try {
			this.#notify(message, headers, caller)
			reply.accepted()
		} catch (error) {
			refuse(null, this.#toProtocolError(error), reply)
		}
	}

	/**
	 * Handles a notification. Contract, "Transport" 3: all but cancellations are accepted and ignored. @throws
	 * ProtocolError
	 */
	#notify({ method, params }: Notification, headers: Headers, caller: Caller): void {
		checkNotificationHeaders(headers, method, claimedVersion(params))
		if (method === 'notifications/cancelled' && isRequestId(params.requestId)) {
			this.#options.inFlight.cancel(caller, params.requestId, new ProtocolError('request_cancelled'))
		}
	}

	/** Admits a request, runs it and sends its answer or its error. */
	async #answer(exchange: Exchange): Promise<void> {
		const { request, caller } = exchange
		let admitted: Admitted | undefined
		try {
			admitted = this.#admit(exchange)
			// Only a request that waits needs it.
			let turn: AbortController | undefined
			const turnOf = () => (turn ??= new AbortController())
			const admission = this.#options.admit(caller, {
				name: request.method,
				method: admitted.method,
				dropped: () => turnOf().signal,
			})
			const release =
				admission instanceof Promise ? await this.#queue({ exchange, admitted, admission, turn: turnOf() }) : admission
			try {
				await this.#run(exchange, admitted)
			} finally {
				release?.()
			}
		} catch (error) {
			const ending = this.#toProtocolError(error)
			const written = this.#ended(exchange, { client: admitted?.client, ending, isAtOnce: true })
			if (written) await written
			if (!exchange.isDropped) refuse(request.id, ending, exchange.reply)
		}
	}

	/** Waits until the caller may run one more request. The request can be cancelled meanwhile. @throws ProtocolError */
	async #queue({
		exchange,
		admitted,
		admission,
		turn,
	}: {
		readonly exchange: Exchange
		readonly admitted: Admitted
		readonly admission: Promise<() => void>
		/** Removes the request from the queue. */
		readonly turn: AbortController
	}): Promise<() => void> {
		const { inFlight, requireServed } = this.#options
		const { caller, reply } = exchange
		const { id, method } = exchange.request
		const queued = new RunningCall({ ...admitted, id, method, caller, progressToken: undefined })
		queued.signal.addEventListener('abort', () => turn.abort(queued.signal.reason), { once: true })
		reply.onDropped(() => {
			exchange.isDropped = true
			queued.end(new ProtocolError('request_cancelled'))
		})
		const release = await admission.finally(inFlight.add(queued))
		try {
			requireServed(caller)
			return release
		} catch (error) {
			release()
			throw error
		}
	}

	/** Runs the method and sends its answer. @throws ProtocolError, also as a rejection */
	#run(exchange: Exchange, admitted: Admitted): Promise<void> {
		const { request, caller, reply } = exchange
		const { id, method: name, params } = request
		const { method, era, client, clientCapabilities } = admitted
		const progressToken = readProgressToken(params)
		const call = new RunningCall({ era, client, clientCapabilities, id, method: name, caller, progressToken })
		const outcome = duringCall(call, () => method.handle(params, call))
		const isAtOnce = !(outcome instanceof Promise)
		const reportEnd: ReportEnd = ending =>
			this.#ended(exchange, { client, ending, isAtOnce, connectionId: call.connectionId, noted: call.noted })
		if (!isAtOnce || progressToken !== undefined || method.isSubscription) {
			return this.#finish({ exchange, call, method, outcome, reportEnd })
		}
		const text = this.#options.encoding.response({ id, method: name, era, connectionId: call.connectionId }, outcome)
		// All answers to the requests that the event loop has received are sent together. One that is sent alone wakes its
		// client, which costs as much as a call.
		return (reportEnd(outcome) ?? setImmediate()).then(() => reply.json(200, text, headersOf(outcome)))
	}

	/** Waits for the outcome, reports it, and sends it. */
	async #finish({
		exchange,
		call,
		method,
		outcome,
		reportEnd,
	}: {
		readonly exchange: Exchange
		readonly call: RunningCall
		readonly method: Method
		readonly outcome: Promise<Outcome> | Outcome
		readonly reportEnd: ReportEnd
	}): Promise<void> {
		const { inFlight, clock, encoding, requireServed } = this.#options
		const { reply } = exchange
		using cleanup = new DisposableStack()
		cleanup.defer(inFlight.add(call))
		if (!method.isSubscription) cleanup.defer(startDeadline(call, clock))
		cleanup.defer(startTokenWatch(call, clock, requireServed))
		reply.onDropped(() => {
			exchange.isDropped = true
			call.end(new ProtocolError('request_cancelled'))
		})
		let stream: FrameStream | undefined
		call.opensStream(() => (stream ??= reply.stream()))
		if (call.progressToken !== undefined || method.isSubscription) {
			stream = reply.stream(outcome instanceof Promise ? undefined : headersOf(outcome))
			call.streamTo(stream)
		}
		let ending: Outcome | ProtocolError
		let send: () => void
		try {
			const settled = await call.wait(Promise.resolve(outcome))
			const text = encoding.response(
				{ id: call.id, method: call.method, era: call.era, connectionId: call.connectionId },
				settled,
			)
			ending = settled
			send = () => (stream ? stream.end(text.toString()) : reply.json(200, text))
		} catch (error) {
			const refusal = this.#toProtocolError(error)
			ending = refusal
			send = () => (stream ? stream.end(errorResponse(call.id, refusal)) : refuse(call.id, refusal, reply))
		}
		await reportEnd(ending)
		if (!exchange.isDropped) send()
	}

	/** Reports how a request ended. @returns a promise if the answer must wait for the log */
	#ended(
		{ request: { method, params }, caller, startedAt }: Exchange,
		{ client, ending, isAtOnce, connectionId, noted }: Omit<EndedRequest, 'method' | 'params' | 'caller' | 'startedAt'>,
	): Promise<void> | undefined {
		return this.#options.onEnded({ method, params, caller, client, startedAt, ending, connectionId, noted, isAtOnce })
	}

	/** Checks the era, the headers and the method. @throws ProtocolError */
	#admit({ request: { method: name, params }, headers, caller }: Exchange): Admitted {
		const versionHeader = headers['mcp-protocol-version']
		const header = typeof versionHeader === 'string' ? versionHeader : undefined
		const meta = readMeta(params, header)
		if (meta.era === 'modern') {
			checkVersionHeader(headers, meta.version)
			if (meta.version !== modernVersion) throw unsupportedVersion(meta.version)
			const tool = name === 'tools/call' && typeof params.name === 'string' ? params.name : undefined
			checkHeaders(headers, {
				method: name,
				params,
				parameterHeaders: tool === undefined ? undefined : this.#options.parameterHeaders(tool),
			})
			const { era, client, clientCapabilities } = meta
			return { era, client, clientCapabilities, method: this.#method(name, era) }
		}
		if (header !== undefined && !isLegacyVersion(header)) throw unsupportedVersion(header)
		const method = this.#method(name, 'legacy')
		if (name === 'initialize') return { era: 'legacy', client: undefined, clientCapabilities: {}, method }
		const sessionId = headers['mcp-session-id']
		const session = this.#options.sessions.use(typeof sessionId === 'string' ? sessionId : undefined, caller.key)
		return { era: 'legacy', client: session.client, clientCapabilities: session.clientCapabilities, method }
	}

	#method(name: string, era: Admitted['era']): Method {
		const method = this.#options.methods.get(name)
		if (!method?.eras.includes(era)) {
			throw new ProtocolError('method_not_found', `There is no method "${quotedInput(name)}" in this revision.`)
		}
		return method
	}

	#toProtocolError(error: unknown): ProtocolError {
		if (error instanceof ProtocolError) return error
		this.#options.onFault(error)
		return new ProtocolError('internal_error')
	}
}

function refuse(id: RequestId | null, error: ProtocolError, reply: Reply): void {
	reply.json(error.status, errorResponse(id, error), error.headers)
}

function headersOf(outcome: Outcome): Readonly<Record<string, string>> | undefined {
	return outcome.kind === 'complete' ? outcome.headers : undefined
}

export function unsupportedVersion(requested: string): ProtocolError {
	return new ProtocolError(
		'unsupported_version',
		`The version "${quotedInput(requested)}" is not supported. Supported: ${supportedVersions.join(', ')}.`,
		{ data: { supported: [...supportedVersions], requested: quotedInput(requested) } },
	)
}
