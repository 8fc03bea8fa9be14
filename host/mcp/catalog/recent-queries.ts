/** One statement that an AI client ran, newest last. */
export interface RecentQuery {
	readonly connectionId: string
	readonly statement: string
	readonly access: 'read' | 'write' | 'destructive'
	readonly ranAt: string
	readonly tookMs: number
	readonly outcome: 'done' | 'failed'
}

const most = 500

/** What was run since the host started, in memory alone: statements may hold data, so none is written down. */
export class RecentQueries {
	readonly #queries: RecentQuery[] = []

	add(query: RecentQuery): void {
		this.#queries.push(query)
		if (this.#queries.length > most) this.#queries.shift()
	}

	/** The newest first. */
	of(connectionId: string, limit: number): readonly RecentQuery[] {
		return this.#queries
			.filter(query => query.connectionId === connectionId)
			.slice(-limit)
			.reverse()
	}
}
