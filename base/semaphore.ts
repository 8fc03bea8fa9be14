import { onAbort } from './on-abort.ts'

/** A semaphore that limits how many holders run at once. Waiters acquire it in first-in, first-out order. */
export class Semaphore {
	readonly #limit: number
	#held = 0
	readonly #waiting: (() => void)[] = []

	constructor(limit: number) {
		this.#limit = limit
	}

	/**
	 * Acquires the semaphore when it is free. @returns a function that releases it; later calls are no-ops
	 * @throws the signal's reason if it aborts first
	 */
	async acquire(signal: AbortSignal): Promise<() => void> {
		signal.throwIfAborted()
		if (this.#held < this.#limit) this.#held++
		else await this.#wait(signal)
		let isReleased = false
		return () => {
			if (isReleased) return
			isReleased = true
			// Pass the place directly to the next waiter, so that no later caller can take it in between.
			const next = this.#waiting.shift()
			if (next) next()
			else this.#held--
		}
	}

	#wait(signal: AbortSignal): Promise<void> {
		const { promise, resolve, reject } = Promise.withResolvers<void>()
		const listening = onAbort(signal, () => {
			this.#waiting.splice(this.#waiting.indexOf(acquire), 1)
			reject(signal.reason)
		})
		const acquire = () => {
			listening[Symbol.dispose]()
			resolve()
		}
		this.#waiting.push(acquire)
		return promise
	}
}
