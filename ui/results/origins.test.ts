import { expect, test } from 'vitest'
import type { Cell } from '../../host/api/api.ts'
import type { ResultRows } from './chart-columns.ts'
import { originRows } from './origins.ts'

const column = { name: 'c', type: 'int', kind: 'number', isKey: false, isReadOnly: true, isSortable: false } as const
const resultOf = (rows: readonly (readonly Cell[])[]): ResultRows => ({
	view: 'rows',
	isTruncated: false,
	columns: rows[0]?.map(() => column) ?? [],
	rows,
	origins: [
		{ table: 'orders', key: [{ column: 'id', at: 0 }], columns: [0, 1] },
		{
			table: 'lines',
			columns: [2, 3],
			key: [
				{ column: 'order', at: 2 },
				{ column: 'line', at: 3 },
			],
		},
	],
})

test('rows are named by the key of their table, that of the column first', () => {
	const rows = resultOf([
		[1, 'a', 1, 7],
		[2, 'b', 2, 8],
		[2, 'b', 2, 9],
	])
	const all = { top: 0, bottom: 2 }
	expect(originRows(rows, all, 1)).toEqual([
		{ table: 'orders', hasColumn: true, filters: [{ column: 'id', operator: 'in', text: '1\n2' }] },
	])
	const ofLine = [
		{ column: 'order', operator: 'equals', text: '2' },
		{ column: 'line', operator: 'equals', text: '8' },
	]
	expect(originRows(rows, { top: 1, bottom: 1 }, 3)[0]).toEqual({ table: 'lines', hasColumn: true, filters: ofLine })
	// No filter can name rows of two columns, and the other table is not meant.
	expect(originRows(rows, all, 3)).toEqual([])
	expect(originRows(rows, { top: 1, bottom: 2 }, 0)[0]?.filters).toEqual([
		{ column: 'id', operator: 'equals', text: '2' },
	])
})

test('of two rows of one table, the one of the column is opened, and a column of an unknown row opens none', () => {
	const person = { table: 'person' }
	const rows: ResultRows = {
		...resultOf([[1, 'a', 2, 'b', 'ab', 'c']]),
		origins: [
			{ ...person, key: [{ column: 'id', at: 0 }], columns: [0, 1] },
			{ ...person, key: [{ column: 'id', at: 2 }], columns: [2, 3] },
			{ ...person, key: [], columns: [5] },
		],
	}
	const textsAt = (at: number) =>
		originRows(rows, { top: 0, bottom: 0 }, at).map(({ by, filters }) => [by, filters[0]?.text])
	expect(textsAt(1)).toEqual([[undefined, '1']])
	expect(textsAt(3)).toEqual([[undefined, '2']])
	expect(textsAt(4)).toEqual([
		['c', '1'],
		['c', '2'],
	])
	expect(textsAt(5)).toEqual([])
})

test('a row without a key, or a list that no filter can hold, opens nowhere', () => {
	expect(originRows(resultOf([[null, 'a', null, 7]]), { top: 0, bottom: 0 }, 0)).toEqual([])
	const broken = resultOf([
		['a\nb', '', null, null],
		['c', '', null, null],
	])
	expect(originRows(broken, { top: 0, bottom: 1 }, 0)).toEqual([])
	expect(originRows(broken, { top: 0, bottom: 0 }, 0)).toHaveLength(1)
})
