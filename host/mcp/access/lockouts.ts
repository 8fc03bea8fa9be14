import type { Clock } from '../protocol/clock.ts'

const failuresUntilLocked = 5
const windowMs = 60_000
const lockMs = 5 * 60_000
/** A flood of made-up tokens must not fill the memory; the oldest are forgotten first. */
const most = 1000

interface Record {
	failures: number
	since: number
	lockedUntil: number
}

/**
 * Locks what keeps failing: five failures within a minute, then five minutes of refusal. Counted by the presented
 * token, and only without one by the address, so that one broken client cannot lock out another on this machine.
 */
export class Lockouts {
	readonly #clock: Clock
	readonly #records = new Map<string, Record>()

	constructor(clock: Clock) {
		this.#clock = clock
	}

	/** Milliseconds until this key may try again; 0 when it is not locked. */
	remainingMs(key: string): number {
		const record = this.#records.get(key)
		return record ? Math.max(0, record.lockedUntil - this.#clock.elapsed()) : 0
	}

	fail(key: string): void {
		const now = this.#clock.elapsed()
		const known = this.#records.get(key)
		const record = known && now - known.since < windowMs ? known : { failures: 0, since: now, lockedUntil: 0 }
		record.failures++
		if (record.failures >= failuresUntilLocked) record.lockedUntil = now + lockMs
		this.#records.delete(key)
		this.#records.set(key, record)
		const [oldest] = this.#records.keys()
		if (this.#records.size > most && oldest !== undefined) this.#records.delete(oldest)
	}

	succeed(key: string): void {
		if (this.#records.size > 0) this.#records.delete(key)
	}
}
