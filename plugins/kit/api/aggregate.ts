import type { Cell } from './cell.ts'
import type { GridQuery } from './rows.ts'

/** Numbers about many rows, by groups. */

export const measureFunctions = ['count', 'sum', 'avg', 'min', 'max', 'distinct'] as const

export interface Measure {
	/** `count`: of values; rows are counted anyway. `distinct` may be an estimate, which a notice then says. */
	readonly function: (typeof measureFunctions)[number]
	readonly column: string
}

export interface Group {
	readonly column: string
	/** How wide a group is: `minute` to `year` for dates, a positive number for numbers. Left out: one group a value. */
	readonly interval?: string
}

export interface AggregateQuery extends Omit<GridQuery, 'sort' | 'firstPage' | 'isReload'> {
	/** The outermost first; none: one row about everything. */
	readonly groups: readonly Group[]
	readonly measures: readonly Measure[]
	/** What the groups stand in the order of; by default the largest come first, and dates and intervals in their own order. */
	readonly order?: { readonly measure: number; readonly direction: 'asc' | 'desc' }
	/** Rows at most. */
	readonly limit: number
}

export interface Aggregated {
	/** The groups, `count`, and the measures as `avg(price)`. */
	readonly columns: readonly { readonly name: string; readonly type: string }[]
	readonly rows: readonly (readonly Cell[])[]
	/** There are more groups than rows. */
	readonly isTruncated: boolean
	/** What the person should know: rows in no group, counts that are estimates. */
	readonly notices: readonly string[]
}
