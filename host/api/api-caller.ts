import { isDriverError } from '@roundhouse/kit'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import { traceOf } from '../../base/call-trace.ts'
import { HostError, messageOf } from '../../base/errors.ts'
import { parseJsonOrUndefined } from '../../base/parse-json.ts'
import { redact } from '../../base/redaction.ts'
import type { Sessions } from '../connections/sessions.ts'
import type { ApiError, ApiMessage, HostEvents, HostMethod } from './api.ts'
import { ConsoleSessions } from './console-sessions.ts'
import { apiErrors } from './errors.ts'
import { Grids } from './grids.ts'
import { Imports } from './imports.ts'
import type { CallContext, Method } from './methods/method.ts'
import type { Methods } from './methods.ts'
import { Reviews } from './reviews.ts'

/** A flag bit that is added to the call id of a piece if more pieces of the answer follow. */
const moreFollows = 0x8000_0000

const messageSchema = z.union([
	z.strictObject({
		id: z
			.int()
			.nonnegative()
			.max(moreFollows - 1),
		method: z.string(),
		params: z.unknown(),
	}),
	z.strictObject({ cancel: z.int() }),
])

/** The connection of one window or command to the host API: reads calls from its socket and answers each. */
export class ApiCaller {
	readonly #socket: WebSocket
	readonly #methods: Methods
	readonly #grids: Grids
	readonly #consoles = new ConsoleSessions()
	readonly #imports = new Imports()
	readonly #reviews = new Reviews()
	readonly #running = new Map<number, AbortController>()
	readonly #trace = traceOf({ caller: 'window', callee: 'host' })

	constructor(socket: WebSocket, methods: Methods, sessions: Sessions) {
		this.#socket = socket
		this.#methods = methods
		this.#grids = new Grids(sessions)
		socket.on('message', (data, isBinary) => {
			if (isBinary) socket.close(1003, 'text frames only')
			else void this.#receive(data.toString())
		})
		socket.once('close', () => {
			for (const abort of this.#running.values()) abort.abort()
			void this.#grids.closeAll()
			void this.#consoles.closeAll()
			void this.#imports.closeAll()
		})
	}

	/** Calls that are not answered yet. */
	get runningCalls(): number {
		return this.#running.size
	}

	emit<E extends keyof HostEvents>(event: E, data: HostEvents[E]): void {
		// An event and its data are a member of the `ApiMessage` union. TypeScript cannot infer this for the type parameter
		// E.
		this.#send({ event, data } as ApiMessage)
	}

	async #receive(text: string): Promise<void> {
		const parsed = messageSchema.safeParse(parseJsonOrUndefined(text))
		if (!parsed.success) return this.#socket.close(1007, 'not a call')
		if ('cancel' in parsed.data) {
			this.#trace?.about(parsed.data.cancel, 'cancel', Buffer.byteLength(text))
			return this.#running.get(parsed.data.cancel)?.abort()
		}
		const { id, method, params } = parsed.data
		this.#trace?.call(id, method, Buffer.byteLength(text))
		const abort = new AbortController()
		this.#running.set(id, abort)
		try {
			const result = await this.#run(method, params, {
				signal: abort.signal,
				onProgress: progress => this.#running.has(id) && this.#send({ id, progress }),
				grids: this.#grids,
				consoles: this.#consoles,
				imports: this.#imports,
				reviews: this.#reviews,
			})
			if (result instanceof Uint8Array) this.#sendBytes(id, result)
			else this.#send({ id, result: result ?? null })
		} catch (error) {
			this.#send({ id, error: apiError(error) })
		} finally {
			this.#running.delete(id)
		}
	}

	#run(name: string, params: unknown, context: CallContext): Promise<unknown> {
		if (!Object.hasOwn(this.#methods, name)) throw apiErrors.make('unknown_method', { method: name })
		// The casts are safe: an own key of the table is a method name, and the method's schema parsed the parameters.
		const method = this.#methods[name as HostMethod] as Method<never, unknown>
		return method.run(method.params.parse(params ?? {}) as never, context)
	}

	#send(message: ApiMessage): void {
		if (this.#socket.readyState !== this.#socket.OPEN) return
		const text = JSON.stringify(message)
		this.#socket.send(text)
		if (this.#trace === undefined || !('id' in message)) return
		const size = Buffer.byteLength(text)
		if ('progress' in message) this.#trace.meanwhile(message.id, 'progress', size)
		else this.#trace.answer(message.id, 'error' in message ? 'error' : 'result', size)
	}

	/**
	 * Sends the driver's bytes after a call id of four bytes. No layer in between parses these bytes. Sends them in
	 * pieces, because a browser assembles a whole message at once, and a message of many megabytes would block the
	 * window. Each piece except the last also has the number of bytes that follow.
	 */
	#sendBytes(id: number, bytes: Uint8Array): void {
		let at = 0
		do {
			if (this.#socket.readyState !== this.#socket.OPEN) return
			const end = Math.min(at + pieceBytes, bytes.length)
			const left = bytes.length - end
			const head = Buffer.alloc(left > 0 ? 8 : 4)
			head.writeUInt32LE(left > 0 ? id + moreFollows : id)
			if (left > 0) head.writeUInt32LE(left, 4)
			this.#socket.send(head, { fin: false, binary: true })
			this.#socket.send(bytes.subarray(at, end), { fin: true, binary: true })
			at = end
		} while (at < bytes.length)
		this.#trace?.answer(id, 'bytes', bytes.length)
	}
}

const pieceBytes = 1024 * 1024

function apiError(error: unknown): ApiError {
	if (error instanceof HostError) return { code: error.code, message: error.message }
	if (isDriverError(error)) return { code: `driver/${error.code}`, message: redact(error.message) }
	if (error instanceof z.ZodError) return { code: 'api/bad_params', message: refusalOf(error) }
	return { code: 'api/internal', message: messageOf(error) }
}

/**
 * Returns the message for invalid parameters. Messages of the host are complete sentences. Messages of a library need
 * the path of the value in front.
 */
function refusalOf({ issues }: z.ZodError): string {
	const said = issues.map(({ path, message }) => (message.endsWith('.') ? message : `${path.join('.')}: ${message}.`))
	return [...new Set(said)].join(' ')
}
