import { type Grants, markOf } from '../driver-runtime/grants.ts'

/** Who uses each driver process, by its driver and its grants: the last one that goes ends it. */
export class ProcessLeases {
	readonly #users = new Map<string, number>()
	readonly #end: (driverId: string, grants: Grants) => Promise<void>

	constructor(end: (driverId: string, grants: Grants) => Promise<void>) {
		this.#end = end
	}

	/** @returns what lets go of it again, once */
	take(driverId: string, grants: Grants): () => Promise<void> {
		const key = `${driverId} ${markOf(grants)}`
		this.#users.set(key, this.#usersOf(key) + 1)
		let isHeld = true
		return async () => {
			if (!isHeld) return
			isHeld = false
			this.#users.set(key, this.#usersOf(key) - 1)
			if (this.#usersOf(key) > 0) return
			this.#users.delete(key)
			await this.#end(driverId, grants)
		}
	}

	#usersOf(key: string): number {
		return this.#users.get(key) ?? 0
	}
}
