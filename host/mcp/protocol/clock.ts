/** The clock of the endpoint. Tests use a manual clock. */
export interface Clock {
	/** Returns the milliseconds since the epoch by the machine's clock, which can be set forward and back. */
	now(): number
	/** Returns monotonic milliseconds since the start of the machine. They may not advance while it sleeps. */
	elapsed(): number
	/** Runs a function once after a delay in milliseconds. The returned function cancels it. */
	after(delayMs: number, run: () => void): () => void
}

export const systemClock: Clock = {
	now: () => Date.now(),
	elapsed: () => Number(process.hrtime.bigint()) / 1e6,
	after: (delayMs, run) => {
		const timer = setTimeout(run, delayMs)
		return () => clearTimeout(timer)
	},
}

/** An expiry by both clocks. */
export interface Expiry {
	/** Milliseconds since the epoch. */
	readonly at: number
	readonly atElapsed: number
}

export function expiryIn(clock: Clock, ms: number): Expiry {
	return { at: clock.now() + ms, atElapsed: clock.elapsed() + ms }
}

/** Whether it has expired by either clock, so that neither a clock that is set back nor a sleep extends a lifetime. */
export function hasExpired(clock: Clock, { at, atElapsed }: Expiry): boolean {
	return clock.now() >= at || clock.elapsed() >= atElapsed
}
