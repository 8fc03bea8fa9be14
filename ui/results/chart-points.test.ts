import { expect, test } from 'vitest'
import type { Cell, ConsoleResult } from '../../host/api/api.ts'
import {
	type ChartData,
	chartOf,
	chartPoints,
	drawnBars,
	mostBars,
	mostDots,
	partsOf,
	shortTime,
	ticksOf,
} from './chart-points.ts'

const column = (name: string) => ({
	name,
	type: '',
	kind: 'number',
	isKey: false,
	isReadOnly: true,
	isSortable: false,
})
type Rows = readonly (readonly Cell[])[]
function chart(rows: Rows, isTime: boolean, { names = ['by', 'n'], stack }: { names?: string[]; stack?: string } = {}) {
	const body = {
		view: 'rows',
		columns: names.map(column),
		rows,
		isTruncated: false,
		chart: { by: 'by', isTime, values: ['n'], ...(stack !== undefined && { stack }) },
	}
	return chartOf(body as Extract<ConsoleResult['body'], { view: 'rows' }>) as ChartData
}

const plain = { part: '', from: 0 }

test('values over time are in order of time, with their source values', () => {
	const rows = chart(
		[
			['2024-01-02', { number: '1.50' }],
			['2024-01-01', null],
			['no date', 3],
		],
		true,
	)
	expect(chartPoints(rows, 1)).toEqual([
		{ ...plain, label: '2024-01-01', at: Date.parse('2024-01-01'), value: undefined, text: '' },
		{ ...plain, label: '2024-01-02', at: Date.parse('2024-01-02'), value: 1.5, text: '1.50' },
	])
})

test('keys keep their order, and of more bars than fit the extremes are drawn', () => {
	const rows = Array.from({ length: 3000 }, (_, n): Cell[] => [`k${n}`, n === 1234 ? 9e9 : n === 2345 ? -7 : n % 10])
	const points = chartPoints(chart(rows, false), 1)
	expect(points).toHaveLength(3000)
	expect(points[1]).toEqual({ ...plain, label: 'k1', at: 1, value: 1, text: '1' })
	const drawn = drawnBars(points, false)
	expect(drawn.length).toBeLessThanOrEqual(mostBars)
	expect(drawn.map(({ at }) => at)).toEqual(drawn.map((_, index) => index))
	expect(drawn.filter(({ value = 0 }) => value > 9 || value < 0).map(({ label }) => label)).toEqual(['k1234', 'k2345'])
	expect(drawnBars(points.slice(0, mostBars), false)).toEqual(points.slice(0, mostBars))
})

test('bars of very many parts are fewer, and keep all parts', () => {
	const rows = Array.from({ length: 250 }, (_, bar) =>
		Array.from({ length: 100 }, (_, part): Cell[] => [`b${bar}`, `p${part}`, bar + part]),
	).flat()
	const points = chartPoints(chart(rows, false, { names: ['by', 'part', 'n'], stack: 'part' }), 2)
	const drawn = drawnBars(points, false)
	expect(drawn.length).toBeLessThanOrEqual(10_000)
	expect(drawn.filter(({ label }) => label === 'b249')).toHaveLength(100)
})

test('a column of values with the name of the keys is found, and equal keys have separate bars', () => {
	const named = chartOf({
		view: 'rows',
		columns: ['n', 'n'].map(column),
		rows: [
			['a', 3],
			['a', 4],
		],
		isTruncated: false,
		chart: { by: 'n', isTime: false, values: ['n'] },
	} as Extract<ConsoleResult['body'], { view: 'rows' }>) as ChartData
	expect([named.by, named.values]).toEqual([0, [1]])
	expect(chartPoints(named, 1).map(({ at, value }) => [at, value])).toEqual([
		[0, 3],
		[1, 4],
	])
})

test('parts of a bar are stacked by sign, in one order in all bars, and rows over all parts are left out', () => {
	const rows: Rows = [
		['a', { missing: true }, 9],
		['a', 'x', 3],
		['a', null, 4],
		['a', 'y', -2],
		['b', 'y', 5],
		['a', 'z', -1],
	]
	const points = chartPoints(chart(rows, false, { names: ['by', 'part', 'n'], stack: 'part' }), 2)
	expect(points.map(({ label, part, at, from, value }) => [label, part, at, from, value])).toEqual([
		['a', 'y', 0, 0, -2],
		['a', 'null', 0, 0, 4],
		['a', 'x', 0, 4, 3],
		['a', 'z', 0, -2, -1],
		['b', 'y', 1, 0, 5],
	])
	expect(partsOf(points)).toEqual(['y', 'null', 'x', 'z'])
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
	const points = chartPoints(chart(rows, true), 1)
	expect(points.length).toBeLessThanOrEqual(mostDots)
	expect(ticksOf(Array.from({ length: 1_000_000 }, (_, n) => n % 10))).toEqual([0, 5, 10])
	const odd = chartPoints(
		chart(
			[
				['a', { number: '1e400' }],
				['b', 'words'],
				['c', 1],
			],
			false,
		),
		1,
	)
	expect(odd.map(({ value, text }) => [value, text])).toEqual([
		[undefined, '1e400'],
		[undefined, 'words'],
		[1, '1'],
	])
	expect(ticksOf([1e308, -1e308]).every(Number.isFinite)).toBe(true)
	expect(ticksOf([5e-324]).length).toBeLessThan(20)
	const far = chartPoints(
		chart(
			[
				[{ number: '1e20' }, 1],
				[8.64e15 + 1, 1],
				['2024-01-01', 1],
			],
			true,
		),
		1,
	)
	expect(far.map(({ label }) => label)).toEqual(['2024-01-01'])
})

test('a time is formatted like in the engine, by day or by minute', () => {
	const at = (label: string) => ({ ...plain, label, at: Date.parse(label), value: 1, text: '1' })
	const [first, next, last] = ['2024-01-01T00:00:00.000Z', '2024-01-01T06:30:00.000Z', '2024-03-01T00:00:00.000Z'].map(
		at,
	)
	if (!first || !next || !last) throw new Error('no points')
	expect(shortTime(next, [first, last])).toBe('2024-01-01')
	expect(shortTime(next, [first, next])).toBe('01-01 06:30')
	expect(shortTime(next, [first, next, last])).toBe('01-01 06:30')
	expect(shortTime({ ...next, label: '1704090600000' }, [first, next])).toBe('01-01 06:30')
	const days = ['2026-03-29 00:00:00+01', '2026-03-30 00:00:00+02', '2026-04-01 00:00:00+02'].map(at)
	expect(days.map(day => shortTime(day, days))).toEqual(['2026-03-29', '2026-03-30', '2026-04-01'])
})
