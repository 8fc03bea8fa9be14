/** Pseudorandom choices that a seed repeats on every machine (mulberry32, by Tommy Ettinger, public domain). */
export class Random {
	#state: number

	constructor(seed: number) {
		this.#state = seed
	}

	/** From 0 to 1, without 1. */
	number(): number {
		this.#state = (this.#state + 0x6d2b79f5) | 0
		let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
	}

	/** A whole number from `least` to `most`, with both. */
	int(least: number, most: number): number {
		return least + Math.floor(this.number() * (most - least + 1))
	}

	chance(probability: number): boolean {
		return this.number() < probability
	}

	pick<T>(list: readonly T[]): T {
		if (list.length === 0) throw new Error('nothing to pick from')
		// The index is within the list.
		return list[this.int(0, list.length - 1)] as T
	}

	/** Different elements of a list in random order, at most as many as it has. */
	some<T>(list: readonly T[], least: number, most: number): T[] {
		const left = [...list]
		const wanted = Math.min(this.int(least, most), left.length)
		return Array.from({ length: wanted }, () => left.splice(this.int(0, left.length - 1), 1)).flat()
	}

	/** Picks by weight. */
	weighted<T>(choices: readonly (readonly [weight: number, value: T])[]): T {
		let rest = this.number() * choices.reduce((sum, [weight]) => sum + weight, 0)
		for (const [weight, value] of choices) {
			rest -= weight
			if (rest < 0) return value
		}
		return this.pick(choices)[1]
	}
}
