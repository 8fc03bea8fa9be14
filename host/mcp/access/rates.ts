import type { Caller } from '../protocol/caller.ts'
import type { Clock } from '../protocol/clock.ts'
import { ProtocolError, retryAfter } from '../protocol/errors.ts'

const minuteMs = 60_000

export interface RateLimits {
	/** Requests per minute and caller; 0 for no limit. */
	readonly ratePerMinute: number
	/** Concurrent requests per caller; 0 for no limit. */
	readonly concurrentPerToken: number
}

/**
 * The times of one caller's last requests, in a ring buffer. The limit is reached if the oldest is less than a minute
 * ago.
 */
class Usage {
	#times = new Float64Array()
	#next = 0
	running = 0

	/** Resets the count if the limit has changed. Running requests stay counted. */
	fit(ratePerMinute: number): void {
		const size = Math.max(1, ratePerMinute)
		if (size === this.#times.length) return
		this.#times = new Float64Array(size).fill(Number.NEGATIVE_INFINITY)
		this.#next = 0
	}

	/** Returns the milliseconds until the next request is allowed; 0 if it is allowed now. */
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

/** Limits of the queue of one caller: how long a request waits, and how many requests wait. */
const queueMs = 5_000
const maxQueueLength = 32

interface Waiting {
	readonly caller: Caller
	enter(): void
}

/** Bridges are separate callers that share a token. All bridges together get this multiple of one caller's limits. */
const bridgeRateFactor = 4

/**
 * Limits requests by caller (contract, "Limits": per-caller rates; numbers in docs/mcp.md). Requests of bridges are
 * also counted by token, because a bridge chooses its own name and a new name must not reset the limit.
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
	 * Admits a request, after a short wait if too many requests of this caller run.
	 * @returns a function that marks the request as ended
	 * @throws ProtocolError `rate_limited`, thrown or as a rejection
	 */
	admit(caller: Caller, dropped: () => AbortSignal): (() => void) | Promise<() => void> {
		const isQueued = this.#queue.some(({ caller: other }) => other.key === caller.key)
		if (isQueued) return this.#wait(caller, dropped())
		try {
			return this.#enter(caller)
		} catch (error) {
			if (error instanceof BusyError) return this.#wait(caller, dropped())
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
			this.#admitWaiting()
		}
	}

	/** Whether the concurrency limit is reached. */
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
		if (this.#queue.filter(({ caller: other }) => other.key === caller.key).length >= maxQueueLength) {
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
	 * Admits waiting requests. The caller with the fewest running requests is first, so that a few bridges with long
	 * queues cannot starve another caller with the same token. Otherwise the order of arrival counts.
	 */
	#admitWaiting(): void {
		for (;;) {
			const [next, ...others] = this.#queue.filter(({ caller }) => !this.#isBusy(caller))
			if (!next) return
			others.reduce((first, other) => (this.#running(other) < this.#running(first) ? other : first), next).enter()
		}
	}

	#running({ caller }: Waiting): number {
		return this.#usages.get(caller.key)?.running ?? 0
	}

	/** Checks whether a request would be admitted, without counting it. @throws ProtocolError `rate_limited` */
	require(caller: Caller): void {
		this.#requireRoom(caller)
	}

	#requireRoom({ key, tokenId }: Caller): readonly Usage[] {
		if (tokenId === undefined || tokenId === key) return [this.#roomOf(key, this.#limits())]
		const { ratePerMinute, concurrentPerToken } = this.#limits()
		const together = {
			ratePerMinute: ratePerMinute * bridgeRateFactor,
			concurrentPerToken: concurrentPerToken * bridgeRateFactor,
		}
		// A separate key for all bridges: two limits with the same key would reset each other's count. It is checked first,
		// so that a refused new name uses no memory.
		return [this.#roomOf(`${tokenId}\nbridges`, together), this.#roomOf(key, this.#limits())]
	}

	#roomOf(key: string, { ratePerMinute, concurrentPerToken }: RateLimits): Usage {
		const now = this.#clock.elapsed()
		const usage = this.#usage(key, ratePerMinute)
		if (concurrentPerToken > 0 && usage.running >= concurrentPerToken) {
			throw new BusyError(concurrentPerToken)
		}
		const waitMs = ratePerMinute > 0 ? usage.waitMs(now) : 0
		if (waitMs > 0) throw limited(`At most ${ratePerMinute} requests per minute are allowed.`, Math.ceil(waitMs / 1000))
		return usage
	}

	/** Removes callers without requests for a minute, because bridges choose new names. */
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

/** The concurrency limit of a caller is reached. */
class BusyError extends ProtocolError {
	constructor(most: number) {
		super('rate_limited', `At most ${most} concurrent requests are allowed for a token.`, retryAfter(1))
	}
}

function limited(message: string, seconds: number): ProtocolError {
	return new ProtocolError('rate_limited', message, retryAfter(Math.max(1, seconds)))
}
