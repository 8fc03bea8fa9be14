import { type Call, isDriverError } from '@roundhouse/kit'
import { placeOf } from '../sql/names.ts'
import type { Databases } from './databases.ts'
import { readShape, type Shape } from './shape.ts'
import { readSignature } from './signature.ts'

/**
 * Time after which a table is described again, because its keys, defaults, rights and comments may have changed. A change
 * of its columns, a reload of the user and an error of the server come earlier.
 */
const freshMs = 10_000
const mostKept = 500

/** Codes of SQLSTATE that say that a table is no longer what it was. */
const changed: ReadonlySet<string> = new Set(['42P01', '42703', '42704', '0A000'])

/**
 * Descriptions of tables, kept for a while, because each page, edit and export needs one. A kept one is used only if the
 * server still has the same columns.
 */
export class Shapes {
	readonly #databases: Databases
	readonly #kept = new Map<string, { readonly at: number; readonly shape: Shape }>()

	constructor(databases: Databases) {
		this.#databases = databases
	}

	/** Returns the description of a table, a kept one if its columns are the same. @throws DriverError `not_found` */
	async of(name: string, call: Call): Promise<Shape> {
		const kept = this.kept(name)
		if (!kept) return this.read(name, call)
		const { place } = kept
		const signature = await this.#databases.using(
			call,
			(session, signal) => readSignature(session, place, signal),
			place.database,
		)
		return signature === kept.signature ? kept : this.read(name, call)
	}

	/** Returns the kept description, if there is a recent one. The caller compares its signature with the server. */
	kept(name: string): Shape | undefined {
		const kept = this.#kept.get(name)
		return kept?.shape.signature && performance.now() - kept.at < freshMs ? kept.shape : undefined
	}

	/** Reads the description of a table. @throws DriverError `not_found` */
	async read(name: string, call: Call): Promise<Shape> {
		const place = placeOf(name)
		this.#kept.delete(name)
		const shape = await this.#databases.using(
			call,
			(session, signal) => readShape(session, { place, name }, signal),
			place.database,
		)
		if (this.#kept.size >= mostKept) this.#kept.clear()
		this.#kept.set(name, { at: performance.now(), shape })
		return shape
	}

	/** Forgets a table if the error says that it has changed. */
	forget({ name }: Shape, error: unknown): void {
		if (isDriverError(error) && changed.has(error.engineCode ?? '')) this.#kept.delete(name)
	}
}
