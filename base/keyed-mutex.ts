/**
 * A mutex per key. Tasks with the same key run one after another, in the order of the calls. Tasks with different keys
 * run concurrently.
 */
export class KeyedMutex {
	readonly #last = new Map<string, Promise<unknown>>()

	/**
	 * Runs the work when earlier work under the key has settled. @returns the outcome of the work; a failure does not
	 * block the next
	 */
	run<T>(key: string, work: () => Promise<T>): Promise<T> {
		const done = (this.#last.get(key) ?? Promise.resolve()).then(work)
		const settled = done
			.catch(() => {})
			.then(() => {
				if (this.#last.get(key) === settled) this.#last.delete(key)
			})
		this.#last.set(key, settled)
		return done
	}
}
