import { LRUCache } from 'lru-cache'
import type { Clock } from '../protocol/clock.ts'

const failuresUntilLocked = 5
const windowMs = 60_000
const lockMs = 5 * 60_000
/** Limits the memory that a flood of invalid tokens can use. The oldest entries are evicted first. */
const maxEntries = 1000

interface Failures {
	count: number
	since: number
	lockedUntil: number
}

/**
 * Locks a token for five minutes after five failures within a minute. Failures are counted by the presented token. They
 * are counted by address only if there is no token. So one broken client cannot lock out another one on this machine.
 */
export class Lockouts {
	readonly #clock: Clock
	readonly #failures = new LRUCache<string, Failures>({ max: maxEntries })

	constructor(clock: Clock) {
		this.#clock = clock
	}

	/** Returns the milliseconds until this key may try again; 0 if it is not locked. */
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
