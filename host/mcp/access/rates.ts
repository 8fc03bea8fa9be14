import type { Caller } from '../protocol/caller.ts'
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
class Usage {
	#times = new Float64Array()
	#next = 0
	running = 0

	/** Begins to count anew where the limit has been changed; what runs goes on running. */
	fit(ratePerMinute: number): void {
		const size = Math.max(1, ratePerMinute)
		if (size === this.#times.length) return
		this.#times = new Float64Array(size).fill(Number.NEGATIVE_INFINITY)
		this.#next = 0
	}

	/** Milliseconds until there is room; 0 when there is. */
	waitMs(now: number): number {
		return Math.max(0, (this.#times[this.#next] ?? 0) + minuteMs - now)
	}

	note(now: number): void {
		this.#times[this.#next] = now
		this.#next = (this.#next + 1) % this.#times.length
	}

	isIdle(now: number): boolean {
		const newest = this.#times.at(this.#next - 1) ?? 0
		return this.running === 0 && now - newest > minuteMs
	}
}

/** Bridges are callers of their own under one token. So many of them may be as fast as one caller may. */
const bridgesAtFullSpeed = 4

/**
 * Counts requests by caller (contract, "Limits": per-caller rates; numbers in docs/mcp.md), and those of bridges by their
 * token as well: a bridge names itself, and a new name must be no new rate.
 */
export class Rates {
	readonly #clock: Clock
	readonly #limits: () => RateLimits
	readonly #usages = new Map<string, Usage>()
	#sweptAt = 0

	constructor(clock: Clock, limits: () => RateLimits) {
		this.#clock = clock
		this.#limits = limits
	}

	/** Lets a request in; the returned function says that it has ended. @throws ProtocolError `rate_limited` */
	admit(caller: Caller): () => void {
		const usages = this.#requireRoom(caller)
		const now = this.#clock.elapsed()
		for (const usage of usages) {
			usage.note(now)
			usage.running++
		}
		if (now - this.#sweptAt > minuteMs) this.#sweep(now)
		return () => {
			for (const usage of usages) usage.running--
		}
	}

	/** Looks whether a request would be let in, without counting it. @throws ProtocolError `rate_limited` */
	require(caller: Caller): void {
		this.#requireRoom(caller)
	}

	#requireRoom({ key, tokenId }: Caller): readonly Usage[] {
		if (tokenId === undefined || tokenId === key) return [this.#roomOf(key, this.#limits())]
		const { ratePerMinute, concurrentPerToken } = this.#limits()
		const together = {
			ratePerMinute: ratePerMinute * bridgesAtFullSpeed,
			concurrentPerToken: concurrentPerToken * bridgesAtFullSpeed,
		}
		// No caller's key: with another limit under the same key, each would begin the other's count anew. It comes first,
		// so that of a new name which is refused nothing is kept.
		return [this.#roomOf(`${tokenId}\nbridges`, together), this.#roomOf(key, this.#limits())]
	}

	#roomOf(key: string, { ratePerMinute, concurrentPerToken }: RateLimits): Usage {
		const now = this.#clock.elapsed()
		const usage = this.#usage(key, ratePerMinute)
		if (concurrentPerToken > 0 && usage.running >= concurrentPerToken) {
			throw limited(`At most ${concurrentPerToken} requests of one token run at once.`, 1)
		}
		const waitMs = ratePerMinute > 0 ? usage.waitMs(now) : 0
		if (waitMs > 0) throw limited(`At most ${ratePerMinute} requests a minute.`, Math.ceil(waitMs / 1000))
		return usage
	}

	/** Forgets who has been still for a minute: bridges give themselves new names. */
	#sweep(now: number): void {
		this.#sweptAt = now
		for (const [key, usage] of this.#usages) if (usage.isIdle(now)) this.#usages.delete(key)
	}

	#usage(callerKey: string, ratePerMinute: number): Usage {
		const usage = this.#usages.get(callerKey) ?? new Usage()
		usage.fit(ratePerMinute)
		this.#usages.set(callerKey, usage)
		return usage
	}
}

function limited(message: string, retryAfterSeconds: number): ProtocolError {
	return new ProtocolError('rate_limited', message, {
		headers: { 'Retry-After': String(Math.max(1, retryAfterSeconds)) },
	})
}
