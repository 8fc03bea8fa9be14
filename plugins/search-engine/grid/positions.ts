import type { Json } from '@roundhouse/kit'

/** Sort values of the row before a position. Reading continues after it. */
export type Position = readonly Json[]

/** Passed positions, by the number of rows before them. */
export class Positions {
	readonly #passed = new Map<number, Position>()

	keep(at: number, position: Position) {
		this.#passed.set(at, position)
	}

	get all(): readonly (readonly [at: number, position: Position])[] {
		return [...this.#passed]
	}

	/** Returns the last position at or before `target`. The start has no sort values. */
	nearest(target: number): readonly [at: number, position: Position | undefined] {
		let best = 0
		for (const at of this.#passed.keys()) if (at <= target && at > best) best = at
		return [best, this.#passed.get(best)]
	}

	/** Returns the number of searches of `step` rows to reach `target`. */
	distance(target: number, step: number): number {
		const [at] = this.nearest(target)
		return Math.ceil((target - at) / step)
	}
}
