import type { Call } from './call.ts'
import type { Cell } from './cell.ts'
import type { Encoded, WithRaw } from './encoded.ts'
import type { Filter } from './filter.ts'
import type { JsonObject } from './json.ts'
import type { Column } from './table.ts'

/** A table's rows: what is asked for, and what comes. */

export interface Sort {
	readonly column: string
	readonly direction: 'asc' | 'desc'
}

export interface GridQuery {
	readonly table: string
	readonly filters: readonly Filter[]
	readonly match: 'all' | 'any'
	/** The engine's own query language, matched beside the filters. */
	readonly raw?: string
	readonly sort: readonly Sort[]
	/** How many rows will be asked for first, so that the driver may begin with them while it opens the grid. */
	readonly firstPage?: number
	/** Somebody wants to see what has changed meanwhile: what the driver keeps of the table is read anew. */
	readonly isReload?: boolean
}

export interface Grid {
	/** Rows `offset` to `offset + limit`, fewer at the end. */
	page(range: { readonly offset: number; readonly limit: number }, call: Call): Promise<Encoded<GridPage>>
	close(): Promise<void>
}

export interface GridPage {
	readonly columns: readonly Column[]
	readonly rows: readonly Row[]
	readonly total: Count
	readonly tookMs: number
	/** The request of the page as the console takes it, for a person who wants to see it. */
	readonly request?: string
	/** What the person should know of this page: a sort that was dropped, shards that failed. */
	readonly notices: readonly string[]
}

export interface Row {
	/** Addresses the row in this table; opaque outside the driver, the same at each read. */
	readonly id: string
	/** The state that was read, for the check against concurrent changes; opaque. */
	readonly version?: string
	/** One a column, in the order of the page's columns; with `at`, of these columns alone. */
	readonly cells: readonly Cell[]
	/** Columns of the cells, by their index, where most of many columns are missing in the row. See `denseCells`. */
	readonly at?: readonly number[]
}

export interface Count {
	readonly value: number
	/** `false`: there are at least this many. */
	readonly isExact: boolean
}

/** A count for its own sake, with what the person should know of it. */
export interface RowCount extends Count {
	/** Why it is not exact, or what it leaves out. */
	readonly notice?: string
}

/** A row whole. Its document is raw JSON, which a window lays out without parsing it. */
export interface WholeRow extends WithRaw {
	readonly id: string
	readonly version?: string
	/** Metadata such as the index and the id, by name. */
	readonly meta: JsonObject
	readonly raw: Uint8Array
}
