/** A rate limiter that allows `perSecond` units in the long run, and `burst` at once. */
export class TokenBucket {
	readonly #burst: number
	readonly #perSecond: number
	readonly #now: () => number
	#left: number
	#at: number

	/** `now` returns milliseconds of a monotonic clock. */
	constructor(burst: number, perSecond: number, now: () => number = () => performance.now()) {
		this.#burst = burst
		this.#perSecond = perSecond
		this.#now = now
		this.#left = burst
		this.#at = now()
	}

	/** Takes `units` and returns `true`, or returns `false` if fewer are left. */
	take(units = 1): boolean {
		const now = this.#now()
		this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) / 1000) * this.#perSecond)
		this.#at = now
		if (units > this.#left) return false
		this.#left -= units
		return true
	}
}
