import { type Call, DriverError, type ExportOptions, type GridQuery, type RowExport } from '@roundhouse/kit'
import type { Shape } from '../catalog/shape.ts'
import { pathFor } from '../sql/conditions.ts'
import type { OnCopyData } from '../wire/copy-tap.ts'
import type { Query, Session } from '../wire/session.ts'
import { exportPlan } from './export-plan.ts'
import { Pieces, pieceBytes } from './pieces.ts'
import { mostBytes, type RowWriter } from './rows/text-row.ts'

/** Bytes that wait for the reader before the socket is paused. */
const mostWaiting = 1024 * 1024

/** Rows to export, and how they are written. */
interface ExportedRows {
	/** Before the rows. */
	readonly header: string
	readonly writer: RowWriter
	/** Whether the file is one array of JSON. */
	readonly isArray: boolean
	/** Passes on each row in the text format of COPY. */
	send(onRow: OnCopyData, signal: AbortSignal): Promise<unknown>
	/** Called when no more rows are needed. */
	release(): void
}

/** Exports a table by COPY, on a separate session, which it closes. @throws DriverError `unsupported` */
export function exportTable(
	session: Session,
	parts: {
		readonly shape: Shape
		readonly query: GridQuery
		readonly options: ExportOptions
		readonly guard?: Query | undefined
	},
): RowExport {
	const { sql, ...plan } = exportPlan(parts)
	return new PiecewiseExport(session, {
		...plan,
		isArray: parts.options.format === 'json',
		send: async (onRow, signal) => {
			await session.command('begin transaction isolation level repeatable read read only', signal)
			if (parts.guard) await session.query(parts.guard, signal)
			if (pathFor(parts.query) === 'user') await session.command('set local search_path to default', signal)
			await session.copyOut(sql, onRow, signal)
		},
		release: () => session.close(),
	})
}

/** Exports the rows of a session in pieces. The session waits for a slow reader. */
export class PiecewiseExport implements RowExport {
	readonly #session: Session
	readonly #exported: ExportedRows
	readonly #abort = new AbortController()
	readonly #waiting = new Pieces()
	#rows = 0
	#state: 'new' | 'running' | 'done' | Error = 'new'
	#woken = Promise.withResolvers<void>()

	constructor(session: Session, exported: ExportedRows) {
		this.#session = session
		this.#exported = exported
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
		// A paused session would not see that the server has stopped.
		this.#session.resume()
		this.#exported.release()
	}

	#start(): void {
		if (this.#state !== 'new') return
		const { header, isArray, send } = this.#exported
		this.#state = 'running'
		this.#waiting.add(isArray ? '[' : header)
		send((bytes, start, end) => this.#receive(bytes, start, end), this.#abort.signal).then(
			() => {
				if (isArray) this.#waiting.add(this.#rows === 0 ? ']\n' : '\n]\n')
				this.#end('done')
			},
			error => this.#end(error instanceof Error ? error : new Error(String(error))),
		)
	}

	#receive(bytes: Buffer, start: number, end: number): void {
		// The server sends more rows until it has stopped.
		if (this.#abort.signal.aborted) return
		const { isArray, writer } = this.#exported
		const { write, fixedBytes } = writer
		if (isArray) this.#waiting.add(this.#rows === 0 ? '\n' : ',\n')
		this.#rows++
		this.#waiting.reserve(mostBytes(bytes, start, end) + fixedBytes)
		write(bytes, start, this.#waiting)
		// In an array the line end comes behind the comma.
		if (isArray) this.#waiting.used--
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
		this.#exported.release()
	}

	#wake(): void {
		this.#woken.resolve()
	}
}
