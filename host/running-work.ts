const pollMs = 100

/** Waits for the end of a host's running requests, once a user has asked to stop it. */
export class RunningWork {
	readonly #count: () => number
	readonly #ended = Promise.withResolvers<void>()
	#isAsked = false
	/** Settles when the host was asked to stop and no request runs. */
	readonly ended = this.#ended.promise

	/** @param count requests that run now */
	constructor(count: () => number) {
		this.#count = count
	}

	/** @returns whether no other request than the asking one runs */
	endWhenIdle(): boolean {
		const isIdle = this.#count() <= 1
		if (!this.#isAsked) this.#wait()
		return isIdle
	}

	#wait(): void {
		this.#isAsked = true
		const poll = setInterval(() => {
			if (this.#count() > 0) return
			clearInterval(poll)
			this.#ended.resolve()
		}, pollMs)
		poll.unref()
	}
}
