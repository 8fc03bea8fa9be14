/**
 * Stops a request when its caller does, or when its time is over. `AbortSignal.timeout` would do, but nothing takes it
 * back: an hour of quick requests would keep a timer of a minute for each.
 */
export class Deadline implements Disposable {
	readonly #abort = new AbortController()
	readonly #caller: AbortSignal
	readonly #timer: NodeJS.Timeout | undefined
	#isOver = false

	/** @param timeoutMs 0 waits without end. */
	constructor(caller: AbortSignal, timeoutMs: number) {
		this.#caller = caller
		if (caller.aborted) this.#onCallerAbort()
		caller.addEventListener('abort', this.#onCallerAbort, { once: true })
		if (timeoutMs > 0) this.#timer = setTimeout(this.#onTime, timeoutMs)
	}

	get signal(): AbortSignal {
		return this.#abort.signal
	}

	/** Time ran out, rather than the caller's patience. */
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
