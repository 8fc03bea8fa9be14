import type { Socket } from 'node:net'
import {
	type Cell,
	type DriverContext,
	DriverError,
	type DriverErrorCode,
	fromCell,
	isDriverErrorCode,
	type Json,
	parseJson,
	refuseAbove,
	type Settings,
	stringifyJson,
	toCell,
} from '@roundhouse/kit'
import { accessOf } from './console.ts'

/** The protocol of the engine, over sockets that the host opens: a line of JSON, and a line that answers it. */

const loginMs = 10_000

/** SQL with `?` for each value. */
export interface Query {
	readonly sql: string
	readonly values?: readonly Json[]
	/** Upper limit of rows in the answer. */
	readonly most?: number
}

export interface Answer {
	/** Empty for a statement without rows. */
	readonly columns: readonly string[]
	readonly rows: readonly (readonly Json[])[]
	/** Number of rows that were inserted, changed or deleted. */
	readonly affected: number
	readonly isInTransaction: boolean
}

interface Server {
	readonly product: string
	readonly version: string
}

/** A session of the engine: one socket on which the login is done, and one statement at a time. */
export class Session {
	readonly #socket: Socket
	readonly #permitted: DriverContext['permitted']
	#received = ''
	#waiting: PromiseWithResolvers<string> | undefined
	#server: Server = { product: '', version: '' }
	isInTransaction = false

	private constructor(socket: Socket, permitted: DriverContext['permitted']) {
		this.#socket = socket
		this.#permitted = permitted
		socket.setEncoding('utf8').on('data', (text: unknown) => this.#receive(String(text)))
		// An error also closes the socket.
		socket.on('error', () => {}).on('close', () => this.#waiting?.reject(new Error('the server closed it')))
	}

	/** Opens a socket and logs in. @throws DriverError */
	static async open({ host, port, password }: Settings, context: DriverContext, signal: AbortSignal) {
		const address = { host: String(host), port: Number(port) }
		// Its errors say what the host refused, or why the server cannot be reached.
		const session = new Session(await context.connect(address, { signal, timeoutMs: loginMs }), context.permitted)
		const timeout = AbortSignal.timeout(loginMs)
		try {
			const login = { password: String(password ?? ''), isReadOnly: context.isReadOnly }
			session.#server = await session.#ask<Server>(login, AbortSignal.any([signal, timeout]))
			return session
		} catch (error) {
			session.close()
			if (timeout.aborted) throw new DriverError('timeout', 'The server did not answer the login in time.')
			throw error
		}
	}

	get server(): Server {
		return this.#server
	}

	get isUsable(): boolean {
		return !this.#socket.destroyed
	}

	/** Runs a statement that the current call permits. @throws DriverError */
	async query(query: Query, signal: AbortSignal): Promise<Answer> {
		// Before the first byte is sent, so that a wrong verdict does not become a wrong write.
		refuseAbove(accessOf(query.sql), this.#permitted(), query.sql)
		const answer = await this.#ask<Answer>(query, signal)
		this.isInTransaction = answer.isInTransaction
		return answer
	}

	/** The engine rolls back what is open, and stops what runs. */
	close(): void {
		this.#socket.destroy()
	}

	async #ask<T>(message: object, signal: AbortSignal): Promise<T> {
		signal.throwIfAborted()
		const stop = () => this.close()
		signal.addEventListener('abort', stop, { once: true })
		this.#waiting = Promise.withResolvers()
		try {
			if (!this.isUsable) throw new Error('the server closed it')
			this.#socket.write(`${stringifyJson(message as Json)}\n`)
			return answerIn<T>(await this.#waiting.promise)
		} catch (error) {
			signal.throwIfAborted()
			if (error instanceof DriverError) throw error
			throw new DriverError(
				'not_connected',
				`The connection was lost: ${error instanceof Error ? error.message : error}`,
			)
		} finally {
			signal.removeEventListener('abort', stop)
		}
	}

	#receive(text: string): void {
		this.#received += text
		// One statement runs at a time, so its answer is the last line.
		if (!this.#received.endsWith('\n')) return
		this.#waiting?.resolve(this.#received)
		this.#received = ''
	}
}

/** Parses an answer. Numbers keep their digits, which `JSON.parse` would round. @throws DriverError of the engine */
function answerIn<T>(line: string): T {
	const answer = parseJson(line) as T & { readonly error?: { readonly code: string; readonly message: string } }
	if (!answer.error) return answer
	const { code, message } = answer.error
	const known: DriverErrorCode = isDriverErrorCode(code) ? code : 'query_failed'
	throw new DriverError(known, message, { engineCode: code })
}

/** Returns a cell as a value that the engine takes. @throws DriverError */
export function engineValue(cell: Cell): Json {
	if (typeof cell === 'boolean') return cell ? 1 : 0
	if (typeof cell === 'object' && cell !== null && 'bytes' in cell) return { bytes: cell.bytes }
	const value = fromCell(cell)
	if (value === undefined || (typeof cell === 'object' && cell !== null && 'json' in cell))
		throw new DriverError('invalid_argument', 'The engine stores null, numbers, text and bytes.')
	return value
}

/** Returns a value of the engine as a cell. */
export function cellOf(value: Json): Cell {
	if (typeof value === 'object' && value !== null && 'bytes' in value) return { bytes: String(value.bytes) }
	return toCell(value)
}
