import type { Filter } from '../../../host/api/api.ts'
import { type Clock, dayStart, isClock, isRelative, printMoment, readRelative } from './moment.ts'

/** The time that a table is limited to. Pure. */

export interface TimeRange {
	readonly column: string
	/** In which absolute ends are typed and shown, and in which a day begins. */
	readonly clock: Clock
	readonly span: Span
	/** Ends of the span `between`: ISO text in UTC, or relative as in `now-3d`; empty for an open end. `to` is excluded. */
	readonly from: string
	readonly to: string
	/** Whether the window chose it when the table was opened. */
	readonly isOpening?: boolean | undefined
}

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

/** Spans that end now, in milliseconds, the shortest first. */
export const lasts = {
	'15m': 15 * minute,
	'1h': hour,
	'3h': 3 * hour,
	'24h': 24 * hour,
	'7d': 7 * day,
	'30d': 30 * day,
	'1y': 365 * day,
} as const

const units = ['day', 'week', 'month', 'year'] as const
type Unit = (typeof units)[number]

export type Span = 'all' | keyof typeof lasts | `this ${Unit}` | `previous ${Unit}` | 'between'

/** Every span with its label, in the order of the choice. */
export const spans: readonly (readonly [Span, string])[] = [
	['all', 'All time'],
	['15m', 'Last 15 minutes'],
	['1h', 'Last hour'],
	['3h', 'Last 3 hours'],
	['24h', 'Last 24 hours'],
	['7d', 'Last 7 days'],
	['30d', 'Last 30 days'],
	['1y', 'Last year (365 days)'],
	['this day', 'Today'],
	['previous day', 'Yesterday'],
	['this week', 'This week'],
	['previous week', 'Previous week'],
	['this month', 'This month'],
	['previous month', 'Previous month'],
	['this year', 'This year'],
	['previous year', 'Previous year'],
	['between', 'From … to …'],
]

export function isTimeRange(value: unknown): value is TimeRange {
	if (typeof value !== 'object' || value === null) return false
	const { column, clock, span, from, to } = value as Partial<TimeRange>
	const areEnds = [from, to].every(end => typeof end === 'string' && !Number.isNaN(momentOf(end, 0)))
	return typeof column === 'string' && isClock(clock) && spans.some(([known]) => known === span) && areEnds
}

/** Ends in milliseconds since 1970; `undefined` for an open end. `to` is excluded. */
export interface Ends {
	readonly from: number | undefined
	readonly to: number | undefined
}

/** Resolves a range at a moment. A relative span moves with it. */
export function endsOf({ span, clock, from, to }: TimeRange, now: number): Ends {
	if (span === 'all') return { from: undefined, to: undefined }
	if (span === 'between') return { from: momentOf(from, now), to: momentOf(to, now) }
	// What is written while the rows are read belongs to them.
	if (Object.hasOwn(lasts, span)) return { from: now - lasts[span as keyof typeof lasts], to: undefined }
	const [which, unit] = span.split(' ') as ['this' | 'previous', Unit]
	const back = which === 'previous' ? 1 : 0
	return { from: unitStart(unit, -back, { clock, now }), to: unitStart(unit, 1 - back, { clock, now }) }
}

/**
 * Returns a range with another span. One between two ends begins with the ends that were shown until now, in whole
 * seconds.
 */
export function spanned(range: TimeRange, span: Span, now: number): TimeRange {
	if (span !== 'between' || range.span === 'between') return { ...range, span }
	const { from, to = now } = endsOf(range, now)
	return from === undefined
		? { ...range, span, from: '', to: '' }
		: { ...range, span, from: printMoment(toSecond(Math.floor, from)), to: printMoment(toSecond(Math.ceil, to)) }
}

/**
 * Returns the ends that follow from a typed one. A relative beginning leads to now, if the end is only the moment at
 * which the user switched to two ends.
 */
export function typedEnds(
	typed: Partial<TimeRange>,
	{ to }: TimeRange,
	switchedAt: string | undefined,
): Partial<TimeRange> {
	const isOfSwitch = to !== '' && to === switchedAt
	return typed.from !== undefined && isRelative(typed.from) && isOfSwitch ? { ...typed, to: '' } : typed
}

/**
 * Returns a range around this one: twice as long, or the next longer span that ends now. `undefined` if it has no
 * beginning.
 */
export function zoomedOut(range: TimeRange, now: number): TimeRange | undefined {
	const names = Object.keys(lasts) as (keyof typeof lasts)[]
	const at = names.indexOf(range.span as keyof typeof lasts)
	if (at >= 0) return { ...range, span: names[at + 1] ?? 'all' }
	const { from, to } = endsOf(range, now)
	if (from === undefined) return undefined
	const more = ((to ?? now) - from) / (to === undefined ? 1 : 2)
	const printed = (ms: number) => printMoment(Math.max(earliest, Math.min(latest, ms)))
	return { ...range, span: 'between', from: printed(from - more), to: to === undefined ? '' : printed(to + more) }
}

/** Years have four digits. */
const [earliest, latest] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T00:00:00Z')]

/** Rounds a moment to whole seconds. */
export const toSecond = (round: (value: number) => number, ms: number) => round(ms / 1000) * 1000
function momentOf(end: string, now: number): number | undefined {
	if (end === '') return undefined
	return readRelative(end, now) ?? Date.parse(end)
}

/** Returns the start of the day, week (from Monday), month or year that is `later` units after the present one. */
function unitStart(unit: Unit, later: number, { clock, now }: { readonly clock: Clock; readonly now: number }): number {
	switch (unit) {
		case 'day':
			return dayStart(now, clock, ({ year, month, date }) => [year, month, date + later])
		case 'week':
			return dayStart(now, clock, ({ year, month, date, weekday }) => [
				year,
				month,
				date - ((weekday + 6) % 7) + 7 * later,
			])
		case 'month':
			return dayStart(now, clock, ({ year, month }) => [year, month + later, 1])
		case 'year':
			return dayStart(now, clock, ({ year }) => [year + later, 0, 1])
	}
}

/**
 * Whether the times of the rows of a range need no date: they are of one day of its clock, or at most half a day apart.
 * In longer ranges a later time would stand below an earlier one.
 */
export function isWithinDay(range: TimeRange, now: number): boolean {
	const { from, to = now } = endsOf(range, now)
	if (from === undefined) return false
	const nextDay = dayStart(from, range.clock, ({ year, month, date }) => [year, month, date + 1])
	return to - from <= day / 2 || to <= nextDay
}

/** Whether a range leaves rows out. */
export const hasEnds = (range: TimeRange | undefined): boolean => timeFilters(range, 0).length > 0

/** Returns the range as filters of the driver, resolved at a moment. */
export function timeFilters(range: TimeRange | undefined, now: number): readonly Filter[] {
	if (range === undefined || range.column === '') return []
	const { from, to } = endsOf(range, now)
	const { column } = range
	return [
		...(from === undefined ? [] : [{ column, operator: 'greater_or_equal', values: [printMoment(from)] } as const]),
		...(to === undefined ? [] : [{ column, operator: 'less', values: [printMoment(to)] } as const]),
	]
}
