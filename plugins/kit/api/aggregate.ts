import type { Cell } from './cell.ts'
import type { GridQuery } from './rows.ts'

/** Aggregates: numbers about many rows, by groups. */

/** What a measure computes. */
export const measureFunctions = ['count', 'sum', 'avg', 'min', 'max', 'distinct'] as const

/** One number about the rows of a group. */
export interface Measure {
	/** `count` counts values; rows are always counted. `distinct` may be an estimate, which a notice then says. */
	readonly function: (typeof measureFunctions)[number]
	readonly column: string
}

/** Groups rows by the values of a column, or by intervals of them. */
export interface Group {
	readonly column: string
	/**
	 * Width of a group: `minute` to `year` for dates, a positive number for numbers. If absent, each value is a group.
	 */
	readonly interval?: string
}

/** Which rows to group, by what, and what to compute about each group. */
export interface AggregateQuery extends Omit<GridQuery, 'sort' | 'isReload'> {
	/** Outermost first. If empty, the result is one row about all rows. */
	readonly groups: readonly Group[]
	readonly measures: readonly Measure[]
	/** Order of the groups. By default, the largest groups come first; dates and intervals come in ascending order. */
	readonly order?: { readonly measure: number; readonly direction: 'asc' | 'desc' }
	/** Upper limit of rows. */
	readonly limit: number
}

/** One row for each group, with its measures. */
export interface Aggregated {
	/** The groups, `count`, and the measures as `avg(price)`. */
	readonly columns: readonly { readonly name: string; readonly type: string }[]
	readonly rows: readonly (readonly Cell[])[]
	/** Whether there are more groups than rows. */
	readonly isTruncated: boolean
	/** Notes for the user, for example rows in no group, or counts that are estimates. */
	readonly notices: readonly string[]
}
