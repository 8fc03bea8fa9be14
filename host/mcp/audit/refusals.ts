import type { ActivityRecord } from '../../activity/activity-log.ts'
import type { Clock } from '../protocol/clock.ts'

const minuteMs = 60_000
/** Reasons repeat what a client chose: beyond so many in a minute, those of one caller and outcome are one. */
const mostReasons = 20

interface Refused {
	readonly caller: string
	readonly last: ActivityRecord
	/** How many were let through one by one, and how many since then were only counted. */
	readonly listed: number
	readonly counted: number
}

/**
 * A client that is refused and tries again at once must not fill the log: the first refusal of a caller for a reason is
 * written down at once, those after it as one entry a minute with their number. For calls that did nothing alone.
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

	/** Settles when it is written down; `undefined` where it was counted. `atOnce`: how many of a reason are no flood yet. */
	add(caller: string, record: ActivityRecord, reason: string, atOnce = 1): Promise<void> | undefined {
		const exact = JSON.stringify([caller, record.action, record.outcome, reason])
		const key =
			this.#refused.has(exact) || this.#reasonsOf(caller) < mostReasons ? exact : `${caller}\n${record.outcome}`
		const { listed, counted } = this.#refused.get(key) ?? { listed: 0, counted: 0 }
		const isListed = listed < atOnce
		this.#refused.set(key, {
			caller,
			last: record,
			listed: isListed ? listed + 1 : listed,
			counted: isListed ? counted : counted + 1,
		})
		this.#stopTimer ??= this.#clock.after(minuteMs, () => this.#tell())
		return isListed ? this.#write(record) : undefined
	}

	/** What was counted last is told now. */
	[Symbol.dispose](): void {
		this.#stopTimer?.()
		this.#tell()
		this.#stopTimer?.()
	}

	#reasonsOf(caller: string): number {
		let count = 0
		for (const refused of this.#refused.values()) if (refused.caller === caller) count++
		return count
	}

	/** Each reason that came again goes on being counted; the others are forgotten. */
	#tell(): void {
		this.#stopTimer = undefined
		for (const [key, { caller, last, counted, listed }] of this.#refused) {
			if (counted === 0) this.#refused.delete(key)
			else {
				this.#refused.set(key, { caller, last, listed, counted: 0 })
				const { statement: _, durationMs: __, detail, ...record } = last
				void this.#write({
					...record,
					detail: `${counted} more like this within a minute, the last one: ${detail ?? ''}`,
				})
			}
		}
		if (this.#refused.size > 0) this.#stopTimer = this.#clock.after(minuteMs, () => this.#tell())
	}
}
