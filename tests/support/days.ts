import type { Filter } from '@roundhouse/kit'

/**
 * One table of cases about days, for each engine and each way to ask. The instants and the expected rows are written down,
 * so no code of the product computes them.
 */

/** Rows of the table `moments`: an instant with its microseconds, what a clock without a zone shows, and a day. */
export interface Moment {
	readonly id: number
	readonly at: string
	readonly plain: string
	readonly day: string
}

export interface DayCase {
	readonly zone: string
	readonly moments: readonly Moment[]
	/** Rows by their day: the instant at which it begins, and how many there are. */
	readonly days: readonly (readonly [start: string, count: number])[]
	/** Rows that a filter on `at` finds. */
	readonly found: readonly (readonly [Filter['operator'], readonly string[], readonly number[]])[]
}

const moment = (id: number, at: string): Moment => ({
	id,
	at,
	plain: at.replace('T', ' ').replace('Z', ''),
	day: at.slice(0, 10),
})

export const dayCases: readonly DayCase[] = [
	{
		// The clock goes from 02:00 to 03:00: a day of 23 hours.
		zone: 'Europe/Budapest',
		moments: [
			moment(1, '2026-03-28T22:59:59.999999Z'),
			moment(2, '2026-03-28T23:00:00.000000Z'),
			moment(3, '2026-03-29T21:59:59.999999Z'),
			moment(4, '2026-03-29T22:00:00.000000Z'),
		],
		days: [
			['2026-03-27T23:00:00Z', 1],
			['2026-03-28T23:00:00Z', 2],
			['2026-03-29T22:00:00Z', 1],
		],
		found: [
			['equals', ['2026-03-29'], [2, 3]],
			['not_equals', ['2026-03-29'], [1, 4]],
			['in', ['2026-03-28', '2026-03-30'], [1, 4]],
			['between', ['2026-03-28', '2026-03-29'], [1, 2, 3]],
			['less', ['2026-03-29'], [1]],
			['less_or_equal', ['2026-03-29'], [1, 2, 3]],
			['greater', ['2026-03-29'], [4]],
			['greater_or_equal', ['2026-03-29'], [2, 3, 4]],
			['between', ['2026-03-29', '2026-03-29T22:00:00Z'], [2, 3, 4]],
			['less', ['2026-03-28T23:00:00Z'], [1]],
		],
	},
	{
		// The clock goes back from 03:00 to 02:00: a day of 25 hours.
		zone: 'Europe/Budapest',
		moments: [
			moment(1, '2026-10-24T21:59:59.999999Z'),
			moment(2, '2026-10-24T22:00:00.000000Z'),
			moment(3, '2026-10-25T22:59:59.999999Z'),
			moment(4, '2026-10-25T23:00:00.000000Z'),
		],
		days: [
			['2026-10-23T22:00:00Z', 1],
			['2026-10-24T22:00:00Z', 2],
			['2026-10-25T23:00:00Z', 1],
		],
		found: [
			['equals', ['2026-10-25'], [2, 3]],
			['between', ['2026-10-25', '2026-10-25'], [2, 3]],
		],
	},
	{
		zone: 'Asia/Kolkata',
		moments: [
			moment(1, '2026-02-28T18:29:59.999999Z'),
			moment(2, '2026-02-28T18:30:00.000000Z'),
			moment(3, '2026-03-01T18:29:59.999999Z'),
			moment(4, '2026-03-01T18:30:00.000000Z'),
		],
		days: [
			['2026-02-27T18:30:00Z', 1],
			['2026-02-28T18:30:00Z', 2],
			['2026-03-01T18:30:00Z', 1],
		],
		found: [
			['equals', ['2026-03-01'], [2, 3]],
			['greater', ['2026-02-28'], [2, 3, 4]],
		],
	},
	{
		// Half an hour beside the whole hours, and behind UTC.
		zone: 'America/St_Johns',
		moments: [
			moment(1, '2026-03-08T03:29:59.999999Z'),
			moment(2, '2026-03-08T03:30:00.000000Z'),
			moment(3, '2026-03-09T02:29:59.999999Z'),
			moment(4, '2026-03-09T02:30:00.000000Z'),
		],
		days: [
			['2026-03-07T03:30:00Z', 1],
			['2026-03-08T03:30:00Z', 2],
			['2026-03-09T02:30:00Z', 1],
		],
		found: [
			['equals', ['2026-03-08'], [2, 3]],
			['less_or_equal', ['2026-03-08'], [1, 2, 3]],
		],
	},
	{
		zone: 'UTC',
		moments: [
			moment(1, '2026-02-28T23:59:59.999999Z'),
			moment(2, '2026-03-01T00:00:00.000000Z'),
			moment(3, '2026-03-01T23:59:59.999999Z'),
			moment(4, '2026-03-02T00:00:00.000000Z'),
		],
		days: [
			['2026-02-28T00:00:00Z', 1],
			['2026-03-01T00:00:00Z', 2],
			['2026-03-02T00:00:00Z', 1],
		],
		found: [['equals', ['2026-03-01'], [2, 3]]],
	},
]
