import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http'
import { type Dispatcher, interceptors } from 'undici'

/** One request to one node. */

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
	/** The standard phrase of the status. The server's own words could be read as ours. */
	readonly statusText: string
	readonly headers: IncomingHttpHeaders
	readonly bytes: Buffer
}

/**
 * The reason for a missing answer. `wasSent` is `false` only if the request certainly never reached a socket. Then a
 * write can be sent to another node without being done twice.
 */
export class ExchangeFailure extends Error {
	override readonly name = 'ExchangeFailure'
	readonly wasSent: boolean

	constructor(wasSent: boolean, cause: unknown) {
		super('no answer', { cause })
		this.wasSent = wasSent
	}
}

/** Upper limit of an answer, to protect the driver's memory. */
export const largestAnswerBytes = 128 * 1024 * 1024

/** The answer was aborted because of its size. */
export class AnswerTooLarge extends Error {
	override readonly name = 'AnswerTooLarge'
}

/** The complete answer cannot be read, because it has a compression that was not requested. */
export class UnreadableEncoding extends Error {
	override readonly name = 'UnreadableEncoding'
	readonly encoding: string

	constructor(encoding: string) {
		super(`compressed as ${encoding}`)
		this.encoding = encoding
	}
}

const decompress = interceptors.decompress({ skipErrorResponses: false, maxSize: largestAnswerBytes })

/** Hides informational answers such as 102 and 103 from the interceptor, which accepts one answer only. */
function finalAnswers(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
	return {
		onRequestStart: (...start) => handler.onRequestStart?.(...start),
		onResponseStart(controller, status, ...head) {
			if (status >= 200) handler.onResponseStart?.(controller, status, ...head)
		},
		onResponseData: (...data) => handler.onResponseData?.(...data),
		onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
		onResponseError: (...failure) => handler.onResponseError?.(...failure),
	}
}

/** Decompresses answers. An unknown encoding is passed on with its header. */
export function decompressed(dispatch: Dispatcher.Dispatch): Dispatcher.Dispatch {
	const unpacking = decompress((request, handler) => dispatch(request, finalAnswers(handler)))
	// The headers of an answer to HEAD describe a body that is not sent.
	return (request, handler) => (request.method === 'HEAD' ? dispatch : unpacking)(request, handler)
}

/**
 * Sends a request and reads the answer. Undici's `request` is not used, because it does not report whether a byte was
 * sent and cannot be aborted while a socket is opening; its `dispatch` supports both. Aborting closes the socket, which
 * stops a search in the engine.
 *
 * @throws ExchangeFailure with the reason as its cause
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
				onResponseStart(_controller, status, headers) {
					if (status >= 200) head = { status, statusText: STATUS_CODES[status] ?? '', headers }
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
