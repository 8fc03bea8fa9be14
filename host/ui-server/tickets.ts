import { randomBytes } from 'node:crypto'

/** Time to walk to a browser with it. */
const lifetimeMs = 10 * 60_000
const mostAtOnce = 32

/** Tickets, which admit one browser once: an address in a terminal, a history or a log is worthless afterwards. */
export class Tickets {
	readonly #now: () => number
	/** When each expires, the oldest first. */
	readonly #ends = new Map<string, number>()

	/** `now` is in milliseconds from any origin; by default the monotonic clock. */
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

	/** Returns whether the ticket is valid, and uses it up. */
	spend(ticket: string): boolean {
		const end = this.#ends.get(ticket)
		this.#ends.delete(ticket)
		return end !== undefined && this.#now() < end
	}
}
