import type { JsonObject } from '@roundhouse/kit/json'
import { Semaphore } from '../../../base/semaphore.ts'
import { protocolErrors } from '../wire/protocol-errors.ts'
import { writeBeginsMethod } from '../wire/write-begins.ts'
import { errorOf, withId } from './answer.ts'
import { type HostLink, HostLostError } from './host-link.ts'
import { type Message, messageOf } from './message.ts'
import { SeenTools } from './seen-tools.ts'

/** The contract allows a caller eight requests at once. */
const maxConcurrentRequests = 8
/** How often a read is sent again after the host was lost, so that a read that ends the host does not loop. */
const maxRepeats = 5

export interface HostRequest {
	readonly message: Message
	readonly body: string
	readonly signal: AbortSignal
	readonly onNotification: (line: string) => void
}

/**
 * Sends requests to the host, at most eight at once. Adds the headers that stdio does not have. If the host is lost in
 * the middle of a request, sends the request to the next host if it only reads, or had not begun to write.
 */
export class HostRequests {
	readonly #link: HostLink
	readonly #tools = new SeenTools()
	readonly #places = new Semaphore(maxConcurrentRequests)

	constructor(link: HostLink) {
		this.#link = link
	}

	/** @returns the answer @throws Error with the reason for the user */
	async send(request: HostRequest): Promise<string> {
		const release = await this.#places.acquire(request.signal)
		try {
			const onNotification = increasing(request.onNotification)
			return withId(await this.#sendRepeatedly({ ...request, onNotification }), request.message.id)
		} finally {
			release()
		}
	}

	async #sendRepeatedly(request: HostRequest): Promise<string> {
		let hasBegun = false
		const onNotification = (line: string) => {
			if (JSON.parse(line).method === writeBeginsMethod) hasBegun = true
			else request.onNotification(line)
		}
		for (let repeats = 0; ; repeats++) {
			try {
				return await this.#sendOnce({ ...request, onNotification })
			} catch (error) {
				if (!(error instanceof HostLostError) || request.message.method === 'subscriptions/listen') throw error
				if (hasBegun || !(await this.#changesNothing(request))) throw new UnknownOutcomeError()
				if (repeats >= maxRepeats) throw error
			}
		}
	}

	/** Sends a request, and again if it lacked headers because the client had not listed the tool. */
	async #sendOnce(request: HostRequest): Promise<string> {
		const { message } = request
		const answer = await this.#post(request)
		if (message.method === 'tools/list') this.#tools.note(answer)
		const lacksHeaders = errorOf(answer)?.code === protocolErrors.header_mismatch.code
		if (!lacksHeaders || message.method !== 'tools/call' || this.#tools.calledBy(message)?.headers) return answer
		await this.#listTools(request)
		return this.#post(request)
	}

	#post({ message, body, signal, onNotification }: HostRequest): Promise<string> {
		return this.#link.send({ body, signal, onNotification, headers: this.#tools.headersFor(message) })
	}

	/**
	 * Whether a request that has not begun to write can be repeated: all, except calls of tools that the host lists as
	 * writing without a question.
	 */
	async #changesNothing(request: HostRequest): Promise<boolean> {
		const { message, signal } = request
		if (message.method !== 'tools/call') return true
		if (!this.#tools.calledBy(message)) {
			// If the tools cannot be listed, it is unknown what this tool does.
			await this.#listTools(request).catch(() => signal.throwIfAborted())
		}
		const tool = this.#tools.calledBy(message)
		return tool?.isReadOnly === true || tool?.tellsWrites === true
	}

	async #listTools({ message, signal }: HostRequest): Promise<void> {
		const { progressToken: _, ...meta } = (message.params._meta ?? {}) as JsonObject
		let cursor: string | undefined
		do {
			const params = { ...(cursor !== undefined && { cursor }), _meta: meta }
			const json = { jsonrpc: '2.0', id: 'bridge', method: 'tools/list', params }
			const listing = { message: messageOf(json), body: JSON.stringify(json), signal, onNotification: () => {} }
			cursor = this.#tools.note(await this.#sendRepeatedly(listing))
		} while (cursor !== undefined)
	}
}

class UnknownOutcomeError extends Error {
	override readonly name = 'UnknownOutcomeError'

	constructor() {
		super(
			'Roundhouse stopped while it ran this call, so its outcome is unknown: it may have written. It was not sent again. Read what is there before you repeat it.',
		)
	}
}

/** Drops progress that a repeated request reports a second time (contract, "Progress streaming"). */
function increasing(take: (line: string) => void): (line: string) => void {
	let last = Number.NEGATIVE_INFINITY
	return line => {
		const { method, params } = JSON.parse(line) as { readonly method: string; readonly params: { progress: number } }
		if (method === 'notifications/progress') {
			if (!(params.progress > last)) return
			last = params.progress
		}
		take(line)
	}
}
