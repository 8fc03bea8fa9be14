import { addAbortListener } from 'node:events'
import { type Call, DriverError, type RowExport } from '@roundhouse/kit'
import { BytesOut } from '../hits/bytes-out.ts'
import type { Hit } from '../hits/read-hits.ts'
import { EngineError } from '../transport/engine-error.ts'
import { Cancelled } from '../transport/failure.ts'
import type { Encoder } from './encoder.ts'
import type { HitSource } from './hit-source.ts'

const resumed = 'The connection dropped. The export continued after the last row.'

/**
 * Converts batches of hits to pieces of a file. While one batch is printed and sent, the engine works on the next, and
 * the source may have it start one more. At most these three are held, so memory does not grow with the index.
 */
export class DocumentExport implements RowExport {
	readonly #source: HitSource
	readonly #encoder: Encoder
	readonly #limit: number
	/** For the pending batch, which outlives the call that started it. */
	readonly #abort = new AbortController()
	#ahead: Promise<readonly Hit[]> | undefined
	#done = 0
	#isOver = false
	#closing: Promise<void> | undefined

	constructor(source: HitSource, encoder: Encoder, limit = Number.POSITIVE_INFINITY) {
		this.#source = source
		this.#encoder = encoder
		this.#limit = limit
	}

	async read(call: Call): Promise<Uint8Array | undefined> {
		if (this.#isOver) return undefined
		using _ = addAbortListener(call.signal, () => this.#abort.abort(call.signal.reason))
		try {
			if (call.signal.aborted) throw new Cancelled(false)
			return await this.#next(call)
		} catch (error) {
			this.#isOver = true
			await this.close()
			throw error instanceof EngineError && error.status === 404 ? this.#lost() : error
		}
	}

	/** Closes the engine's view, whatever ended the export. If that fails, the view expires. */
	close(): Promise<void> {
		this.#isOver = true
		this.#closing ??= this.#end()
		return this.#closing
	}

	async #end(): Promise<void> {
		this.#abort.abort()
		// Wait for the last batch, because its answer has the current id of the view.
		await this.#ahead?.catch(() => {})
		await this.#source.close(AbortSignal.timeout(5_000)).catch(() => {})
	}

	async #next(call: Call): Promise<Uint8Array | undefined> {
		const isFirst = this.#done === 0
		const { head, between, tail } = this.#encoder
		const left = this.#limit - this.#done
		const found = left > 0 ? await (this.#ahead ?? this.#source.next(this.#abort.signal)) : []
		const hits = found.slice(0, left)
		this.#ahead = undefined
		if (hits.length > 0 && hits.length < left) this.#begin()
		const piece = new BytesOut(hits.length * 200)
		for (const [index, hit] of hits.entries()) {
			piece.text(isFirst && index === 0 ? head : between)
			this.#encoder.row(hit, piece)
		}
		this.#done += hits.length
		const whole = this.#source.total
		const total = whole === undefined ? undefined : Math.min(whole, this.#limit)
		const message = this.#source.repeats > 0 ? resumed : undefined
		call.progress({ done: this.#done, ...(total !== undefined && { total }), ...(message && { message }) })
		if (hits.length > 0) return piece.bytes
		if (total !== undefined && total !== this.#done) throw this.#lost()
		await this.close()
		const rest = `${isFirst ? head : ''}${tail}`
		return rest === '' ? undefined : Buffer.from(rest)
	}

	#begin() {
		this.#ahead = this.#source.next(this.#abort.signal)
		// The next read reports a failure. Until then, no code handles it.
		this.#ahead.catch(() => {})
	}

	#lost(): DriverError {
		return new DriverError(
			'query_failed',
			`The view of the index was lost after ${this.#done.toLocaleString('en')} documents, so the export is not complete. Start it again.`,
		)
	}
}
