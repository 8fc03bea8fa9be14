/**
 * Aborts a request when its caller aborts, or after a time limit. `AbortSignal.timeout` cannot be cancelled: an hour of
 * quick requests would keep a timer of a minute for each.
 */
export class Deadline implements Disposable {
	readonly #abort = new AbortController()
	readonly #caller: AbortSignal
	readonly #timer: NodeJS.Timeout | undefined
	readonly #startedAt = performance.now()
	readonly limitMs: number
	#isOver = false

	/** @param limitMs 0 means no limit */
	constructor(caller: AbortSignal, limitMs: number) {
		this.#caller = caller
		this.limitMs = limitMs
		if (caller.aborted) this.#onCallerAbort()
		caller.addEventListener('abort', this.#onCallerAbort, { once: true })
		if (limitMs > 0) this.#timer = setTimeout(this.#onTime, limitMs)
	}

	get signal(): AbortSignal {
		return this.#abort.signal
	}

	get leftMs(): number {
		return this.limitMs === 0 ? Number.POSITIVE_INFINITY : this.limitMs - (performance.now() - this.#startedAt)
	}

	/** Whether the time limit was exceeded, instead of an abort by the caller. */
	get isOver(): boolean {
		return this.#isOver
	}

	[Symbol.dispose]() {
		clearTimeout(this.#timer)
		this.#caller.removeEventListener('abort', this.#onCallerAbort)
	}

	readonly #onCallerAbort = () => this.#abort.abort(this.#caller.reason)

	readonly #onTime = () => {
		this.#isOver = true
		this.#abort.abort()
	}
}
