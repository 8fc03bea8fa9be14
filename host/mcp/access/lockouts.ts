import { LRUCache } from 'lru-cache'
import type { Clock } from '../protocol/clock.ts'

const failuresUntilLocked = 5
const windowMs = 60_000
const lockMs = 5 * 60_000
/** A flood of made-up tokens must not fill the memory; the oldest are forgotten first. */
const most = 1000

interface Failures {
	count: number
	since: number
	lockedUntil: number
}

/**
 * Locks what keeps failing: five failures within a minute, then five minutes of refusal. Counted by the presented
 * token, and only without one by the address, so that one broken client cannot lock out another on this machine.
 */
export class Lockouts {
	readonly #clock: Clock
	readonly #failures = new LRUCache<string, Failures>({ max: most })

	constructor(clock: Clock) {
		this.#clock = clock
	}

	/** Milliseconds until this key may try again; 0 when it is not locked. */
	remainingMs(key: string): number {
		const failures = this.#failures.peek(key)
		return failures ? Math.max(0, failures.lockedUntil - this.#clock.elapsed()) : 0
	}

	fail(key: string): void {
		const now = this.#clock.elapsed()
		const known = this.#failures.get(key)
		const failures = known && now - known.since < windowMs ? known : { count: 0, since: now, lockedUntil: 0 }
		failures.count++
		if (failures.count >= failuresUntilLocked) failures.lockedUntil = now + lockMs
		this.#failures.set(key, failures)
	}

	succeed(key: string): void {
		this.#failures.delete(key)
	}
}
