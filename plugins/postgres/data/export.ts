import { type Call, DriverError, type ExportOptions, type GridQuery, type RowExport } from '@roundhouse/kit'
import type { Shape } from '../catalog/shape.ts'
import type { Session } from '../wire/session.ts'
import { exportSql, mark } from './export-sql.ts'

/** Bytes that wait for the reader before the socket is paused. */
const mostWaiting = 1024 * 1024
/** Size of a piece, if there is so much. */
const pieceBytes = 128 * 1024

/** Exports rows by COPY, in pieces. It has a separate session, which it closes. */
export class TableExport implements RowExport {
	readonly #session: Session
	readonly #sql: string
	readonly #format: string
	readonly #abort = new AbortController()
	readonly #waiting = new Pieces()
	#rows = 0
	#state: 'new' | 'running' | 'done' | Error = 'new'
	#woken = Promise.withResolvers<void>()
	#isFirst = true

	constructor(
		session: Session,
		parts: { readonly shape: Shape; readonly query: GridQuery; readonly options: ExportOptions },
	) {
		this.#session = session
		this.#sql = exportSql(parts)
		this.#format = parts.options.format
	}

	async read({ signal, progress }: Call): Promise<Uint8Array | undefined> {
		const stop = () => this.#abort.abort(signal.reason)
		signal.addEventListener('abort', stop, { once: true })
		try {
			signal.throwIfAborted()
			this.#start()
			while (this.#waiting.size < pieceBytes && this.#state === 'running') await this.#woken.promise
			signal.throwIfAborted()
			// There is no partial success.
			if (this.#state instanceof Error) throw this.#state
			progress({ done: this.#rows })
			return this.#take()
		} finally {
			signal.removeEventListener('abort', stop)
		}
	}

	async close(): Promise<void> {
		this.#abort.abort(new DriverError('user_cancelled', 'The export was closed.'))
		this.#session.close()
	}

	#start(): void {
		if (this.#state !== 'new') return
		this.#state = 'running'
		if (this.#format === 'json') this.#waiting.add(Buffer.from('['))
		this.#copy().then(
			() => {
				if (this.#format === 'json') this.#waiting.add(Buffer.from(this.#isFirst ? ']\n' : '\n]\n'))
				this.#end('done')
			},
			error => this.#end(error instanceof Error ? error : new Error(String(error))),
		)
	}

	async #copy(): Promise<void> {
		const { signal } = this.#abort
		await this.#session.command('begin transaction isolation level repeatable read read only', signal)
		await this.#session.copyOut(this.#sql, chunk => this.#receive(chunk), signal)
	}

	/** The server sends each row alone. */
	#receive(chunk: Buffer): void {
		const isHeader = this.#format === 'csv' && this.#isFirst
		if (!isHeader) this.#rows++
		if (this.#format === 'json') this.#waiting.add(Buffer.from(this.#isFirst ? '\n' : ',\n'))
		this.#isFirst = false
		this.#waiting.add(
			this.#format === 'json' ? chunk.subarray(0, -1) : this.#format === 'sql' ? unmarked(chunk) : chunk,
		)
		if (this.#waiting.size >= pieceBytes) this.#wake()
		if (this.#waiting.size >= mostWaiting) this.#session.pause()
	}

	#take(): Uint8Array | undefined {
		const piece = this.#waiting.take()
		if (this.#state === 'running') this.#woken = Promise.withResolvers()
		this.#session.resume()
		return piece
	}

	#end(state: 'done' | Error): void {
		this.#state = state
		this.#wake()
		this.#session.close()
	}

	#wake(): void {
		this.#woken.resolve()
	}
}

/** Takes off the marks that COPY writes around a text with a line end. */
function unmarked(line: Buffer): Buffer {
	if (line[0] !== mark) return line
	return Buffer.concat([line.subarray(1, line.lastIndexOf(mark)), line.subarray(-1)])
}

/** Bytes that wait for their reader. They are copied, because the protocol's parser uses its buffers again. */
class Pieces {
	readonly #full: Buffer[] = []
	#last = Buffer.alloc(0)
	#used = 0
	size = 0

	add(bytes: Buffer): void {
		if (bytes.length > this.#last.length - this.#used) {
			this.#finish()
			this.#last = Buffer.allocUnsafe(Math.max(pieceBytes, bytes.length))
		}
		bytes.copy(this.#last, this.#used)
		this.#used += bytes.length
		this.size += bytes.length
	}

	/** Returns all bytes, or `undefined` if there are none. */
	take(): Buffer | undefined {
		this.#finish()
		const all = this.#full.length === 1 ? this.#full[0] : Buffer.concat(this.#full)
		const isEmpty = this.size === 0
		this.#full.length = 0
		this.size = 0
		return isEmpty ? undefined : all
	}

	#finish(): void {
		if (this.#used > 0) this.#full.push(this.#last.subarray(0, this.#used))
		this.#last = Buffer.alloc(0)
		this.#used = 0
	}
}
