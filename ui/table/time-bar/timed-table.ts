import type { TableQuery } from '../filter/table-query.ts'
import type { Rows } from '../rows/rows.ts'
import type { RangesBefore } from './ranges-before.ts'
import type { TimeFold } from './time-fold.ts'

/** What the time bar uses of an open table. */
export interface TimedTable {
	readonly target: { readonly connection: string; readonly table: string }
	readonly query: TableQuery
	readonly rows: Rows
	/** Whether the engine reads its rows in the order of time, as those of a log. */
	isInTime(): boolean
	/** The zone in which the engine's days begin, if it is known. */
	timeZone(): string | undefined
	/** The ranges of time before the present one. */
	readonly rangesBefore: RangesBefore
	/** Whether the time bar is shown. */
	readonly timeFold: TimeFold
	/** Number of reloads. */
	loads(): number
	/** Reads the rows again, and what is computed beside them. */
	reload(): void
}
