import type { Clock } from '../protocol/clock.ts'
import { ProtocolError } from '../protocol/errors.ts'

const minuteMs = 60_000

export interface RateLimits {
	/** Requests a minute and caller; 0 for no limit. */
	readonly ratePerMinute: number
	/** Requests at once and caller; 0 for no limit. */
	readonly concurrentPerToken: number
}

/** The times of one caller's last requests, as a ring: the limit is reached when the oldest is younger than a minute. */
class Window {
	readonly #times: Float64Array
	#next = 0
	running = 0

	constructor(size: number) {
		this.#times = new Float64Array(Math.max(1, size)).fill(Number.NEGATIVE_INFINITY)
	}

	get size(): number {
		return this.#times.length
	}

	/** Milliseconds until there is room; 0 when there is. */
	waitMs(now: number): number {
		return Math.max(0, (this.#times[this.#next] ?? 0) + minuteMs - now)
	}

	note(now: number): void {
		this.#times[this.#next] = now
		this.#next = (this.#next + 1) % this.size
	}

	isIdle(now: number): boolean {
		const newest = this.#times[(this.#next + this.size - 1) % this.size] ?? 0
		return this.running === 0 && now - newest > minuteMs
	}
}

/** Counts requests by caller (contract, "Limits": per-caller rates; numbers in docs/mcp.md). */
export class Rates {
	readonly #clock: Clock
	readonly #limits: () => RateLimits
	readonly #windows = new Map<string, Window>()

	constructor(clock: Clock, limits: () => RateLimits) {
		this.#clock = clock
		this.#limits = limits
	}

	/** Lets a request in; the returned function says that it has ended. @throws ProtocolError `rate_limited` */
	admit(callerKey: string): () => void {
		const { ratePerMinute, concurrentPerToken } = this.#limits()
		const now = this.#clock.elapsed()
		const window = this.#window(callerKey, ratePerMinute, now)
		if (concurrentPerToken > 0 && window.running >= concurrentPerToken) {
			throw limited(`At most ${concurrentPerToken} requests of one token run at once.`, 1)
		}
		if (ratePerMinute > 0) {
			const waitMs = window.waitMs(now)
			if (waitMs > 0) throw limited(`At most ${ratePerMinute} requests a minute.`, Math.ceil(waitMs / 1000))
			window.note(now)
		}
		window.running++
		return () => {
			window.running--
		}
	}

	#window(callerKey: string, size: number, now: number): Window {
		const known = this.#windows.get(callerKey)
		if (known && known.size === Math.max(1, size)) return known
		for (const [key, window] of this.#windows) if (window.isIdle(now)) this.#windows.delete(key)
		const window = new Window(size)
		window.running = known?.running ?? 0
		this.#windows.set(callerKey, window)
		return window
	}
}

function limited(message: string, retryAfterSeconds: number): ProtocolError {
	return new ProtocolError('rate_limited', message, {
		headers: { 'Retry-After': String(Math.max(1, retryAfterSeconds)) },
	})
}
