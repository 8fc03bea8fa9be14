import type { Log } from '../../base/log.ts'
import { TokenBucket } from '../../base/token-bucket.ts'

const maxEntryLength = 4000
/** Rate limit of a driver's log, in characters. */
const allowance = { burst: 256 * 1024, perSecond: 4 * 1024 }

/**
 * Writes the output and the log messages of a driver to the host's log, within a rate limit. The next entry reports how
 * much was dropped.
 */
export class DriverOutput {
	readonly #driverId: string
	readonly #log: Log
	readonly #bucket = new TokenBucket(allowance.burst, allowance.perSecond)
	#leftOut = 0

	constructor(driverId: string, log: Log) {
		this.#driverId = driverId
		this.#log = log
	}

	write(level: 'info' | 'warn', text: string): void {
		const entry = text.slice(0, maxEntryLength)
		if (!this.#bucket.take(entry.length)) {
			this.#leftOut += text.length
			return
		}
		const note =
			this.#leftOut > 0 ? ` (${this.#leftOut} characters were dropped before this: the driver logs too much)` : ''
		this.#leftOut = 0
		this.#log[level](`driver ${this.#driverId}: ${entry}${note}`)
	}
}
