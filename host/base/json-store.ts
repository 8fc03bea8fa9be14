import type { z } from 'zod'
import { readJsonFile, writeJsonFile } from './atomic-file.ts'

/**
 * One JSON file held in memory: reads are synchronous, changes are written before they are seen, and changes made at
 * the same time follow each other.
 */
export class JsonStore<T> {
	readonly #path: string
	readonly #listeners = new Set<(value: T) => void>()
	#value: T
	#queue: Promise<unknown> = Promise.resolve()

	private constructor(path: string, value: T) {
		this.#path = path
		this.#value = value
	}

	/** @throws HostError `file/unreadable` where the file is there and does not fit the schema. */
	static async open<T>(path: string, schema: z.ZodType<T>, initial: T): Promise<JsonStore<T>> {
		return new JsonStore(path, (await readJsonFile(path, schema)) ?? initial)
	}

	get value(): T {
		return this.#value
	}

	/** Writes `change(value)` and then shows it. A failed write changes nothing. */
	async update(change: (value: T) => T): Promise<T> {
		const done = this.#queue.then(async () => {
			const next = change(this.#value)
			await writeJsonFile(this.#path, next)
			this.#value = next
			for (const listener of this.#listeners) listener(next)
			return next
		})
		this.#queue = done.catch(() => {})
		return done
	}

	/** Calls back after each change; returns the way to stop. */
	onChange(listener: (value: T) => void): () => void {
		this.#listeners.add(listener)
		return () => this.#listeners.delete(listener)
	}
}
