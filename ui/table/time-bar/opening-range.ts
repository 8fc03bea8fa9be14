import type { Column, Row } from '../../../host/api/api.ts'
import { cellOf, copyText } from '../../cells/cell-text.ts'
import { printMoment, readMoment } from '../time/moment.ts'
import { lasts, type Span, type TimeRange, toSecond } from '../time/time-range.ts'
import { datesOf, shownRange } from './shown-range.ts'

/** Rows that are newer than this are written now. */
const fresh = lasts['15m']

/**
 * Returns the range at which a log opens: the last 15 minutes, or the time before its newest row, and longer for fewer
 * rows. `undefined` for all of the time.
 * @param times of the first rows in milliseconds, the newest first
 */
export function openingRange(times: readonly number[], now: number): Partial<TimeRange> | undefined {
	const [newest, oldest] = [times[0], times.at(-1)]
	if (newest === undefined || oldest === undefined || times.some(Number.isNaN)) return undefined
	const isFresh = now - newest < fresh
	const reach = (isFresh ? now : newest) - oldest
	const [span, length] = Object.entries(lasts).find(([, length]) => reach < length) ?? []
	if (length === undefined) return undefined
	// The keys of `lasts` are spans.
	if (isFresh) return { span: span as Span }
	return {
		span: 'between',
		from: printMoment(toSecond(Math.floor, newest - length)),
		to: printMoment(toSecond(Math.floor, newest) + 1000),
	}
}

/** Returns the opening range of a log by its first rows, the newest first. */
export function firstRange(
	{ columns, rows }: { readonly columns: readonly Column[]; readonly rows: readonly Row[] },
	{ time, zone }: { readonly time: string; readonly zone: string | undefined },
): TimeRange | undefined {
	const index = columns.findIndex(({ name }) => name === time)
	const times = rows.map(row => readMoment(copyText(cellOf(row, index))) ?? Number.NaN)
	const opening = openingRange(times, Date.now())
	return opening && { ...shownRange(undefined, datesOf(columns), zone), column: time, ...opening, isOpening: true }
}
