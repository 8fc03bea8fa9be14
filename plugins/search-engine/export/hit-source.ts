import { DriverError, type JsonObject } from '@roundhouse/kit'
import { troublesOf } from '../grid/page.ts'
import { ResultWindow } from '../grid/result-window.ts'
import { type Hit, type HitAnswer, readHits } from '../hits/read-hits.ts'
import type { SortKey } from '../query/sort.ts'
import { OversizedAnswer } from '../transport/failure.ts'
import type { Reply } from '../transport/reply.ts'
import type { Transport } from '../transport/transport.ts'

/** A source of hits for an export, in batches. */
export interface HitSource {
	/** Known after the first batch. */
	readonly total: number | undefined
	/** Returns the next hits, or none at the end. */
	next(signal: AbortSignal): Promise<readonly Hit[]>
	close(signal: AbortSignal): Promise<void>
}

/** What an export reads. */
export interface SourceOptions {
	readonly transport: Transport
	readonly table: string
	/** `query`, and the other common members of each search. */
	readonly body: JsonObject
	readonly keys: readonly SortKey[]
	/** Upper limit of rows. */
	readonly limit: number
	readonly window: ResultWindow
}

/** Search parameter: a search that loses a shard fails instead of answering 200 with fewer rows. */
export const wholeAnswer = 'allow_partial_search_results=false'

/** Reads a batch. @throws DriverError if rows are missing, which a count may not show */
export function wholeHits(reply: Reply): HitAnswer {
	const answer = readHits(reply)
	const troubles = troublesOf(answer.around)
	if (troubles.length === 0) return answer
	throw new DriverError('query_failed', `${troubles.join(' ')} The export is not complete. Start it again.`)
}

/** Target size of an answer: large enough to amortize a request, small enough to keep memory flat. */
const targetBytes = 4_000_000

/** Upper limit of the growth of a batch, relative to the previous one. */
const maxGrowth = 16

/**
 * Chooses the number of rows per request. Documents of a few bytes and of several megabytes are exported by the same
 * loop, so the number follows the size of the answers. A request with an oversized answer is repeated in smaller
 * pieces.
 */
export class BatchSize {
	readonly #window: ResultWindow
	#rows: number

	constructor(window = new ResultWindow()) {
		this.#window = window
		this.#rows = Math.min(200, window.rows)
	}

	/** Number of rows for the next request. */
	get rows(): number {
		return this.#rows
	}

	async read<T extends Pick<Reply, 'bytes'>>(ask: (rows: number) => Promise<T>, wanted = this.#rows): Promise<T> {
		for (let rows = wanted; ; rows = Math.max(1, Math.floor(rows / 10))) {
			try {
				const reply = await this.#window.within(rows, ask)
				const rowsThatFit = Math.floor((rows * targetBytes) / Math.max(reply.bytes.length, 1))
				// The next rows may be larger.
				this.#rows = Math.max(1, Math.min(rowsThatFit, rows * maxGrowth, this.#window.rows))
				return reply
			} catch (error) {
				if (!(error instanceof OversizedAnswer) || rows === 1) throw error
			}
		}
	}
}
