import type { JsonObject } from '@roundhouse/kit'
import type { Era } from '../wire/versions.ts'
import { writeBeginsMethod } from '../wire/write-begins.ts'
import type { Caller } from './caller.ts'
import { ProtocolError } from './errors.ts'
import type { RequestId } from './message.ts'
import type { ClientInfo } from './meta.ts'
import type { CallNote, McpCall, ProgressReport } from './method.ts'
import type { Outcome } from './outcome.ts'
import { outgoingText } from './outgoing-text.ts'
import type { FrameStream } from './reply.ts'
import { notification } from './result-encoding.ts'

export interface RunningCallInit
	extends Omit<McpCall, 'signal' | 'isFor' | 'note' | 'noted' | 'progress' | 'notify' | 'writeBegins'> {
	readonly progressToken: RequestId | undefined
}

/** A request from its admission to its end, which happens once: a result, an error, or the disconnect of its client. */
export class RunningCall implements McpCall {
	readonly id: RequestId
	readonly method: string
	readonly era: Era
	readonly caller: Caller
	readonly client: ClientInfo | undefined
	readonly clientCapabilities: JsonObject
	readonly progressToken: RequestId | undefined
	#connectionId: string | undefined
	#noted: CallNote = {}
	/** Created on demand, because most calls end without a use of their signal. */
	#abort: AbortController | undefined
	#fail: ((reason: ProtocolError) => void) | undefined
	#endReason: ProtocolError | undefined
	#stream: FrameStream | undefined
	#open: (() => FrameStream) | undefined
	/** Messages from before the stream was open: a handler may send them before its first `await`. */
	#early: string[] = []
	#lastProgress = Number.NEGATIVE_INFINITY
	#isOver = false

	constructor(init: RunningCallInit) {
		this.id = init.id
		this.method = init.method
		this.era = init.era
		this.caller = init.caller
		this.client = init.client
		this.clientCapabilities = init.clientCapabilities
		this.progressToken = init.progressToken
	}

	get signal(): AbortSignal {
		this.#abort ??= new AbortController()
		if (this.#endReason) this.#abort.abort(this.#endReason)
		return this.#abort.signal
	}

	isFor(connectionId: string): void {
		this.#connectionId = connectionId
	}

	/** The connection of the request, once it is known. */
	get connectionId(): string | undefined {
		return this.#connectionId
	}

	note(note: CallNote): void {
		this.#noted = { ...this.#noted, ...note }
	}

	get noted(): CallNote {
		return this.#noted
	}

	/** How a message is sent for which the call would else need no stream. */
	opensStream(open: () => FrameStream): void {
		this.#open = open
	}

	streamTo(stream: FrameStream): void {
		this.#stream = stream
		for (const text of this.#early) stream.send(text)
		this.#early = []
	}

	/**
	 * Resolves with the outcome, or rejects as soon as the call is ended from outside, even if its handler still runs.
	 */
	async wait(outcome: Promise<Outcome>): Promise<Outcome> {
		const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
		this.#fail = reject
		outcome.then(resolve, reject)
		try {
			return await promise
		} finally {
			this.#isOver = true
		}
	}

	/** Ends the call from outside: cancelled, timed out, revoked. */
	end(reason: ProtocolError): void {
		if (this.#isOver) return
		this.#isOver = true
		this.#endReason = reason
		this.#fail?.(reason)
		this.#abort?.abort(reason)
	}

	/** Ends the call if its caller is no longer served. */
	endIfRefused(requireServed: (caller: Caller) => void): void {
		try {
			requireServed(this.caller)
		} catch (error) {
			if (!(error instanceof ProtocolError)) throw error
			this.end(error)
		}
	}

	/** Contract, "Progress streaming": `progress` must increase, so other updates are dropped. */
	progress({ progress, total, message }: ProgressReport): void {
		if (this.#isOver || this.progressToken === undefined || !(progress > this.#lastProgress)) return
		this.#lastProgress = progress
		this.notify('notifications/progress', {
			progressToken: this.progressToken,
			progress,
			...(total !== undefined && { total }),
			...(message !== undefined && { message: outgoingText(message) }),
		})
	}

	notify(method: string, params: JsonObject): void {
		if (this.#isOver) return
		const text = notification(method, params)
		if (this.#stream) this.#stream.send(text)
		else this.#early.push(text)
	}

	async writeBegins(): Promise<void> {
		if (this.#isOver || !this.caller.isBridge) return
		await this.#open?.().deliver(notification(writeBeginsMethod, {}))
	}
}
