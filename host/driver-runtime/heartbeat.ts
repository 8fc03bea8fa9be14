import { beatIntervalMs } from '@roundhouse/kit/wire/messages'
import pidusage from 'pidusage'

/** Beats are counted, not timed, so that a machine that sleeps misses none. */
const beatsUntilHung = 8
/** A driver that waits for a processor is silent too. It is hung after eight beats only if it used this much. */
const busyUntilHungMs = 6_000
/** A driver that uses no processor can be blocked in the system. */
const beatsUntilBlocked = 40

/** Watches the messages of a process, and calls `onHung` once if it stops sending any. Beats of one second. */
export class Heartbeat implements Disposable {
	readonly #pid: number
	readonly #onHung: () => void
	readonly #timer: NodeJS.Timeout
	#missed = 0
	/** Processor time when the silence began, in milliseconds. */
	#usedBefore = 0

	constructor(pid: number, onHung: () => void) {
		this.#pid = pid
		this.#onHung = onHung
		this.#timer = setInterval(() => void this.#miss(), beatIntervalMs)
	}

	/** The process has sent a message. */
	heard(): void {
		this.#missed = 0
	}

	async #miss(): Promise<void> {
		const missed = ++this.#missed
		// Between two beats one is always missing, so only a second one begins a silence that is measured.
		if (missed !== 2 && missed <= beatsUntilHung) return
		// A process that has ended cannot be measured. Its exit is reported elsewhere.
		const used = await pidusage(this.#pid).then(
			({ ctime }) => ctime,
			() => 0,
		)
		if (missed === 2) this.#usedBefore = used
		// A message may have arrived meanwhile.
		if (this.#missed <= beatsUntilHung) return
		if (used - this.#usedBefore < busyUntilHungMs && missed <= beatsUntilBlocked) return
		this[Symbol.dispose]()
		this.#onHung()
	}

	[Symbol.dispose](): void {
		clearInterval(this.#timer)
	}
}
