import { DriverError } from '../api/errors.ts'

/** Objects identified by a number on the wire: connections, grids, exports and sessions. */
export class Handles<T> {
	readonly #items = new Map<number, T>()
	#last = 0

	add(item: T): number {
		this.#items.set(++this.#last, item)
		return this.#last
	}

	/** Adds an item whose number the host has chosen. */
	put(handle: number, item: T): void {
		this.#items.set(handle, item)
	}

	find(handle: number): T | undefined {
		return this.#items.get(handle)
	}

	get(handle: number): T {
		const item = this.#items.get(handle)
		if (item === undefined) throw new DriverError('not_connected', 'This connection is closed. Open it again.')
		return item
	}

	take(handle: number): T | undefined {
		const item = this.#items.get(handle)
		this.#items.delete(handle)
		return item
	}

	takeAll(isWanted: (item: T) => boolean): T[] {
		const wanted = [...this.#items].filter(([, item]) => isWanted(item))
		for (const [handle] of wanted) this.#items.delete(handle)
		return wanted.map(([, item]) => item)
	}

	*drain(): Iterable<T> {
		yield* this.#items.values()
		this.#items.clear()
	}
}
