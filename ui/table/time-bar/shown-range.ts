import type { Column } from '../../../host/api/api.ts'
import { hasEnds, type TimeRange } from '../time/time-range.ts'

/** Returns the columns that a table can be limited by in time. */
export const datesOf = (columns: readonly Column[]): readonly Column[] =>
	columns.filter(({ kind, isSortable }) => kind === 'date' && isSortable)

/**
 * Returns the chosen range, with another column if the table lost its own. Its column is empty if there is no date.
 * @param zone where the engine's days begin, and so those of a range until the user chooses
 */
export function rangeOf(chosen: TimeRange | undefined, dates: readonly Column[], zone = 'utc'): TimeRange {
	const known = chosen && dates.find(({ name }) => name === chosen.column)
	const column = known ?? dates.find(({ name }) => /^@?timestamp$/i.test(name)) ?? dates[0]
	const range: TimeRange = { clock: zone, span: 'all', from: '', to: '', ...chosen, column: column?.name ?? '' }
	return inClock(range, dates)
}

/** Returns a range in a clock that its column can have. Dates without a zone are shown as they are, as UTC shows them. */
export function inClock(range: TimeRange, dates: readonly Column[]): TimeRange {
	const hasZone = dates.find(({ name }) => name === range.column)?.zone !== 'none'
	return hasZone || range.clock === 'utc' ? range : { ...range, clock: 'utc' }
}

/**
 * Returns the range that the time bar shows. A range that limits the rows keeps its column, also if that is no date any
 * more: what is shown is what applies.
 */
export function shownRange(chosen: TimeRange | undefined, dates: readonly Column[], zone?: string): TimeRange {
	const isLost = chosen && hasEnds(chosen) && !dates.some(({ name }) => name === chosen.column)
	return isLost ? chosen : rangeOf(chosen, dates, zone)
}
