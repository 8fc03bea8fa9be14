import { type Call, DriverError, type RowExport } from '@roundhouse/kit'
import { ChunkBuffer, chunkBytes } from './chunk-buffer.ts'

/** Bytes that wait for the reader before the server is paused. */
const mostWaiting = 1024 * 1024

/** Where an engine writes the rows of an export. */
export interface RowTarget {
	readonly pieces: ChunkBuffer
	/** Begins a row. @returns `false` if no more rows are wanted */
	begin(): boolean
	/** Ends a row, which has a line end. */
	end(): void
}

/** Rows to export, and how they are written. */
export interface ExportedRows {
	/** Before the rows. */
	readonly header: string
	/** Whether the file is one array of JSON. */
	readonly isArray: boolean
	/** Writes each row. Resolves at the end. */
	send(to: RowTarget, signal: AbortSignal): Promise<unknown>
	/** Pauses the server for a slow reader, until it is resumed. */
	pause(): void
	resume(): void
	/** Called when no more rows are needed. */
	release(): void
}

/** Exports rows in pieces. The server waits for a slow reader. */
export class ChunkedExport implements RowExport {
	readonly #exported: ExportedRows
	readonly #abort = new AbortController()
	readonly #waiting = new ChunkBuffer()
	#rows = 0
	#state: 'new' | 'running' | 'done' | Error = 'new'
	#woken = Promise.withResolvers<void>()

	constructor(exported: ExportedRows) {
		this.#exported = exported
	}

	async read({ signal, progress }: Call): Promise<Uint8Array | undefined> {
		const stop = () => this.#abort.abort(signal.reason)
		signal.addEventListener('abort', stop, { once: true })
		try {
			signal.throwIfAborted()
			this.#start()
			while (this.#waiting.size < chunkBytes && this.#state === 'running') await this.#woken.promise
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
		this.#exported.resume()
		this.#exported.release()
	}

	#start(): void {
		if (this.#state !== 'new') return
		const { header, isArray } = this.#exported
		this.#state = 'running'
		this.#waiting.add(isArray ? '[' : header)
		const target = { pieces: this.#waiting, begin: () => this.#begin(), end: () => this.#endRow() }
		this.#exported.send(target, this.#abort.signal).then(
			() => {
				if (isArray) this.#waiting.add(this.#rows === 0 ? ']\n' : '\n]\n')
				this.#end('done')
			},
			error => this.#end(error instanceof Error ? error : new Error(String(error))),
		)
	}

	#begin(): boolean {
		// The server sends more rows until it has stopped.
		if (this.#abort.signal.aborted) return false
		if (this.#exported.isArray) this.#waiting.add(this.#rows === 0 ? '\n' : ',\n')
		this.#rows++
		return true
	}

	#endRow(): void {
		// In an array the line end comes behind the comma.
		if (this.#exported.isArray) this.#waiting.used--
		if (this.#waiting.size >= chunkBytes) this.#wake()
		if (this.#waiting.size >= mostWaiting) this.#exported.pause()
	}

	#take(): Uint8Array | undefined {
		const piece = this.#waiting.take()
		if (this.#state === 'running') this.#woken = Promise.withResolvers()
		this.#exported.resume()
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
