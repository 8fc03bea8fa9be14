import type { Column } from '../../../host/api/api.ts'
import { hasEnds, type TimeRange } from '../time/time-range.ts'

/** Returns the columns that a table can be limited by in time. */
export const datesOf = (columns: readonly Column[]): readonly Column[] =>
	columns.filter(({ kind, isSortable }) => kind === 'date' && isSortable)

/** Returns the chosen range, with another column if the table lost its own. Its column is empty if there is no date. */
export function rangeOf(chosen: TimeRange | undefined, dates: readonly Column[]): TimeRange {
	if (chosen && dates.some(({ name }) => name === chosen.column)) return chosen
	const usual = dates.find(({ name }) => /^@?timestamp$/i.test(name)) ?? dates[0]
	return { clock: 'utc', span: 'all', from: '', to: '', ...chosen, column: usual?.name ?? '' }
}

/**
 * Returns the range that the time bar shows. A range that limits the rows keeps its column, also if that is no date any
 * more: what is shown is what applies.
 */
export const shownRange = (chosen: TimeRange | undefined, dates: readonly Column[]): TimeRange =>
	chosen && hasEnds(chosen) ? chosen : rangeOf(chosen, dates)
