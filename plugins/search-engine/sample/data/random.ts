/** Generates the same random numbers at each start (mulberry32). */
export class Random {
	#state: number

	constructor(seed: number) {
		this.#state = seed
	}

	/** Returns a number from 0 up to, but not including, 1. */
	next(): number {
		this.#state = (this.#state + 0x6d2b79f5) | 0
		let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
	}

	/** Returns a whole number, both ends included. */
	integer(low: number, high: number): number {
		return low + Math.floor(this.next() * (high - low + 1))
	}

	pick<T>(items: readonly T[]): T {
		return items[Math.floor(this.next() * items.length)] as T
	}

	/** Returns some of the items, each at most once, in order. */
	some<T>(items: readonly T[], count: number): T[] {
		const chosen = new Set<T>()
		while (chosen.size < Math.min(count, items.length)) chosen.add(this.pick(items))
		return items.filter(item => chosen.has(item))
	}

	chance(probability: number): boolean {
		return this.next() < probability
	}

	/** Returns this many decimal digits. The first is not zero. */
	digits(count: number): string {
		let text = String(this.integer(1, 9))
		while (text.length < count) text += String(this.integer(0, 9))
		return text
	}

	/** Returns a day, for example `2019-03-07`. */
	day(firstYear: number, lastYear: number): string {
		return new Date(this.integer(Date.UTC(firstYear, 0, 1), Date.UTC(lastYear, 11, 31))).toISOString().slice(0, 10)
	}

	/** Returns lower-case hexadecimal digits. */
	hex(count: number): string {
		let text = ''
		while (text.length < count) text += this.integer(0, 15).toString(16)
		return text
	}
}
