/** One kind of event, and who listens to it. The owner keeps the emitter and gives `on` away. */
export class Emitter<T = void> {
	readonly #listeners = new Set<{ readonly hear: (value: T) => void }>()

	/** Tells `hear` of every event until what it returns is disposed. */
	readonly on = (hear: (value: T) => void): Disposable => {
		const listener = { hear }
		this.#listeners.add(listener)
		return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
	}

	/** Tells those that listen now, in the order they came. */
	fire(value: T): void {
		for (const { hear } of [...this.#listeners]) hear(value)
	}
}
