/** Time as the endpoint sees it; tests bring a clock that stands still until it is moved. */
export interface Clock {
	/** Milliseconds since the epoch, as the machine has it: it may be set, forward and back. */
	now(): number
	/** Milliseconds since some moment: it never goes back, but may stand still while the machine sleeps. */
	elapsed(): number
	/** Runs once after so many milliseconds, unless the returned function is called first. */
	after(delayMs: number, run: () => void): () => void
}

export const systemClock: Clock = {
	now: () => Date.now(),
	elapsed: () => performance.now(),
	after: (delayMs, run) => {
		const timer = setTimeout(run, delayMs)
		return () => clearTimeout(timer)
	},
}

/** The end of something that was given for a while. */
export interface Expiry {
	/** Milliseconds since the epoch. */
	readonly at: number
	readonly atElapsed: number
}

export function expiryIn(clock: Clock, ms: number): Expiry {
	return { at: clock.now() + ms, atElapsed: clock.elapsed() + ms }
}

/** It has come when either clock says so: neither a clock that is set back nor a night asleep makes anything last longer. */
export function hasExpired(clock: Clock, { at, atElapsed }: Expiry): boolean {
	return clock.now() >= at || clock.elapsed() >= atElapsed
}
