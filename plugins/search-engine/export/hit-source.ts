import type { JsonObject } from '@roundhouse/kit'
import { ResultWindow } from '../grid/result-window.ts'
import type { Hit } from '../hits/read-hits.ts'
import type { SortKey } from '../query/sort.ts'
import { OversizedAnswer } from '../transport/failure.ts'
import type { Reply } from '../transport/reply.ts'
import type { Transport } from '../transport/transport.ts'

/** Where the hits of an export come from, batch by batch. */
export interface HitSource {
	/** Known once the first batch is there. */
	readonly total: number | undefined
	/** The next hits; none at the end. */
	next(signal: AbortSignal): Promise<readonly Hit[]>
	close(signal: AbortSignal): Promise<void>
}

/** What an export reads. */
export interface SourceOptions {
	readonly transport: Transport
	readonly table: string
	/** `query`, and what else each search carries. */
	readonly body: JsonObject
	readonly keys: readonly SortKey[]
	/** No more rows than these are taken. */
	readonly limit: number
	readonly window: ResultWindow
}

/** Search parameter: a search that loses a shard fails, instead of answering 200 with fewer rows. */
export const wholeAnswer = 'allow_partial_search_results=false'

/** What one answer should weigh: large enough that a request costs little, small enough that memory stays flat. */
const targetBytes = 4_000_000

/** How many times as many rows may be asked for as the time before. */
const mostGrowth = 16

/**
 * How many rows to ask for. Documents of a few bytes and of a few megabytes are exported by the same loop, so the
 * number follows what the answers weigh, and an answer that was too large is asked for again in smaller pieces.
 */
export class BatchSize {
	readonly #window: ResultWindow
	#rows: number

	constructor(window = new ResultWindow()) {
		this.#window = window
		this.#rows = Math.min(200, window.rows)
	}

	/** To ask for next. */
	get rows(): number {
		return this.#rows
	}

	async read<T extends Pick<Reply, 'bytes'>>(ask: (rows: number) => Promise<T>, wanted = this.#rows): Promise<T> {
		for (let rows = wanted; ; rows = Math.max(1, Math.floor(rows / 10))) {
			try {
				const reply = await this.#window.within(rows, ask)
				const rowsThatFit = Math.floor((rows * targetBytes) / Math.max(reply.bytes.length, 1))
				// The rows behind may be larger.
				this.#rows = Math.max(1, Math.min(rowsThatFit, rows * mostGrowth, this.#window.rows))
				return reply
			} catch (error) {
				if (!(error instanceof OversizedAnswer) || rows === 1) throw error
			}
		}
	}
}
