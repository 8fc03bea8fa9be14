import { expect, test } from 'vitest'
import type { Cell, ConsoleResult } from '../../host/api/api.ts'
import { chartPoints, mostBars, mostDots, shortTime, ticksOf } from './chart-points.ts'

const column = (name: string) => ({
	...{ name, type: '', kind: 'number', isKey: false, isReadOnly: true, isSortable: false },
})
const rowsOf = (rows: readonly (readonly Cell[])[], isTime: boolean) =>
	({
		...{ view: 'rows', columns: ['by', 'n'].map(column), rows, isTruncated: false },
		chart: { by: 'by', isTime, values: ['n'] },
	}) as Extract<ConsoleResult['body'], { view: 'rows' }>

test('values over time are in order of time, with their source values', () => {
	const rows = rowsOf(
		[
			['2024-01-02', { number: '1.50' }],
			['2024-01-01', null],
			['no date', 3],
		],
		true,
	)
	expect(chartPoints(rows, 'n')).toEqual([
		{ label: '2024-01-01', at: Date.parse('2024-01-01'), value: undefined, text: '' },
		{ label: '2024-01-02', at: Date.parse('2024-01-02'), value: 1.5, text: '1.50' },
	])
})

test('keys keep their order, and are limited to a readable number', () => {
	const rows = Array.from({ length: 100 }, (_, n): Cell[] => [`k${n}`, n])
	const points = chartPoints(rowsOf(rows, false), 'n')
	expect(points).toHaveLength(mostBars)
	expect(points[1]).toEqual({ label: 'k1', at: 1, value: 1, text: '1' })
})

test('an axis has round numbers, including zero', () => {
	expect(ticksOf([3, 97])).toEqual([0, 50, 100])
	expect(ticksOf([0.1, 0.35])).toEqual([0, 0.1, 0.2, 0.3, 0.4])
	expect(ticksOf([-5, 15])).toEqual([-5, 0, 5, 10, 15])
	expect(ticksOf([])).toEqual([0, 1])
	expect(ticksOf([7e9])).toEqual([0, 2e9, 4e9, 6e9, 8e9])
})

test('a million points, or numbers beyond a double, do not break the chart', () => {
	const rows = Array.from({ length: 1_000_000 }, (_, n): Cell[] => [n * 1000, n === 500_000 ? 7e9 : n % 10])
	const points = chartPoints(rowsOf(rows, true), 'n')
	expect(points.length).toBeLessThanOrEqual(mostDots)
	expect(ticksOf(Array.from({ length: 1_000_000 }, (_, n) => n % 10))).toEqual([0, 5, 10])
	const odd = chartPoints(
		rowsOf(
			[
				['a', { number: '1e400' }],
				['b', 'words'],
				['c', 1],
			],
			false,
		),
		'n',
	)
	expect(odd.map(({ value, text }) => [value, text])).toEqual([
		[undefined, '1e400'],
		[undefined, 'words'],
		[1, '1'],
	])
	expect(ticksOf([1e308, -1e308]).every(Number.isFinite)).toBe(true)
	expect(ticksOf([5e-324]).length).toBeLessThan(20)
	const far = chartPoints(
		rowsOf(
			[
				[{ number: '1e20' }, 1],
				[8.64e15 + 1, 1],
				['2024-01-01', 1],
			],
			true,
		),
		'n',
	)
	expect(far.map(({ label }) => label)).toEqual(['2024-01-01'])
})

test('a time is formatted like in the engine, by day or by minute', () => {
	const at = (label: string) => ({ label, at: Date.parse(label), value: 1, text: '1' })
	const [first, next, last] = ['2024-01-01T00:00:00.000Z', '2024-01-01T06:30:00.000Z', '2024-03-01T00:00:00.000Z'].map(
		at,
	)
	if (!first || !next || !last) throw new Error('no points')
	expect(shortTime(next, [first, last])).toBe('2024-01-01')
	expect(shortTime(next, [first, next])).toBe('01-01 06:30')
	expect(shortTime({ ...next, label: '1704090600000' }, [first, next])).toBe('01-01 06:30')
})
