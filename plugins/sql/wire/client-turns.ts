import { type Call, type DriverContext, Pool } from '@roundhouse/kit'

/** Turns of AI clients, who have half of the sessions of a connection at most, so that the window always finds one. */
export class ClientTurns {
	readonly #limitRows: DriverContext['costLimitRows']
	readonly #turns: Pool<object>

	constructor(mostSessions: number, { costLimitRows }: Pick<DriverContext, 'costLimitRows'>) {
		this.#limitRows = costLimitRows
		this.#turns = new Pool<object>({
			most: Math.max(1, Math.floor(mostSessions / 2)),
			open: async () => ({}),
			close() {},
			isUsable: () => true,
		})
	}

	/** Runs work of a call. */
	run<T>(work: () => Promise<T>, { signal }: Pick<Call, 'signal'>): Promise<T> {
		// Only calls of AI clients have a limit of their cost.
		return this.#limitRows() === undefined ? work() : this.#turns.use(work, signal)
	}

	close(): Promise<void> {
		return this.#turns.close()
	}
}
