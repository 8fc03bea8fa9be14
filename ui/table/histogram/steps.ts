import { instantOf, offsetAt } from '@roundhouse/kit/time-zone'

/** How a histogram cuts an axis into buckets. Pure. */

/** A width of buckets, as `Group.interval` of a query takes it. */
export interface Step {
	readonly interval: string
	/** Whether it is a unit of the calendar, which begins at another instant in another zone. */
	readonly isOfCalendar?: boolean
	/** Start of the bucket that contains a value. */
	floor(value: number): number
	/** Start of the bucket after the one that starts at `start`. */
	next(start: number): number
}

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

function fixed(interval: string, ms: number): readonly [ms: number, step: Step] {
	return [ms, { interval, floor: value => Math.floor(value / ms) * ms, next: start => start + ms }]
}

/** Months of the calendar in UTC, counted from the year 0. */
function months(interval: string, count: number): readonly [ms: number, step: Step] {
	const monthOf = (ms: number) => new Date(ms).getUTCFullYear() * 12 + new Date(ms).getUTCMonth()
	const startOf = (month: number) => new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1)
	return [
		count * 28 * day,
		{
			interval,
			isOfCalendar: true,
			floor: value => startOf(Math.floor(monthOf(value) / count) * count),
			next: start => startOf(monthOf(start) + count),
		},
	]
}

/** 1970 began on a Thursday, and weeks begin on Monday. */
const monday = 4 * day
const week: Step = {
	interval: 'week',
	isOfCalendar: true,
	floor: value => Math.floor((value - monday) / (7 * day)) * 7 * day + monday,
	next: start => start + 7 * day,
}

/** A day of the calendar. */
export const dayStep: Step = { ...fixed('day', day)[1], isOfCalendar: true }

const timeSteps: readonly (readonly [ms: number, step: Step])[] = [
	fixed('1s', second),
	fixed('5s', 5 * second),
	fixed('15s', 15 * second),
	fixed('30s', 30 * second),
	fixed('1m', minute),
	fixed('5m', 5 * minute),
	fixed('15m', 15 * minute),
	fixed('30m', 30 * minute),
	fixed('1h', hour),
	fixed('3h', 3 * hour),
	fixed('6h', 6 * hour),
	fixed('12h', 12 * hour),
	[day, dayStep],
	[7 * day, week],
	months('month', 1),
	months('quarter', 3),
	months('year', 12),
]

/** Returns the narrowest step that cuts a span of time into at most `most` buckets. */
export function timeStep(from: number, to: number, most: number): Step {
	const span = to - from
	const found = timeSteps.find(([ms]) => span / ms <= most - 1)
	if (found) return found[1]
	// Centuries: whole days, so that every engine takes the width.
	const days = Math.ceil(span / day / (most - 1))
	return fixed(`${days}d`, days * day)[1]
}

/** Returns a step of the calendar as it is in a zone. A fixed width is the same everywhere. */
export function stepIn(step: Step, timeZone: string): Step {
	if (!step.isOfCalendar || timeZone === 'UTC') return step
	const reading = (instant: number) => instant + offsetAt(instant, timeZone)
	return {
		...step,
		floor: value => instantOf(step.floor(reading(value)), timeZone),
		next: start => instantOf(step.next(step.floor(reading(start))), timeZone),
	}
}

/** Returns a step of 1, 2 or 5 times a power of ten that cuts a range into at most `most` buckets. */
export function numberStep(from: number, to: number, most: number): Step {
	const least = (to - from) / (most - 1)
	const power = least > 0 ? 10 ** Math.floor(Math.log10(least)) : 1
	const width = least > 0 ? power * ([1, 2, 5, 10].find(times => times * power >= least) ?? 10) : 1
	// Of the index, so that no error of a sum grows along the axis.
	const at = (index: number) => Number((index * width).toPrecision(15))
	return {
		interval: String(width),
		floor: value => at(Math.floor(value / width)),
		next: start => at(Math.round(start / width) + 1),
	}
}

/** One bucket of a histogram: values from `from` up to, but not including, `to`. */
export interface Bucket {
	readonly from: number
	readonly to: number
	readonly count: number
	/** How many of them have each value that the bars are split by. The others have another value or none. */
	readonly parts?: readonly number[]
}

/** Returns all buckets of a range, with the counts of the groups that an engine returned. */
export function bucketsOf(
	step: Step,
	{ from, to }: { readonly from: number; readonly to: number },
	groups: readonly (readonly [start: number, count: number])[],
): readonly Bucket[] {
	const counts = new Map<number, number>()
	for (const [start, count] of groups) {
		// A start may differ in its last digit.
		const key = step.floor(start + (step.next(start) - start) / 2)
		counts.set(key, (counts.get(key) ?? 0) + count)
	}
	const buckets: Bucket[] = []
	let start = step.floor(from)
	while (start <= to && buckets.length < limit) {
		const next = step.next(start)
		buckets.push({ from: start, to: next, count: counts.get(start) ?? 0 })
		start = next
	}
	return buckets
}

/** Above what any step gives. */
const limit = 400
