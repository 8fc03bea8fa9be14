import type { IncomingHttpHeaders } from 'node:http'
import { type Dispatcher, interceptors } from 'undici'

/** One request to one node, and its whole answer. */

export interface Outgoing {
	readonly method: Dispatcher.HttpMethod
	/** With the node's prefix and the query string. */
	readonly path: string
	readonly headers: Readonly<Record<string, string>>
	readonly body: string | undefined
	readonly maxAnswerBytes: number
}

export interface Incoming {
	readonly status: number
	readonly statusText: string
	readonly headers: IncomingHttpHeaders
	readonly bytes: Buffer
}

/**
 * Why there is no answer. `wasSent` is `false` only when the request provably never reached a socket; a write may then
 * go elsewhere without being done twice.
 */
export class ExchangeFailure extends Error {
	override readonly name = 'ExchangeFailure'
	readonly wasSent: boolean

	constructor(wasSent: boolean, cause: unknown) {
		super('no answer', { cause })
		this.wasSent = wasSent
	}
}

/** An answer above this would take the driver's memory with it. */
export const largestAnswerBytes = 128 * 1024 * 1024

/** Why an answer was dropped half-way. */
export class AnswerTooLarge extends Error {
	override readonly name = 'AnswerTooLarge'
}

/** Why an answer that came whole cannot be read: it is compressed in a way that was not asked for. */
export class UnreadableEncoding extends Error {
	override readonly name = 'UnreadableEncoding'
	readonly encoding: string

	constructor(encoding: string) {
		super(`compressed as ${encoding}`)
		this.encoding = encoding
	}
}

const decompress = interceptors.decompress({ skipErrorResponses: false, maxSize: largestAnswerBytes })

/** Undoes what an answer says of its own encoding; what it does not know goes through and keeps its header. */
export function decompressed(dispatch: Dispatcher.Dispatch): Dispatcher.Dispatch {
	const unpacking = decompress(dispatch)
	// The answer to HEAD speaks of a body that does not come.
	return (request, handler) => (request.method === 'HEAD' ? dispatch : unpacking)(request, handler)
}

/**
 * Sends and reads. Undici's `request` is not used because it neither tells whether a byte was sent nor lets go while a
 * socket is still opening; its `dispatch` does both. Aborting closes the socket, which is what stops a search in the
 * engine.
 *
 * @throws ExchangeFailure with the reason as its cause.
 */
export function exchange(dispatcher: Dispatcher, request: Outgoing, signal: AbortSignal): Promise<Incoming> {
	return new Promise((resolve, reject) => {
		let wasSent = false
		let controller: Dispatcher.DispatchController | undefined
		let head: Omit<Incoming, 'bytes'> | undefined
		const chunks: Buffer[] = []
		let sizeBytes = 0

		function fail(cause: unknown) {
			signal.removeEventListener('abort', onAbort)
			reject(new ExchangeFailure(wasSent, cause))
		}
		function onAbort() {
			controller?.abort(signal.reason)
			fail(signal.reason)
		}
		if (signal.aborted) return fail(signal.reason)
		signal.addEventListener('abort', onAbort, { once: true })

		dispatcher.dispatch(
			{ method: request.method, path: request.path, headers: { ...request.headers }, body: request.body ?? null },
			{
				onRequestStart(started) {
					if (signal.aborted) return started.abort(signal.reason)
					wasSent = true
					controller = started
				},
				onResponseStart(_controller, status, headers, statusText = '') {
					if (status >= 200) head = { status, statusText, headers }
				},
				onResponseData(receiving, chunk) {
					sizeBytes += chunk.length
					if (sizeBytes > request.maxAnswerBytes) return receiving.abort(new AnswerTooLarge())
					chunks.push(chunk)
				},
				onResponseEnd() {
					signal.removeEventListener('abort', onAbort)
					if (head === undefined) return fail(new Error('no status line'))
					const encoding = String(head.headers['content-encoding'] ?? 'identity')
					if (encoding !== 'identity' && sizeBytes > 0) return fail(new UnreadableEncoding(encoding))
					resolve({ ...head, bytes: Buffer.concat(chunks) })
				},
				onResponseError(_controller, error) {
					fail(error)
				},
			},
		)
	})
}
