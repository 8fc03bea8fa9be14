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
	expect(chartColumns(result([...pairs, ['text', 'other']]))).toBeUndefined()
	expect(chartColumns(result([pairs[0] ?? expect.unreachable()]))).toBeUndefined()
})
