import { addAbortListener } from 'node:events'
import { DriverError, isDriverError } from './errors.ts'

/** How a {@link Pool} opens and closes its entries. */
export interface PoolOptions<Entry extends object> {
	/** Opens an entry, for example a socket on which the login is done. */
	open(signal: AbortSignal): Promise<Entry>
	/** Closes an entry that `open` returned. Called once for each. */
	close(entry: Entry): Promise<void> | void
	/** Returns `false` when the entry has ended by itself, for example because the engine closed its socket. */
	isUsable(entry: Entry): boolean
	/** Upper limit of entries, in use and idle. */
	readonly most: number
	/** Time after which an idle entry is closed. Default: a minute. */
	readonly idleMs?: number
}

const defaultIdleMs = 60_000

/** After these errors the engine's answer was not read to its end, so the entry cannot be used again. */
const breaking: ReadonlySet<string> = new Set(['not_connected', 'timeout', 'user_cancelled', 'internal_failure'])

/** A pool of connections to an engine, such as logged-in sockets. Calls beyond its limit wait, the first one first. */
export class Pool<Entry extends object> {
	readonly #options: PoolOptions<Entry>
	readonly #open = new Set<Entry>()
	/** With the timers that close them. The last one was used last. */
	readonly #idle = new Map<Entry, NodeJS.Timeout>()
	/** Resolved with an entry, or with `undefined` and the permission to open one. */
	readonly #waiting = new Set<PromiseWithResolvers<Entry | undefined>>()
	/** Entries that are open or being opened. */
	#size = 0
	readonly #closing = new AbortController()

	constructor(options: PoolOptions<Entry>) {
		this.#options = options
	}

	/**
	 * Runs `work` on an entry that no other call has. A DriverError of the engine, for example `query_failed`, keeps the
	 * entry; any other error and an abort close it. @throws the errors of `work` and `open`; DriverError `not_connected`
	 * after {@link close}; the signal's reason
	 */
	async use<Result>(work: (entry: Entry) => Promise<Result>, signal: AbortSignal): Promise<Result> {
		const entry = await this.#take(signal)
		let isClean = false
		try {
			const result = await work(entry)
			isClean = true
			return result
		} catch (error) {
			isClean = isDriverError(error) && !breaking.has(error.code)
			throw error
		} finally {
			if (isClean && !signal.aborted && this.#open.has(entry) && this.#options.isUsable(entry)) this.#release(entry)
			else this.#drop(entry)
		}
	}

	/** Closes all entries, also those in use, and refuses the calls that wait. Closing it again does nothing. */
	async close(): Promise<void> {
		const over = new DriverError('not_connected', 'The connection was closed.')
		this.#closing.abort(over)
		for (const timer of this.#idle.values()) clearTimeout(timer)
		this.#idle.clear()
		for (const waiting of this.#waiting) waiting.reject(over)
		this.#waiting.clear()
		const open = [...this.#open]
		this.#open.clear()
		await Promise.allSettled(open.map(async entry => this.#options.close(entry)))
	}

	async #take(signal: AbortSignal): Promise<Entry> {
		signal.throwIfAborted()
		this.#closing.signal.throwIfAborted()
		for (const [entry, timer] of [...this.#idle].toReversed()) {
			clearTimeout(timer)
			this.#idle.delete(entry)
			if (this.#options.isUsable(entry)) return entry
			this.#drop(entry)
		}
		if (this.#size >= this.#options.most) return (await this.#wait(signal)) ?? this.#openOne(signal)
		this.#size++
		return this.#openOne(signal)
	}

	async #wait(signal: AbortSignal): Promise<Entry | undefined> {
		const waiting = Promise.withResolvers<Entry | undefined>()
		this.#waiting.add(waiting)
		using _ = addAbortListener(signal, () => this.#waiting.delete(waiting) && waiting.reject(signal.reason))
		return await waiting.promise
	}

	/** Opens an entry in the place that the caller has taken, and gives the place up if that fails. */
	async #openOne(signal: AbortSignal): Promise<Entry> {
		// The entry outlives the call, so a later abort of the call must not reach what `open` made with its signal.
		const attempt = new AbortController()
		const either = AbortSignal.any([signal, this.#closing.signal])
		const cancel = () => attempt.abort(either.reason)
		using _ = addAbortListener(either, cancel)
		if (either.aborted) cancel()
		try {
			const entry = await this.#options.open(attempt.signal)
			this.#open.add(entry)
			if (!either.aborted) return entry
			this.#drop(entry)
		} catch (error) {
			this.#passPlace()
			throw error
		}
		throw either.reason
	}

	#release(entry: Entry): void {
		if (this.#give(entry)) return
		const endIdle = () => this.#idle.delete(entry) && this.#drop(entry)
		this.#idle.set(entry, setTimeout(endIdle, this.#options.idleMs ?? defaultIdleMs).unref())
	}

	#drop(entry: Entry): void {
		// Closing the pool has closed it already.
		if (this.#open.delete(entry)) void (async () => this.#options.close(entry))().catch(() => {})
		this.#passPlace()
	}

	#passPlace(): void {
		if (!this.#give(undefined)) this.#size--
	}

	/** Gives the first call that waits an entry, or the place to open one. @returns whether a call waits */
	#give(entry: Entry | undefined): boolean {
		const [first] = this.#waiting
		if (first) this.#waiting.delete(first)
		first?.resolve(entry)
		return first !== undefined
	}
}
