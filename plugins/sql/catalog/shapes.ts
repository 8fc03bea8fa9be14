import { type Call, isDriverError } from '@roundhouse/kit'

/**
 * Time after which a table is described again, because its keys, defaults, rights and comments may have changed. A change
 * of its columns, a reload of the user and an error of the server come earlier.
 */
const freshMs = 10_000
const mostKept = 500

/** A description of a table. */
interface Described {
	readonly name: string
	/** Names and types of all columns, to see whether they have changed. `undefined` if the server did not describe them. */
	readonly signature: string | undefined
}

interface Reading<Shape> {
	/** @throws DriverError `not_found` */
	readonly read: (name: string, call: Call) => Promise<Shape>
	/** Reads the signature of a table as it is now. */
	readonly signature: (shape: Shape, call: Call) => Promise<string | undefined>
	/** Codes of the engine's errors that say that a table is no longer what it was. */
	readonly changed: ReadonlySet<string>
}

/**
 * Descriptions of tables, kept for a while, because each page, edit and export needs one. A kept one is used only if the
 * server still has the same columns.
 */
export class Shapes<Shape extends Described> {
	readonly #reading: Reading<Shape>
	readonly #kept = new Map<string, { readonly at: number; readonly shape: Shape }>()

	constructor(reading: Reading<Shape>) {
		this.#reading = reading
	}

	/** Returns the description of a table, a kept one if its columns are the same. @throws DriverError `not_found` */
	async of(name: string, call: Call): Promise<Shape> {
		const kept = this.kept(name)
		if (!kept) return this.read(name, call)
		const signature = await this.#reading.signature(kept, call)
		return signature === kept.signature ? kept : this.read(name, call)
	}

	/** Returns the kept description, if there is a recent one. The caller compares its signature with the server. */
	kept(name: string): Shape | undefined {
		const kept = this.#kept.get(name)
		return kept?.shape.signature && performance.now() - kept.at < freshMs ? kept.shape : undefined
	}

	/** Reads the description of a table. @throws DriverError `not_found` */
	async read(name: string, call: Call): Promise<Shape> {
		this.#kept.delete(name)
		const shape = await this.#reading.read(name, call)
		if (this.#kept.size >= mostKept) this.#kept.clear()
		this.#kept.set(name, { at: performance.now(), shape })
		return shape
	}

	/** Forgets a table if the error says that it has changed. */
	forget({ name }: Shape, error: unknown): void {
		if (isDriverError(error) && this.#reading.changed.has(error.engineCode ?? '')) this.#kept.delete(name)
	}
}
