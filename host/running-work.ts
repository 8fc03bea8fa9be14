const pollMs = 100

/** Waits until a host has finished its running requests, after a user has asked the host to stop. */
export class RunningWork {
	readonly #count: () => number
	readonly #ended = Promise.withResolvers<void>()
	#isStopRequested = false
	/** Settles when the host was asked to stop and no request runs. */
	readonly ended = this.#ended.promise

	/** @param count requests that run now */
	constructor(count: () => number) {
		this.#count = count
	}

	/** @returns whether the request that calls this method is the only running request */
	endWhenIdle(): boolean {
		const isIdle = this.#count() <= 1
		if (!this.#isStopRequested) this.#wait()
		return isIdle
	}

	#wait(): void {
		this.#isStopRequested = true
		const poll = setInterval(() => {
			if (this.#count() > 0) return
			clearInterval(poll)
			this.#ended.resolve()
		}, pollMs)
		poll.unref()
	}
}
