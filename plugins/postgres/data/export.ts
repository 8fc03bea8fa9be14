import { type Call, DriverError, type ExportOptions, type GridQuery, type RowExport } from '@roundhouse/kit'
import type { Shape } from '../catalog/shape.ts'
import type { Session } from '../wire/session.ts'
import { type ExportPlan, exportPlan } from './export-plan.ts'
import { Pieces, pieceBytes } from './pieces.ts'
import { mostBytes } from './rows/text-row.ts'

/** Bytes that wait for the reader before the socket is paused. */
const mostWaiting = 1024 * 1024

/** Exports rows by COPY, in pieces. It has a separate session, which it closes. */
export class TableExport implements RowExport {
	readonly #session: Session
	readonly #plan: ExportPlan
	readonly #isArray: boolean
	readonly #abort = new AbortController()
	readonly #waiting = new Pieces()
	#rows = 0
	#state: 'new' | 'running' | 'done' | Error = 'new'
	#woken = Promise.withResolvers<void>()

	constructor(
		session: Session,
		parts: { readonly shape: Shape; readonly query: GridQuery; readonly options: ExportOptions },
	) {
		this.#session = session
		this.#plan = exportPlan(parts)
		this.#isArray = parts.options.format === 'json'
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
		this.#waiting.add(this.#isArray ? '[' : this.#plan.header)
		this.#copy().then(
			() => {
				if (this.#isArray) this.#waiting.add(this.#rows === 0 ? ']\n' : '\n]\n')
				this.#end('done')
			},
			error => this.#end(error instanceof Error ? error : new Error(String(error))),
		)
	}

	async #copy(): Promise<void> {
		const { signal } = this.#abort
		await this.#session.command('begin transaction isolation level repeatable read read only', signal)
		await this.#session.copyOut(this.#plan.sql, (bytes, start, end) => this.#receive(bytes, start, end), signal)
	}

	/** The server sends each row alone. */
	#receive(bytes: Buffer, start: number, end: number): void {
		const { write, fixedBytes } = this.#plan.writer
		if (this.#isArray) this.#waiting.add(this.#rows === 0 ? '\n' : ',\n')
		this.#rows++
		this.#waiting.reserve(mostBytes(bytes, start, end) + fixedBytes)
		write(bytes, start, this.#waiting)
		// In an array the line end comes behind the comma.
		if (this.#isArray) this.#waiting.used--
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
