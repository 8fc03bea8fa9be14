import { expect, test } from 'vitest'
import type { Cell, Row } from '../../host/api/api.ts'
import { createSlices } from './slices.ts'
import { type RowSort, sortedInSlices, sortedRows } from './sorted-rows.ts'

const rowsOf = (cells: readonly (readonly Cell[])[]) => cells.map((cells, at): Row => ({ id: String(at), cells }))
const ordered = (cells: readonly Cell[], direction: RowSort['direction'] = 'asc') =>
	sortedRows(rowsOf(cells.map(cell => [cell])), [{ column: 0, direction }]).map(({ cells: [cell] }) => cell)

test('numbers go by value, sizes by bytes, and rows without a value are last in both directions', () => {
	expect(ordered([10, 9, null, { number: '1.50' }, { missing: true }])).toEqual([
		{ number: '1.50' },
		9,
		10,
		null,
		{ missing: true },
	])
	expect(ordered(['1.7mb', '731.2kb', '0b', '2gb'], 'desc')).toEqual(['2gb', '1.7mb', '731.2kb', '0b'])
	expect(ordered([null, 'node-10', 'node-9'])).toEqual(['node-9', 'node-10', null])
})

test('numbers that are one double go by all their digits', () => {
	const numbers = [
		'9007199254740993',
		'9007199254740992',
		'17144233728206122484',
		'17144233728206122483',
		'0.30000000000000000001',
		'0.3',
	]
	const cells = numbers.map(number => ({ number }))
	expect(ordered(cells).map(cell => (cell as { number: string }).number)).toEqual([
		'0.3',
		'0.30000000000000000001',
		'9007199254740992',
		'9007199254740993',
		'17144233728206122483',
		'17144233728206122484',
	])
	expect(ordered(['a', { number: '9007199254740993' }, 1])).toEqual([1, { number: '9007199254740993' }, 'a'])
})

test('a second column orders the rows that are equal in the first, and others keep their order', () => {
	const rows = rowsOf([
		['a', 1],
		['b', 1],
		['a', 2],
		['a', 1],
	])
	const ids = (sorts: readonly RowSort[]) => sortedRows(rows, sorts).map(({ id }) => id)
	expect(ids([{ column: 0, direction: 'desc' }])).toEqual(['1', '0', '2', '3'])
	expect(
		ids([
			{ column: 0, direction: 'asc' },
			{ column: 1, direction: 'desc' },
		]),
	).toEqual(['2', '0', '3', '1'])
	expect(ids([])).toEqual(['0', '1', '2', '3'])
})

test.each([0, 1, 499, 500, 501, 1500, 7_777])('%i rows have the same order in slices', async count => {
	// Each value several times, texts among numbers, and some without one.
	const cells = Array.from({ length: count }, (_, at): readonly Cell[] => {
		const value = (at * 7919) % 311
		return [value % 5 === 0 ? null : value % 3 === 0 ? `t${value}` : value, value % 7]
	})
	const sorts = [
		{ column: 0, direction: 'desc' },
		{ column: 1, direction: 'asc' },
	] as const
	const rows = rowsOf(cells)
	expect(await sortedInSlices(rows, sorts, createSlices(new AbortController().signal))).toEqual(sortedRows(rows, sorts))
})

test('work that is given up ends at its next pause', async () => {
	const given = new AbortController()
	const slices = createSlices(given.signal)
	const work = async () => {
		for (;;) await slices.pause()
	}
	const end = work()
	given.abort(new Error('another order'))
	await expect(end).rejects.toThrow('another order')
})
