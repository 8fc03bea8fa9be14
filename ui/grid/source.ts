import type { Cell, Row } from '../../host/api/api.ts'
import type { IndexedColumn } from './columns/indexed-column.ts'

/** Consecutive rows in memory. The array is another one as soon as a row changes. */
export interface LoadedRows {
	/** The index of the first one, from 0. */
	readonly first: number
	readonly rows: readonly Row[]
}

/** Indices of the first and the last row, from 0. */
export interface RowRange {
	readonly first: number
	readonly last: number
}

/** The columns of a row by name, without cut values. */
export type WholeRow = (column: string) => Cell

/** The rows of a grid, in pages of an engine or all in memory. Solid tracks what its members read. */
export interface RowSource {
	/** How many rows an action takes at once. More need an export or a statement. */
	readonly mostAtOnce: number
	count(): number
	/** Rows at the top that have no number yet, because the engine does not have them. */
	unnumbered(): number
	/** Returns the row with an id, if it is loaded. */
	find(id: string): { readonly row: Row; readonly index: number } | undefined
	/** Returns the row at an index; `undefined` while it is loading. */
	at(index: number): Row | undefined
	/** Returns the value that a cell shows, which may be newer than that of its row. */
	cell(row: Row, place: IndexedColumn): Cell
	/** Returns the text of a cell that is not printed as its value, for example of a number of bytes. */
	text?(row: Row, place: IndexedColumn): string | undefined
	/** Reads what changes with the shown values of rows that stay, for those who read {@link cell} later. */
	track(): void
	/** The rows that {@link at} returns without a request, in order. */
	loaded(): readonly LoadedRows[]
	/** Fetches the missing rows of a range that comes into view. */
	show(first: number, last: number): void
	/** Returns all rows of a range. @throws Error if they cannot be read */
	read(range: RowRange, signal: AbortSignal, onProgress: (read: number) => void): Promise<readonly Row[]>
	/** Reads a row whose cells are truncated; `undefined` if that fails. Absent if there is no more than the rows have. */
	whole?(row: Row): Promise<WholeRow | undefined>
}
