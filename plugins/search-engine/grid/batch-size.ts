import { OversizedAnswer } from '../transport/failure.ts'
import { ResultWindow } from './result-window.ts'

/** Target size of an answer: large enough to amortize a request, small enough to keep memory flat. */
const targetBytes = 4_000_000

/** Upper limit of the growth of a batch, relative to the previous one. */
const maxGrowth = 16

/** How many rows to request, and how to measure the answer. */
interface Ask<T> {
	readonly ask: (rows: number) => Promise<T>
	/** Returns the size of the answer, in bytes. */
	readonly sizeOf: (answer: T) => number
	/** Upper limit of the rows of this request. */
	readonly most?: number
}

/**
 * Chooses the number of rows per request. Documents of a few bytes and of several megabytes are read by the same loop,
 * so the number follows the size of the answers. A request with an oversized answer is repeated in smaller pieces.
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

	async read<T>({ ask, sizeOf, most = this.#rows }: Ask<T>): Promise<T> {
		for (let rows = Math.min(most, this.#rows); ; rows = Math.max(1, Math.floor(rows / 10))) {
			try {
				const answer = await this.#window.within(rows, ask)
				const rowsThatFit = Math.floor((rows * targetBytes) / Math.max(sizeOf(answer), 1))
				// The next rows may be larger.
				this.#rows = Math.max(1, Math.min(rowsThatFit, rows * maxGrowth, this.#window.rows))
				return answer
			} catch (error) {
				if (!(error instanceof OversizedAnswer) || rows === 1) throw error
			}
		}
	}
}
