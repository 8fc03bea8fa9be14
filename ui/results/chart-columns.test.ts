import { expect, test } from 'vitest'
import { chartColumns, type ResultRows } from './chart-columns.ts'

const column = (name: string, kind: 'text' | 'number' | 'date') => ({
	name,
	type: '',
	kind,
	isKey: false,
	isReadOnly: true,
	isSortable: true,
})
const result = (
	kinds: readonly ['text' | 'number' | 'date', string][],
	rest: Partial<ResultRows> = {},
): ResultRows => ({
	view: 'rows',
	columns: kinds.map(([kind, name]) => column(name, kind)),
	rows: [
		['2026-01-01', 1],
		['2026-01-02', 2],
	],
	isTruncated: false,
	...rest,
})

test('a number over time or for each of a few keys has a chart', () => {
	const overTime = result([
		['date', 'day'],
		['number', 'count'],
	])
	expect(chartColumns(overTime)).toEqual({ by: 'day', isTime: true, values: ['count'] })
	const overKeys = result([
		['text', 'country'],
		['number', 'count'],
	])
	expect(chartColumns(overKeys)).toEqual({ by: 'country', isTime: false, values: ['count'] })
})

test('a number for each part of a time or a key is stacked, and several numbers are chosen from', () => {
	const rows = ['2026-01', '2026-02'].flatMap(month => ['new', 'paid'].map(status => [month, status, 1]))
	const byStatus = result(
		[
			['date', 'month'],
			['text', 'status'],
			['number', 'count'],
		],
		{ rows },
	)
	expect(chartColumns(byStatus)).toEqual({ by: 'month', isTime: true, values: ['count'], stack: 'status' })
	// Two numbers of one part cannot be told apart, and a text beside each key is no series.
	expect(chartColumns({ ...byStatus, rows: [...rows, ...rows] })).toBeUndefined()
	expect(chartColumns({ ...byStatus, rows: rows.slice(1, 3) })).toBeUndefined()
	const twoNumbers = result([
		['date', 'day'],
		['number', 'count'],
		['number', 'revenue'],
	])
	expect(chartColumns(twoNumbers)).toEqual({ by: 'day', isTime: true, values: ['count', 'revenue'] })
})

test('the columns of the driver come first', () => {
	const chart = { by: 'a', isTime: true, values: ['b'] }
	expect(chartColumns(result([['text', 'a']], { chart }))).toBe(chart)
})

test('a key, a single row, many keys and other columns have no chart', () => {
	const kinds = [
		['text', 'name'],
		['number', 'id'],
	] as const
	const pairs = kinds.map(([kind, name]): ['text' | 'number', string] => [kind, name])
	const origins = [{ table: 't', key: [{ column: 'id', at: 1 }], columns: [0, 1] }]
	expect(chartColumns(result(pairs, { origins }))).toBeUndefined()
	expect(chartColumns(result(pairs, { rows: [['a', 1]] }))).toBeUndefined()
	expect(chartColumns(result(pairs, { rows: Array.from({ length: 201 }, (_, n) => [`${n}`, n]) }))).toBeUndefined()
	const repeated = Array.from({ length: 201 }, (_, n) => [`${n % 5}`, n])
	expect(chartColumns(result(pairs, { rows: repeated }))).toBeUndefined()
	expect(chartColumns(result([...pairs, ['text', 'other']]))).toBeUndefined()
	expect(chartColumns(result([pairs[0] ?? expect.unreachable()]))).toBeUndefined()
})
