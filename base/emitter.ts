/** A typed event. The owner keeps the emitter private and exposes only `on`. */
export class Emitter<T = void> {
	readonly #listeners = new Set<{ readonly call: (value: T) => void }>()

	/** Subscribes a listener. Dispose the returned value to unsubscribe. */
	readonly on = (call: (value: T) => void): Disposable => {
		// A separate object per subscription, because a function may be subscribed more than once.
		const listener = { call }
		this.#listeners.add(listener)
		return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
	}

	/** Calls the current listeners in the order of subscription. */
	fire(value: T): void {
		for (const { call } of [...this.#listeners]) call(value)
	}
}
