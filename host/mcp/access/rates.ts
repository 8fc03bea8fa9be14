import type { Caller } from '../protocol/caller.ts'
import type { Clock } from '../protocol/clock.ts'
import { ProtocolError, retryAfter } from '../protocol/errors.ts'

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

/** How long a request waits for others of its caller to end, and how many do so at most, before it is refused. */
const queueMs = 5_000
const longestQueue = 32

interface Waiting {
	readonly caller: Caller
	enter(): void
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
	readonly #queue: Waiting[] = []
	#sweptAt = 0

	constructor(clock: Clock, limits: () => RateLimits) {
		this.#clock = clock
		this.#limits = limits
	}

	/**
	 * Lets a request in, after a short wait where too many of this caller run at the moment.
	 * @returns says that the request has ended
	 * @throws ProtocolError `rate_limited`, at once or by the promise
	 */
	admit(caller: Caller, dropped: AbortSignal): (() => void) | Promise<() => void> {
		const isInLine = this.#queue.some(({ caller: other }) => other.key === caller.key)
		if (isInLine) return this.#wait(caller, dropped)
		try {
			return this.#enter(caller)
		} catch (error) {
			if (error instanceof BusyError) return this.#wait(caller, dropped)
			throw error
		}
	}

	#enter(caller: Caller): () => void {
		const usages = this.#requireRoom(caller)
		const now = this.#clock.elapsed()
		for (const usage of usages) {
			usage.note(now)
			usage.running++
		}
		if (now - this.#sweptAt > minuteMs) this.#sweep(now)
		return () => {
			for (const usage of usages) usage.running--
			this.#letIn()
		}
	}

	/** Whether the requests that run now are in the way. */
	#isBusy(caller: Caller): boolean {
		try {
			this.#requireRoom(caller)
		} catch (error) {
			return error instanceof BusyError
		}
		return false
	}

	async #wait(caller: Caller, dropped: AbortSignal): Promise<() => void> {
		dropped.throwIfAborted()
		if (this.#queue.filter(({ caller: other }) => other.key === caller.key).length >= longestQueue) {
			return this.#enter(caller)
		}
		const { promise, resolve, reject } = Promise.withResolvers<() => void>()
		const settle = (outcome: () => void) => {
			this.#queue.splice(this.#queue.indexOf(waiting), 1)
			stopTimer()
			dropped.removeEventListener('abort', leave)
			outcome()
		}
		const enter = () => {
			try {
				const ended = this.#enter(caller)
				settle(() => resolve(ended))
			} catch (error) {
				settle(() => reject(error))
			}
		}
		const leave = () => settle(() => reject(dropped.reason))
		const waiting: Waiting = { caller, enter }
		this.#queue.push(waiting)
		const stopTimer = this.#clock.after(queueMs, enter)
		dropped.addEventListener('abort', leave, { once: true })
		return promise
	}

	/**
	 * Those who wait, as far as there is room for them: of whom the fewest run first, or a few bridges with long lines would
	 * keep a newcomer under their token out; else in the order in which they came.
	 */
	#letIn(): void {
		for (;;) {
			const [next, ...others] = this.#queue.filter(({ caller }) => !this.#isBusy(caller))
			if (!next) return
			others.reduce((first, other) => (this.#running(other) < this.#running(first) ? other : first), next).enter()
		}
	}

	#running({ caller }: Waiting): number {
		return this.#usages.get(caller.key)?.running ?? 0
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
			throw new BusyError(concurrentPerToken)
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

/** Too many of the same caller run. */
class BusyError extends ProtocolError {
	constructor(most: number) {
		super('rate_limited', `At most ${most} requests of one token run at once.`, retryAfter(1))
	}
}

function limited(message: string, seconds: number): ProtocolError {
	return new ProtocolError('rate_limited', message, retryAfter(Math.max(1, seconds)))
}
