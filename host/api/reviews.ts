import { createHash, randomUUID } from 'node:crypto'

/** A closed window discards its reviews; one that stays open for weeks must not collect them. */
const kept = 1_000

const digestOf = (write: unknown) => createHash('sha256').update(JSON.stringify(write)).digest('hex')

/** The writes that one caller was shown: exactly these may be sent, each once. */
export class Reviews {
	readonly #shown = new Map<string, string[]>()

	/** @returns the proof that these writes were shown */
	add(writes: readonly unknown[]): string {
		const id = randomUUID()
		this.#shown.set(id, writes.map(digestOf))
		for (const oldest of this.#shown.keys()) {
			if (this.#shown.size <= kept) break
			this.#shown.delete(oldest)
		}
		return id
	}

	/** Whether this write was shown and not sent since. */
	take(id: string | undefined, write: unknown): boolean {
		const left = id === undefined ? undefined : this.#shown.get(id)
		const place = left?.indexOf(digestOf(write)) ?? -1
		if (left === undefined || place < 0) return false
		left.splice(place, 1)
		return true
	}
}
