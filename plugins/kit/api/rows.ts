import type { Call } from './call.ts'
import type { Cell } from './cell.ts'
import type { Encoded, WithRaw } from './encoded.ts'
import type { Filter } from './filter.ts'
import type { JsonObject } from './json.ts'
import type { Cannot, Column, Reference, Sort } from './table.ts'

/** Queries for a table's rows, and their results. */

/** Which rows of a table, and in which order. */
export interface GridQuery {
	readonly table: string
	readonly filters: readonly Filter[]
	/** Whether a row fits all filters, or any of them. */
	readonly match: 'all' | 'any'
	/** A query in the engine's language, combined with the filters. */
	readonly raw?: string
	/** Sort keys, most significant first. If empty, the order of the engine. */
	readonly sort: readonly Sort[]
	/** Whether the driver must refresh its cached data about the table. */
	readonly isReload?: boolean
}

/** A query whose pages are read. */
export interface GridOpening extends GridQuery {
	/** Number of rows that will be requested first, so that the driver can fetch them while it opens the grid. */
	readonly firstPage?: number
	/** Whether the rows of pages are to have a `position`, if the driver can return one. */
	readonly givesPositions?: boolean
	/** Where an earlier grid of the same query ended. */
	readonly after?: PageBorder
	/**
	 * Columns, and all below them, whose values must decide nothing of a page: not the order of its columns, nor what is left
	 * out of it. For a driver whose pages depend on values. The host removes the values anyway.
	 */
	readonly without?: readonly string[]
}

/** Where a page begins: behind a row, whatever others have inserted or deleted before it. */
export interface PageBorder {
	/** The offset under which the next page is requested. */
	readonly offset: number
	/** `position` of the last row that was read. */
	readonly position: string
}

/** An open cursor over the pages of a query. Pages fit together: no row occurs twice, and none is left out. */
export interface Grid {
	/** Returns the rows `offset` to `offset + limit`, fewer at the end. */
	page(range: { readonly offset: number; readonly limit: number }, call: Call): Promise<Encoded<GridPage>>
	/** Releases what the engine holds for the cursor, within five seconds. */
	close(): Promise<void>
}

/** One page of rows. */
export interface GridPage {
	readonly columns: readonly Column[]
	readonly rows: readonly Row[]
	/** Rows of the whole query. */
	readonly total: Count
	readonly tookMs: number
	/** The request of the page in console syntax, for display. */
	readonly request?: string
	/** As in the table's description; the first page is sufficient. The window follows them. */
	readonly references?: readonly Reference[]
	/** As in the table's description; the first page is sufficient. */
	readonly referrers?: readonly Reference[]
	/** As in the list of tables, for a table that it does not have, such as a pattern; the first page is sufficient. */
	readonly cannot?: Cannot
	/** Notes for the user about this page, for example a sort that was dropped or shards that failed. */
	readonly notices: readonly string[]
}

/** One row of a page. */
export interface Row {
	/** Identifies the row in this table. Opaque outside the driver, and stable between reads. */
	readonly id: string
	/** The version that was read, to detect concurrent changes. Opaque. */
	readonly version?: string
	/** The place of the row in the order, if it was requested and the order is total. Opaque, at most 4,000 characters. */
	readonly position?: string
	/** One per column, in the order of the page's columns; with `at`, one per column listed there. */
	readonly cells: readonly Cell[]
	/** Indices of the columns with cells, if the row lacks most of many columns. See `denseCells`. */
	readonly at?: readonly number[]
}

/** A number of rows. */
export interface Count {
	readonly value: number
	/** If `false`, `bound` says what the value is. */
	readonly isExact: boolean
	/** An inexact value: there are at least this many (the default), or about this many, by an estimate of the engine. */
	readonly bound?: 'least' | 'about'
}

/** A count for display, with an optional note. */
export interface RowCount extends Count {
	/** Why the count is not exact, or what it leaves out. */
	readonly notice?: string
}

/** A complete row. Its document is raw JSON, which a window formats without parsing it. */
export interface WholeRow extends WithRaw {
	readonly id: string
	readonly version?: string
	/** Metadata, for example index and id, by name. */
	readonly meta: JsonObject
	/** The document as JSON, in UTF-8. */
	readonly raw: Uint8Array
	/**
	 * The columns whose `null` in the document is a null of JSON. The engine stores it as a value, and it differs from the
	 * engine's own null.
	 */
	readonly jsonNulls?: readonly string[]
	/**
	 * Values that an insert needs beside the members of the document to make this row again, with the same id and
	 * content, after it was deleted. Absent if that is impossible; the window then offers no undo of a deletion.
	 */
	readonly insertAgain?: Readonly<Record<string, Cell>>
}
