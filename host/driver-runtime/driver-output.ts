import type { Log } from '../base/log.ts'
import { TokenBucket } from '../base/token-bucket.ts'

const longestEntry = 4000
/** Bytes of log that a driver may fill at once, and a second. */
const allowance = { burst: 256 * 1024, perSecond: 4 * 1024 }

/** What a driver prints and logs, as far as its allowance goes; the rest is counted, and said once there is room again. */
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
		const entry = text.slice(0, longestEntry)
		if (!this.#bucket.take(entry.length)) {
			this.#leftOut += text.length
			return
		}
		const note = this.#leftOut > 0 ? ` (${this.#leftOut} characters before this are left out: it logs too much)` : ''
		this.#leftOut = 0
		this.#log[level](`driver ${this.#driverId}: ${entry}${note}`)
	}
}
