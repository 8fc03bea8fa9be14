/** Work under one key is done one after the other, in the order it was asked for; under different keys at once. */
export class Turns {
	readonly #last = new Map<string, Promise<unknown>>()

	/** @returns what the work returns, or throws what it throws; the next one's turn comes either way */
	take<T>(key: string, work: () => Promise<T>): Promise<T> {
		const done = (this.#last.get(key) ?? Promise.resolve()).then(work)
		const over = done
			.catch(() => {})
			.then(() => {
				if (this.#last.get(key) === over) this.#last.delete(key)
			})
		this.#last.set(key, over)
		return done
	}
}
