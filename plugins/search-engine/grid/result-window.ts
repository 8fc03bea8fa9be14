import { defaultWindowRows } from '../mapping/index-settings.ts'
import { EngineError } from '../transport/engine-error.ts'

const refusal =
	/(?:Result window|Batch size) is too large, (?:from \+ )?size must be less than or equal to: \[([0-9]+)\]/

/**
 * Number of rows that the indices of a table return in one search. Read from their settings if the credential may read
 * them. Otherwise, or if the setting changed, it follows from the engine's rejection.
 */
export class ResultWindow {
	#rows: number

	constructor(rows = defaultWindowRows) {
		this.#rows = rows
	}

	get rows(): number {
		return this.#rows
	}

	/** Requests `wanted` rows or fewer, and again fewer each time the engine names a lower limit. */
	async within<T>(wanted: number, ask: (rows: number) => Promise<T>, troubleOf?: (answer: T) => string): Promise<T> {
		for (;;) {
			const rows = Math.min(wanted, this.#rows)
			try {
				const answer = await ask(rows)
				if (troubleOf === undefined || !this.#lowers(troubleOf(answer), rows)) return answer
			} catch (error) {
				if (!(error instanceof EngineError) || !this.#lowers(error.message, rows)) throw error
			}
		}
	}

	#lowers(message: string, asked: number): boolean {
		const most = Number(refusal.exec(message)?.[1] ?? Number.POSITIVE_INFINITY)
		if (most < 1 || most >= asked) return false
		this.#rows = Math.min(this.#rows, most)
		return true
	}
}
