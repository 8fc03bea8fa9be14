import type { ActivityRecord } from '../../activity/activity-log.ts'
import type { Clock } from '../protocol/clock.ts'

const minuteMs = 60_000
/** Reasons contain input of the client. With more reasons in a minute, those of one caller and outcome are merged. */
const maxReasons = 20

interface Refused {
	readonly caller: string
	readonly last: ActivityRecord
	/** Refusals that were written one by one, and refusals that were only counted since then. */
	readonly listed: number
	readonly counted: number
}

interface Refusal {
	readonly record: ActivityRecord
	readonly reason: string
	/** Number of refusals for the same reason that are written one by one; 1 by default. */
	readonly atOnce?: number
}

/**
 * Throttles the log entries of a client that retries refused calls. The first refusal of a caller for a reason is
 * written immediately, later ones as one entry per minute with their number. Only for calls without effect.
 */
export class Refusals implements Disposable {
	readonly #clock: Clock
	readonly #write: (record: ActivityRecord) => Promise<void> | undefined
	readonly #refused = new Map<string, Refused>()
	#stopTimer: (() => void) | undefined

	constructor(clock: Clock, write: (record: ActivityRecord) => Promise<void> | undefined) {
		this.#clock = clock
		this.#write = write
	}

	/**
	 * Adds a refusal.
	 * @returns a promise that resolves when it is written; `undefined` if it was only counted
	 */
	add(caller: string, { record, reason, atOnce = 1 }: Refusal): Promise<void> | undefined {
		const exact = JSON.stringify([caller, record.action, record.outcome, reason])
		const key =
			this.#refused.has(exact) || this.#reasonsOf(caller) < maxReasons ? exact : `${caller}\n${record.outcome}`
		const { listed, counted } = this.#refused.get(key) ?? { listed: 0, counted: 0 }
		const isListed = listed < atOnce
		this.#refused.set(key, {
			caller,
			last: record,
			listed: isListed ? listed + 1 : listed,
			counted: isListed ? counted : counted + 1,
		})
		this.#stopTimer ??= this.#clock.after(minuteMs, () => this.#flush())
		return isListed ? this.#write(record) : undefined
	}

	/** Writes the counted refusals. */
	[Symbol.dispose](): void {
		this.#stopTimer?.()
		this.#flush()
		this.#stopTimer?.()
	}

	#reasonsOf(caller: string): number {
		let count = 0
		for (const refused of this.#refused.values()) if (refused.caller === caller) count++
		return count
	}

	/** Writes one entry for each counted reason. Removes reasons that did not occur again. */
	#flush(): void {
		this.#stopTimer = undefined
		for (const [key, { caller, last, counted, listed }] of this.#refused) {
			if (counted === 0) this.#refused.delete(key)
			else {
				this.#refused.set(key, { caller, last, listed, counted: 0 })
				const { statement: _, text: __, durationMs: ___, detail, ...record } = last
				void this.#write({
					...record,
					detail: `${counted} more like this within a minute, the last one: ${detail ?? ''}`,
				})
			}
		}
		if (this.#refused.size > 0) this.#stopTimer = this.#clock.after(minuteMs, () => this.#flush())
	}
}
