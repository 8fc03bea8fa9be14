import { type Call, DriverError, type RowExport } from '@roundhouse/kit'
import { EngineError } from '../transport/engine-error.ts'
import type { Encoder } from './encoder.ts'
import type { HitSource } from './hit-source.ts'

const bytes = new TextEncoder()

/** Turns batches of hits into pieces of a file. It holds one batch at a time, so memory does not grow with the index. */
export class DocumentExport implements RowExport {
	readonly #source: HitSource
	readonly #encoder: Encoder
	#done = 0
	#isOver = false
	#closing: Promise<void> | undefined

	constructor(source: HitSource, encoder: Encoder) {
		this.#source = source
		this.#encoder = encoder
	}

	async read(call: Call): Promise<Uint8Array | undefined> {
		if (this.#isOver) return undefined
		try {
			return await this.#next(call)
		} catch (error) {
			this.#isOver = true
			await this.close()
			throw error instanceof EngineError && error.status === 404 ? this.#lost() : error
		}
	}

	/** Whatever ends the export, the engine's view ends with it; if that fails, the view runs out by itself. */
	close(): Promise<void> {
		this.#isOver = true
		this.#closing ??= this.#source.close(AbortSignal.timeout(5_000)).catch(() => {})
		return this.#closing
	}

	async #next(call: Call): Promise<Uint8Array | undefined> {
		const isFirst = this.#done === 0
		const { head, between, tail } = this.#encoder
		const hits = await this.#source.next(call.signal)
		const rows = hits.map(hit => this.#encoder.row(hit)).join(between)
		this.#done += hits.length
		const total = this.#source.total
		call.progress({ done: this.#done, ...(total !== undefined && { total }) })
		if (hits.length > 0) return bytes.encode(`${isFirst ? head : between}${rows}`)
		if (total !== undefined && total !== this.#done) throw this.#lost()
		await this.close()
		const rest = `${isFirst ? head : ''}${tail}`
		return rest === '' ? undefined : bytes.encode(rest)
	}

	#lost(): DriverError {
		return new DriverError(
			'query_failed',
			`The view of the index was lost after ${this.#done.toLocaleString('en')} rows, so the export is not complete. Start it again.`,
		)
	}
}
