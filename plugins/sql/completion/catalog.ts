import type { Column, Table } from '@roundhouse/kit'

/** What completion reads of a database, no more than the place in the text names. The driver keeps it for a while. */
export interface CompletionCatalog {
	tables(): Promise<readonly Table[]>
	/** @param table name of one of the tables */
	columns(table: string): Promise<readonly Column[]>
	functions(): Promise<readonly KnownFunction[]>
	/** Tables and views of the server itself. */
	systemTables(): Promise<readonly Table[]>
	references(): Promise<readonly ForeignKey[]>
	procedures?(): Promise<readonly KnownObject[]>
	types?(): Promise<readonly KnownObject[]>
}

export interface KnownObject {
	readonly name: string
	/** Its schema, unless its name is found without one everywhere. */
	readonly schema?: string
}

export interface KnownFunction extends KnownObject {
	/** Type of its result. */
	readonly result: string
	/** Whether it returns rows, so that FROM takes it. */
	readonly isRows?: boolean
	/** Whether its name is never in quotes, because it may be a word of the language: `left(`. */
	readonly isBuiltIn?: boolean
}

/** A side of a foreign key. */
interface Side {
	readonly schema: string
	readonly table: string
	readonly columns: readonly string[]
}

/** A foreign key: `from` refers to `to`. */
export interface ForeignKey {
	readonly from: Side
	readonly to: Side
}

/** How an engine writes and finds names. */
export interface CatalogNames {
	/** The schema whose tables need no schema before their name. */
	readonly home: string | undefined
	/** The schema in which the server looks up what that one lacks. */
	readonly fallback?: string
	readonly systemSchemas: readonly string[]
	/** A schema of the server whose tables are found by their name alone. Their names begin with the prefix. */
	readonly implicit?: { readonly schema: string; readonly prefix: string }
	/** Reads the name of a table of the catalog. */
	parseName(name: string): { readonly schema: string; readonly table: string }
	/** Returns a name as SQL, with quotes if it needs them. */
	quoted(name: string): string
	/** Returns a text as SQL. */
	literal(text: string): string
}

/** Time after which what completion knows is read again. */
const freshMs = 30_000

/** What a driver read of its catalog, kept for 30 seconds, because each letter asks. */
export class CatalogCache {
	readonly #kept = new Map<string, { readonly at: number; readonly value: Promise<unknown> }>()

	/** @param key one for each kind of answer */
	of<T>(key: string, read: () => Promise<T>): Promise<T> {
		const kept = this.#kept.get(key)
		// One key has one type.
		if (kept && performance.now() - kept.at < freshMs) return kept.value as Promise<T>
		const value = read()
		this.#kept.set(key, { at: performance.now(), value })
		value.catch(() => this.#kept.delete(key))
		return value
	}
}
