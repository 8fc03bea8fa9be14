import type { z } from 'zod'
import { fileErrors, readJsonFile, writeJsonFile } from './atomic-file.ts'
import { Emitter } from './emitter.ts'
import { messageOf } from './errors.ts'

/**
 * One JSON file held in memory. Reads are synchronous, and concurrent changes are serialized. A change that grants
 * something is written before it is visible. A change that removes something is visible before it is written, so that a
 * full disk cannot prevent a revocation.
 */
export class JsonStore<T> {
	readonly #path: string
	readonly #changed = new Emitter<T>()
	/** Fires on each change. */
	readonly onChange = this.#changed.on
	/** Removals that are in no file yet, oldest first. */
	readonly #unwritten: ((value: T) => T)[] = []
	#value: T
	#queue: Promise<unknown> = Promise.resolve()

	private constructor(path: string, value: T) {
		this.#path = path
		this.#value = value
	}

	/** @throws HostError `file/unreadable` if the file exists and does not match the schema. */
	static async open<T>(path: string, schema: z.ZodType<T>, initial: T): Promise<JsonStore<T>> {
		return new JsonStore(path, (await readJsonFile(path, schema)) ?? initial)
	}

	get value(): T {
		return this.#value
	}

	/** Writes `change(value)`, then makes it visible. A failed write changes nothing. */
	update(change: (value: T) => T): Promise<T> {
		return this.#next(async () => {
			const next = change(this.#value)
			await this.#write(next)
			// Apply removals made during this write again, so that the write does not undo them.
			return this.#show(this.#unwritten.reduce((value, narrowing) => narrowing(value), next))
		})
	}

	/**
	 * Makes `change(value)` visible at once, then writes it. `change` only removes, and may be applied again.
	 * @throws HostError `file/not_kept` if the write failed: the change applies while the process runs, and is written
	 * with the next change.
	 */
	narrow(change: (value: T) => T): Promise<T> {
		this.#unwritten.push(change)
		this.#show(change(this.#value))
		return this.#next(async () => {
			if (!this.#unwritten.includes(change)) return this.#value
			try {
				await this.#write(this.#value)
				return this.#value
			} catch (error) {
				throw fileErrors.make('not_kept', { file: this.#path, reason: messageOf(error) }, { cause: error })
			}
		})
	}

	/** Settles when every change made so far is written or has failed. */
	async flush(): Promise<void> {
		await this.#queue
	}

	#next(work: () => Promise<T>): Promise<T> {
		const done = this.#queue.then(work)
		this.#queue = done.catch(() => {})
		return done
	}

	async #write(value: T): Promise<void> {
		const covered = this.#unwritten.length
		await writeJsonFile(this.#path, value)
		this.#unwritten.splice(0, covered)
	}

	#show(value: T): T {
		this.#value = value
		this.#changed.fire(value)
		return value
	}
}
