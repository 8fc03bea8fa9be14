import { randomBytes } from 'node:crypto'

/** Long enough to walk to a browser with it. */
const lifetimeMs = 10 * 60_000
const mostAtOnce = 32

/** What lets one browser in, once: an address may stay in a terminal, a history or a log, and is then worth nothing. */
export class Tickets {
	readonly #now: () => number
	/** When each ends, the oldest first. */
	readonly #ends = new Map<string, number>()

	/** `now` is in milliseconds, from any beginning; by default a clock that nobody sets back. */
	constructor(now: () => number = () => performance.now()) {
		this.#now = now
	}

	issue(): string {
		const ticket = randomBytes(32).toString('base64url')
		this.#ends.set(ticket, this.#now() + lifetimeMs)
		const [oldest] = this.#ends.keys()
		if (oldest !== undefined && this.#ends.size > mostAtOnce) this.#ends.delete(oldest)
		return ticket
	}

	/** Whether it lets somebody in; from here on it does not. */
	spend(ticket: string): boolean {
		const end = this.#ends.get(ticket)
		this.#ends.delete(ticket)
		return end !== undefined && this.#now() < end
	}
}
