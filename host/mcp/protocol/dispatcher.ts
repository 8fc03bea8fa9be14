import type { ParameterHeaders } from '../wire/parameter-headers.ts'
import { isLegacyVersion, modernVersion, supportedVersions } from '../wire/versions.ts'
import type { Caller } from './caller.ts'
import type { Clock } from './clock.ts'
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
import { repeated } from './outgoing-text.ts'
import type { FrameStream, Reply } from './reply.ts'
import { errorResponse, type ResultEncoding } from './result-encoding.ts'
import { RunningCall, type RunningCallInit } from './running-call.ts'

/** A body that has arrived, with all that is known of its sender. */
export interface Inbound {
	readonly headers: Headers
	readonly body: Buffer
	/** Why the body is not to be parsed, if so. */
	readonly fault: ProtocolError | undefined
	readonly caller: Caller
}

export interface DispatcherOptions {
	readonly methods: Methods
	readonly sessions: LegacySessions
	readonly inFlight: InFlight
	/**
	 * Lets the caller in to a method that is known, now or when others of its requests have ended; the returned function says
	 * that this one has. @throws ProtocolError, at once or by the promise
	 */
	readonly admit: (
		caller: Caller,
		methodName: string,
		method: Method,
		dropped: AbortSignal,
	) => (() => void) | Promise<() => void> | undefined
	readonly clock: Clock
	readonly encoding: ResultEncoding
	/** Arguments of a tool that must stand in a header too. */
	readonly parameterHeaders: (toolName: string) => ParameterHeaders | undefined
	/** Throws where this caller is served no more. */
	readonly requireServed: (caller: Caller) => void
	/** Tells of each request that ended; the answer waits until it has settled. */
	readonly onEnded: (request: EndedRequest) => Promise<void> | undefined
	/** Tells of errors that are ours: their text goes to the log, not to the client. */
	readonly onFault: (error: unknown) => void
}

type Admitted = Pick<RunningCallInit, 'era' | 'client' | 'clientCapabilities'> & { readonly method: Method }

/**
 * Takes a message from its text to its method and the outcome back (docs/mcp.md, "Order of checks": from JSON on).
 * Methods know nothing of HTTP, and the transport nothing of methods.
 */
export class Dispatcher {
	readonly #options: DispatcherOptions

	constructor(options: DispatcherOptions) {
		this.#options = options
	}

	receive(inbound: Inbound, reply: Reply): void {
		const message = parseMessage(inbound.body, inbound.fault)
		const id = message.kind === 'notification' ? null : message.id
		const startedAt = this.#options.clock.elapsed()
		try {
			if (message.kind === 'unreadable') throw message.error
			if (message.kind === 'notification') return this.#notify(message, inbound, reply)
			this.#answer(message, inbound, startedAt, reply)
		} catch (error) {
			if (message.kind === 'request') return this.#refuseRequest(message, inbound, startedAt, error, reply)
			refuse(id, this.#toProtocolError(error), reply)
		}
	}

	#refuseRequest(
		{ id, method, params }: Request,
		{ caller }: Inbound,
		startedAt: number,
		error: unknown,
		reply: Reply,
	): void {
		const ending = this.#toProtocolError(error)
		after(this.#options.onEnded({ method, params, caller, client: undefined, startedAt, ending, isAtOnce: true }), () =>
			refuse(id, ending, reply),
		)
	}

	/** Contract, "Transport" 3: everything but a cancellation is accepted and dropped. */
	#notify({ method, params }: Notification, { headers, caller }: Inbound, reply: Reply): void {
		checkNotificationHeaders(headers, method, claimedVersion(params))
		if (method === 'notifications/cancelled' && isRequestId(params.requestId)) {
			this.#options.inFlight.cancel(caller, params.requestId, new ProtocolError('request_cancelled'))
		}
		reply.accepted()
	}

	#answer(request: Request, inbound: Inbound, startedAt: number, reply: Reply): void {
		const admitted = this.#admit(request, inbound)
		const given = new AbortController()
		const release = this.#options.admit(inbound.caller, request.method, admitted.method, given.signal)
		if (!(release instanceof Promise)) return this.#run(request, admitted, inbound, startedAt, reply, release)
		void this.#runLater(request, admitted, inbound, startedAt, reply, release, given)
	}

	/** Stands in line first; it can be cancelled there as well. */
	async #runLater(
		request: Request,
		admitted: Admitted,
		inbound: Inbound,
		startedAt: number,
		reply: Reply,
		turn: Promise<() => void>,
		given: AbortController,
	): Promise<void> {
		const { inFlight, requireServed } = this.#options
		const { id, method, params } = request
		const { caller } = inbound
		const inLine = new RunningCall({ ...admitted, id, method, caller, progressToken: undefined })
		let isDropped = false
		inLine.signal.addEventListener('abort', () => given.abort(inLine.signal.reason), { once: true })
		reply.onDropped(() => {
			isDropped = true
			inLine.end(new ProtocolError('request_cancelled'))
		})
		const leave = inFlight.add(inLine)
		try {
			const release = await turn.finally(leave)
			try {
				requireServed(caller)
			} catch (error) {
				release()
				throw error
			}
			this.#run(request, admitted, inbound, startedAt, reply, release)
		} catch (error) {
			const ending = this.#toProtocolError(error)
			await this.#options.onEnded({
				method,
				params,
				caller,
				client: admitted.client,
				startedAt,
				ending,
				isAtOnce: true,
			})
			if (!isDropped) refuse(id, ending, reply)
		}
	}

	#run(
		{ id, method: name, params }: Request,
		admitted: Admitted,
		{ caller }: Inbound,
		startedAt: number,
		reply: Reply,
		release: (() => void) | undefined,
	): void {
		const { method } = admitted
		let isWaiting = false
		try {
			const progressToken = readProgressToken(params)
			const call = new RunningCall({ ...admitted, id, method: name, caller, progressToken })
			const outcome = method.handle(params, call)
			const isAtOnce = !(outcome instanceof Promise)
			const ended = { method: name, params, caller, client: admitted.client, startedAt, isAtOnce }
			const tell = (ending: Outcome | ProtocolError) =>
				this.#options.onEnded({ ...ended, ending, connectionId: call.connectionId })
			if (outcome instanceof Promise || progressToken !== undefined || method.isSubscription) {
				isWaiting = true
				void this.#finishLater(call, method, outcome, reply, tell).finally(release)
			} else {
				const text = this.#options.encoding.response(id, name, admitted.era, outcome)
				after(tell(outcome), () => reply.json(200, text, headersOf(outcome)))
			}
		} finally {
			if (!isWaiting) release?.()
		}
	}

	/** Era, headers, and whether the method is known there. @throws ProtocolError */
	#admit({ method: name, params }: Request, { headers, caller }: Inbound): Admitted {
		const versionHeader = headers['mcp-protocol-version']
		const header = typeof versionHeader === 'string' ? versionHeader : undefined
		const meta = readMeta(params, header)
		if (meta.era === 'modern') {
			checkVersionHeader(headers, meta.version)
			if (meta.version !== modernVersion) throw unsupportedVersion(meta.version)
			const tool = name === 'tools/call' && typeof params.name === 'string' ? params.name : undefined
			checkHeaders(headers, name, params, tool === undefined ? undefined : this.#options.parameterHeaders(tool))
			return { ...meta, method: this.#method(name, meta.era) }
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
			throw new ProtocolError('method_not_found', `There is no method "${repeated(name)}" in this revision.`)
		}
		return method
	}

	/** Waits for the outcome, tells of it, and sends it. */
	async #finishLater(
		call: RunningCall,
		method: Method,
		outcome: Promise<Outcome> | Outcome,
		reply: Reply,
		tell: (ending: Outcome | ProtocolError) => Promise<void> | undefined,
	): Promise<void> {
		const { inFlight, clock, encoding } = this.#options
		let isDropped = false
		using cleanup = new DisposableStack()
		cleanup.defer(inFlight.add(call))
		if (!method.isSubscription) cleanup.defer(startDeadline(call, clock))
		cleanup.defer(startTokenWatch(call, clock, this.#options.requireServed))
		reply.onDropped(() => {
			isDropped = true
			call.end(new ProtocolError('request_cancelled'))
		})
		let stream: FrameStream | undefined
		let ending: Outcome | ProtocolError
		let send: () => void
		if (call.progressToken !== undefined || method.isSubscription) {
			stream = reply.stream(outcome instanceof Promise ? undefined : headersOf(outcome))
			call.streamTo(stream)
		}
		try {
			const settled = await call.wait(Promise.resolve(outcome))
			const text = encoding.response(call.id, call.method, call.era, settled)
			ending = settled
			send = () => (stream ? stream.end(text) : reply.json(200, text))
		} catch (error) {
			const refusal = this.#toProtocolError(error)
			ending = refusal
			send = () => (stream ? stream.end(errorResponse(call.id, refusal)) : refuse(call.id, refusal, reply))
		}
		await tell(ending)
		if (!isDropped) send()
	}

	#toProtocolError(error: unknown): ProtocolError {
		if (error instanceof ProtocolError) return error
		this.#options.onFault(error)
		return new ProtocolError('internal_error')
	}
}

/** At once where there is nothing to wait for: most methods are not written down. */
function after(written: Promise<void> | undefined, work: () => void): void {
	if (written) void written.then(work)
	else work()
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
		`The version "${repeated(requested)}" is not supported. Supported: ${supportedVersions.join(', ')}.`,
		{ data: { supported: [...supportedVersions], requested: repeated(requested) } },
	)
}
