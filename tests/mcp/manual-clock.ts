import type { Clock } from '../../host/mcp/protocol/clock.ts'

/** A clock that stands still until it is moved. */
export class ManualClock implements Clock {
	#now = Date.parse('2026-08-01T12:00:00Z')
	readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>()

	now(): number {
		return this.#now
	}

	after(delayMs: number, run: () => void): () => void {
		const timer = { at: this.#now + delayMs, run }
		this.#timers.add(timer)
		return () => this.#timers.delete(timer)
	}

	/** Timers that were started and neither ran nor were stopped. */
	get pending(): number {
		return this.#timers.size
	}

	/** Moves on, and runs what is due on the way, in order. */
	advance(ms: number): void {
		const end = this.#now + ms
		for (;;) {
			const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
			if (!next) break
			this.#timers.delete(next)
			this.#now = next.at
			next.run()
		}
		this.#now = end
	}
}
