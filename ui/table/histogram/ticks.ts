import { offsetAt } from '@roundhouse/kit/time-zone'
import { type Clock, zoneOf } from '../time/moment.ts'
import { dayStep, numberStep, type Step, stepIn, timeStep } from './steps.ts'

/** Where the axes of a histogram have ticks. Pure. */

/** A moment that is named on an axis, by the unit that begins there. */
export interface TimeTick {
	readonly at: number
	readonly unit: 'second' | 'minute' | 'day' | 'month' | 'year'
}

const [minute, day] = [60_000, 86_400_000]
/** Between them the bars need no more. */
const mostSteps = 4

/** Fewer weeks than these do not show where a moment is. */
const leastWeeks = 3

/** Returns round numbers from 0 to one that is not below the tallest bar. */
export function countTicks(most: number): readonly number[] {
	const width = Math.max(1, Number(numberStep(0, most, mostSteps).interval))
	return Array.from({ length: Math.max(1, Math.ceil(most / width)) + 1 }, (_, index) => index * width)
}

/** Returns at most `most` round moments of a range, which begin as they do in the zone of the clock. */
export function timeTicks(
	from: number,
	to: number,
	{ clock, most }: { readonly clock: Clock; readonly most: number },
): readonly TimeTick[] {
	const zone = zoneOf(clock)
	const ticksOf = (fixed: Step) => {
		// Hours begin in the zone too.
		const step = stepIn({ ...fixed, isOfCalendar: true }, zone)
		const ticks: TimeTick[] = []
		for (let at = step.floor(from); at <= to; at = step.next(at))
			if (at >= from) ticks.push({ at, unit: unitAt(at + offsetAt(at, zone), fixed.next(0) - fixed.floor(0)) })
		return ticks
	}
	const step = timeStep(from, to, most)
	const ticks = ticksOf(step)
	if (step.interval !== 'week' || ticks.length >= leastWeeks) return ticks.slice(0, most)
	// One or two weeks would have one Monday or two.
	const days = ticksOf(dayStep)
	const each = Math.ceil(days.length / most)
	return days.filter((_, index) => index % each === 0)
}

/** Returns the largest unit that begins at a moment, of those that a step of `width` can tell apart. */
function unitAt(reading: number, width: number): TimeTick['unit'] {
	const date = new Date(reading)
	if (reading % day !== 0) return width < minute ? 'second' : 'minute'
	if (width < 28 * day) return 'day'
	return date.getUTCMonth() === 0 && date.getUTCDate() === 1 ? 'year' : 'month'
}
