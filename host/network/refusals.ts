import { cutText } from '@roundhouse/kit'

/** Refusals that are noted one by one, for each driver and minute. */
const notedPerMinute = 20
const minuteMs = 60_000
/** A path of a socket may have thousands of characters. */
const maxLength = 300

/**
 * Notes what one driver was refused, on all of its connections. A driver can ask for any number of addresses, and each
 * note is a line of the activity log, so the further ones of a minute are counted and noted as a sum.
 */
export class Refusals {
	#noted = 0
	#further = 0
	#note: (text: string) => void = () => {}
	#minute: NodeJS.Timeout | undefined

	/** @param note adds a line to the activity log. The sum is added with the newest one. */
	add(address: string, note: (text: string) => void): void {
		this.#note = note
		// An unfinished minute does not keep the host running.
		if (this.#minute === undefined) this.#minute = setTimeout(() => this.#endMinute(), minuteMs).unref()
		if (this.#noted >= notedPerMinute) {
			this.#further++
			return
		}
		this.#noted++
		note(cutText(address, maxLength))
	}

	/** Notes the sum of what was not noted yet, for example because a connection is closed. */
	noteSum(): void {
		const further = this.#further
		this.#further = 0
		if (further > 0) this.#note(`${further} further addresses within a minute`)
	}

	#endMinute(): void {
		this.#minute = undefined
		this.#noted = 0
		this.noteSum()
	}
}
