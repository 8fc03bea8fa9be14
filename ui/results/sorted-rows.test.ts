import { expect, test } from 'vitest'
import type { Cell } from '../../host/api/api.ts'
import { sortedBy, sortedRows } from './sorted-rows.ts'

const ordered = (cells: readonly Cell[], direction: 'ascending' | 'descending' = 'ascending') =>
	sortedRows(
		cells.map(cell => [cell]),
		{ column: 0, direction },
	).map(([cell]) => cell)

test('a click sorts ascending, another one descending, a third one not at all', () => {
	const first = sortedBy(undefined, 2)
	const second = sortedBy(first, 2)
	expect([first, second, sortedBy(second, 2)]).toEqual([
		{ column: 2, direction: 'ascending' },
		{ column: 2, direction: 'descending' },
		undefined,
	])
	expect(sortedBy(first, 1)).toEqual({ column: 1, direction: 'ascending' })
})

test('numbers go by value, sizes by bytes, and rows without a value are last in both directions', () => {
	expect(ordered([10, 9, null, { number: '1.50' }, { missing: true }])).toEqual([
		{ number: '1.50' },
		9,
		10,
		null,
		{ missing: true },
	])
	expect(ordered(['1.7mb', '731.2kb', '0b', '2gb'], 'descending')).toEqual(['2gb', '1.7mb', '731.2kb', '0b'])
	expect(ordered([null, 'node-10', 'node-9'])).toEqual(['node-9', 'node-10', null])
})

test('equal rows keep their order', () => {
	const rows = [
		['a', 1],
		['a', 2],
	]
	expect(sortedRows(rows, { column: 0, direction: 'descending' })).toEqual(rows)
})
