import type { Cell } from './cell.ts'
import type { GridQuery } from './rows.ts'

/** Aggregates: numbers about many rows, by groups. */

/** What a measure computes. `median` to `p99` are percentiles: of all values, 95 % are not above `p95`. */
export const measureFunctions = [
	'count',
	'sum',
	'avg',
	'min',
	'max',
	'distinct',
	'median',
	'p90',
	'p95',
	'p99',
] as const

/** One number about the rows of a group. */
export interface Measure {
	/** `count` counts values; rows are always counted. `distinct` and percentiles may be estimates, which a notice then says. */
	readonly function: (typeof measureFunctions)[number]
	readonly column: string
}

/** Groups rows by the values of a column, or by intervals of them. */
export interface Group {
	readonly column: string
	/**
	 * Width of a group. For dates `minute` to `year` of the calendar, in the zone of {@link ServerInfo}. Or a fixed width from
	 * 1970 in UTC, such as `30s`, `5m`, `12h`, `7d`: digits without a leading zero, then s, m, h or d. For numbers a
	 * positive number. If absent, each value is a group.
	 */
	readonly interval?: string
}

/** Which rows to group, by what, and what to compute about each group. */
export interface AggregateQuery extends Omit<GridQuery, 'sort' | 'isReload'> {
	/** Outermost first. If empty, the result is one row about all rows. */
	readonly groups: readonly Group[]
	readonly measures: readonly Measure[]
	/**
	 * Order of the groups: by the measure at this index, by the `count` of rows, or by the value of the `group`. By default,
	 * the largest groups come first; dates and intervals come in ascending order.
	 */
	readonly order?: { readonly measure: number | 'count' | 'group'; readonly direction: 'asc' | 'desc' }
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
	/** The zone in which the intervals of the calendar begin, if that is not UTC: an IANA name, or the engine's own. */
	readonly timeZone?: string
	/** Indices of the rows whose `count` may be too small. If absent, every count is exact. */
	readonly estimated?: readonly number[]
	/** Notes for the user, for example rows in no group, or counts that are estimates. */
	readonly notices: readonly string[]
}
