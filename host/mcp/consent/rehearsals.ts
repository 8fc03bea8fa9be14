import type { Clock } from '../protocol/clock.ts'

/** A rehearsal takes locks and time of the server, so a token has ten a minute. */
const most = 10
const windowMs = 60_000

/** Counts the rehearsals that each token has asked for. In memory only. */
export class Rehearsals {
	readonly #clock: Clock
	readonly #times = new Map<string, readonly number[]>()

	constructor(clock: Clock) {
		this.#clock = clock
	}

	/** Whether a token may have one more now. Then it counts. @param token `Caller.key` */
	admit(token: string): boolean {
		const now = this.#clock.elapsed()
		const recent = (this.#times.get(token) ?? []).filter(time => time > now - windowMs)
		const isAdmitted = recent.length < most
		this.#times.set(token, isAdmitted ? [...recent, now] : recent)
		return isAdmitted
	}
}
