import { expect, test } from 'vitest'
import { bucketsOf, numberStep, timeStep } from './steps.ts'

const at = (text: string) => Date.parse(text)
const stepOf = (from: string, to: string) => timeStep(at(from), at(to), 60).interval

test('the width of buckets fits the span, and their number is bounded', () => {
	expect(stepOf('2024-01-01T00:00Z', '2024-01-01T00:15Z')).toBe('30s')
	expect(stepOf('2024-01-01T00:00Z', '2024-01-02T00:00Z')).toBe('30m')
	expect(stepOf('2024-01-01T00:00Z', '2024-12-31T00:00Z')).toBe('week')
	expect(stepOf('1990-01-01T00:00Z', '2024-01-01T00:00Z')).toBe('year')
	for (const [from, to] of [
		['2024-01-01T00:00Z', '2024-01-01T00:00Z'],
		['2023-12-31T23:59Z', '2024-02-11T00:00Z'],
		['0001-01-01T00:00Z', '9999-12-31T00:00Z'],
	] as const) {
		const range = { from: at(from), to: at(to) }
		expect(bucketsOf(timeStep(range.from, range.to, 60), range, []).length).toBeLessThanOrEqual(61)
	}
})

test('empty buckets are filled in, by months of the calendar', () => {
	const range = { from: at('2021-11-20T00:00Z'), to: at('2024-02-03T00:00Z') }
	const buckets = bucketsOf(timeStep(range.from, range.to, 60), range, [[at('2024-02-01T00:00Z'), 7]])
	expect(buckets[0]).toEqual({ from: at('2021-11-01T00:00Z'), to: at('2021-12-01T00:00Z'), count: 0 })
	expect(buckets.at(-1)).toEqual({ from: at('2024-02-01T00:00Z'), to: at('2024-03-01T00:00Z'), count: 7 })
	expect(buckets).toHaveLength(28)
})

test('buckets of numbers have round edges', () => {
	const range = { from: 0.13, to: 3.2 }
	const step = numberStep(range.from, range.to, 32)
	expect(step.interval).toBe('0.1')
	const buckets = bucketsOf(step, range, [[0.30000000000000004, 2]])
	expect(buckets.slice(0, 3).map(({ from, count }) => [from, count])).toEqual([
		[0.1, 0],
		[0.2, 0],
		[0.3, 2],
	])
	expect(bucketsOf(numberStep(5, 5, 32), { from: 5, to: 5 }, [[5, 9]])).toEqual([{ from: 5, to: 6, count: 9 }])
})
