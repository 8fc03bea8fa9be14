import type { z } from 'zod'
import { fileErrors, readJsonFile, writeJsonFile } from './atomic-file.ts'
import { Emitter } from './emitter.ts'
import { messageOf } from './errors.ts'

/**
 * One JSON file held in memory: reads are synchronous, and changes made at the same time follow each other. What gives
 * somebody more is written before it is seen; what takes something away is seen before it is written, so that a full
 * disk keeps nobody from revoking.
 */
export class JsonStore<T> {
	readonly #path: string
	readonly #changed = new Emitter<T>()
	/** Tells of each change. */
	readonly onChange = this.#changed.on
	/** What was taken away and is in no file yet, the oldest first. */
	readonly #unwritten: ((value: T) => T)[] = []
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
	update(change: (value: T) => T): Promise<T> {
		return this.#next(async () => {
			const next = change(this.#value)
			await this.#write(next)
			// What was taken away while it was being written is not given back by it.
			return this.#show(this.#unwritten.reduce((value, narrowing) => narrowing(value), next))
		})
	}

	/**
	 * Shows `change(value)` at once, and then writes it. `change` takes something away, and may be applied again.
	 * @throws HostError `file/not_kept` where it could not be written: it holds while the process runs, and is written
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

	/** Settles when every change made so far is written, or could not be. */
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
