/** Time as the endpoint sees it; tests bring a clock that stands still until it is moved. */
export interface Clock {
	/** Milliseconds since the epoch. */
	now(): number
	/** Runs once after so many milliseconds, unless the returned function is called first. */
	after(delayMs: number, run: () => void): () => void
}

export const systemClock: Clock = {
	now: () => Date.now(),
	after: (delayMs, run) => {
		const timer = setTimeout(run, delayMs)
		return () => clearTimeout(timer)
	},
}
