import { expect, test } from 'vitest'
import { countTicks, timeTicks } from './ticks.ts'

test.each([
	[0, [0, 1]],
	[1, [0, 1]],
	[2, [0, 1, 2]],
	[7, [0, 5, 10]],
	[1_300, [0, 500, 1_000, 1_500]],
	[1_500, [0, 500, 1_000, 1_500]],
])('the counts up to %i have round ticks from 0 to above it', (most, ticks) => {
	expect(countTicks(most)).toEqual(ticks)
})

const at = (text: string) => Date.parse(text)
const ticks = (from: string, to: string, clock = 'utc', most = 9) =>
	timeTicks(at(from), at(to), { clock, most }).map(({ at, unit }) => `${new Date(at).toISOString()} ${unit}`)

test('ticks of minutes are whole minutes within the range', () => {
	expect(ticks('2026-11-28T08:16:30Z', '2026-11-28T08:36:00Z')).toEqual([
		'2026-11-28T08:20:00.000Z minute',
		'2026-11-28T08:25:00.000Z minute',
		'2026-11-28T08:30:00.000Z minute',
		'2026-11-28T08:35:00.000Z minute',
	])
})

test('the start of a day is a day, and that of a year a year', () => {
	expect(ticks('2026-12-31T18:00:00Z', '2027-01-01T10:00:00Z')).toEqual([
		'2026-12-31T18:00:00.000Z minute',
		'2026-12-31T21:00:00.000Z minute',
		'2027-01-01T00:00:00.000Z day',
		'2027-01-01T03:00:00.000Z minute',
		'2027-01-01T06:00:00.000Z minute',
		'2027-01-01T09:00:00.000Z minute',
	])
	expect(ticks('2026-10-15T00:00:00Z', '2027-02-10T00:00:00Z')).toEqual([
		'2026-11-01T00:00:00.000Z month',
		'2026-12-01T00:00:00.000Z month',
		'2027-01-01T00:00:00.000Z year',
		'2027-02-01T00:00:00.000Z month',
	])
})

test('a week or two have days as ticks, as many as there is room for', () => {
	const days = (from: string, to: string, most: number) =>
		ticks(from, to, 'utc', most).map(tick => tick.slice(5, 10) + tick.slice(24))
	expect(days('2026-11-23T18:00:00Z', '2026-11-30T21:00:00Z', 7)).toEqual([
		'11-24 day',
		'11-25 day',
		'11-26 day',
		'11-27 day',
		'11-28 day',
		'11-29 day',
		'11-30 day',
	])
	expect(days('2026-11-16T18:00:00Z', '2026-11-30T21:00:00Z', 6)).toEqual([
		'11-17 day',
		'11-20 day',
		'11-23 day',
		'11-26 day',
		'11-29 day',
	])
})

test('days and hours begin where they do in the shown zone, also in a night that is longer', () => {
	expect(ticks('2026-10-23T22:00:00Z', '2026-10-26T12:00:00Z', 'Europe/Berlin', 5)).toEqual([
		'2026-10-23T22:00:00.000Z day',
		'2026-10-24T22:00:00.000Z day',
		'2026-10-25T23:00:00.000Z day',
	])
	expect(ticks('2026-11-28T00:00:00Z', '2026-11-28T12:00:00Z', 'Asia/Kolkata', 6)).toEqual([
		'2026-11-28T00:30:00.000Z minute',
		'2026-11-28T03:30:00.000Z minute',
		'2026-11-28T06:30:00.000Z minute',
		'2026-11-28T09:30:00.000Z minute',
	])
})
