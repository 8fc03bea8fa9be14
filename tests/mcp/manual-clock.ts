import type { Clock } from '../../host/mcp/protocol/clock.ts'

/** A clock that only moves when the test advances it. */
export class ManualClock implements Clock {
	#now = Date.parse('2026-08-01T12:00:00Z')
	#elapsed = 0
	readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>()

	now(): number {
		return this.#now
	}

	elapsed(): number {
		return this.#elapsed
	}

	/** Simulates a change of the machine's clock. */
	set(ms: number): void {
		this.#now += ms
	}

	after(delayMs: number, run: () => void): () => void {
		const timer = { at: this.#elapsed + delayMs, run }
		this.#timers.add(timer)
		return () => this.#timers.delete(timer)
	}

	/** Number of timers that were started and neither ran nor were stopped. */
	get pending(): number {
		return this.#timers.size
	}

	/** Advances the clock, and runs timers that become due, in order. */
	advance(ms: number): void {
		const end = this.#elapsed + ms
		for (;;) {
			const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
			if (!next) break
			this.#timers.delete(next)
			this.#move(next.at)
			next.run()
		}
		this.#move(end)
	}

	#move(elapsed: number): void {
		this.#now += elapsed - this.#elapsed
		this.#elapsed = elapsed
	}
}
