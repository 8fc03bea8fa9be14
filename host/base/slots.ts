/** So many run at once; whoever comes when all are taken waits, in the order of coming. */
export class Slots {
	readonly #most: number
	#taken = 0
	readonly #waiting: (() => void)[] = []

	constructor(most: number) {
		this.#most = most
	}

	/** Settles when there is room. @returns gives the place back. @throws the signal's reason, where it aborts before */
	async take(signal: AbortSignal): Promise<() => void> {
		signal.throwIfAborted()
		if (this.#taken < this.#most) this.#taken++
		else await this.#wait(signal)
		let isOver = false
		return () => {
			if (isOver) return
			isOver = true
			// The place goes on to the next: nobody who comes later takes it in between.
			const next = this.#waiting.shift()
			if (next) next()
			else this.#taken--
		}
	}

	#wait(signal: AbortSignal): Promise<void> {
		const { promise, resolve, reject } = Promise.withResolvers<void>()
		const leave = () => {
			this.#waiting.splice(this.#waiting.indexOf(enter), 1)
			reject(signal.reason)
		}
		const enter = () => {
			signal.removeEventListener('abort', leave)
			resolve()
		}
		this.#waiting.push(enter)
		signal.addEventListener('abort', leave, { once: true })
		return promise
	}
}
