import type { Cell } from '@roundhouse/kit'
import { describe, expect, test } from 'vitest'
import { answerBytes } from '../framework/fitted.ts'
import { rowSet } from './row-set.ts'

const columnsOf = (count: number, prefix = 'a_rather_long_name_of_a_column_') =>
	Array.from({ length: count }, (_, at) => ({ name: `${prefix}${at}`, type: 'text' }))
const rowsOf = (count: number, cells: readonly Cell[]) => Array.from({ length: count }, () => cells)
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
/** The names of the members, the hint and the separators are small beside it. */
const limit = answerBytes + 500

describe('a row set fits the answer', () => {
	test.each<[string, number, Cell, number]>([
		['ten thousand columns', 10_000, 'x', 20],
		['four hundred long values', 400, 'x'.repeat(5_000), 20],
		['four hundred long lists', 400, { json: `[${'1234567890,'.repeat(2_000)}1]` }, 20],
		['values under short names', 400, 'x'.repeat(5_000), 20],
		['values that were not read', 100, { unread: true }, 1_000],
		['ten thousand small rows', 1, 'x', 10_000],
	])('%s', (name, columnCount, cell, rowCount) => {
		const columns = columnsOf(columnCount, name.includes('short names') ? 'c' : undefined)
		const cells = Array.from({ length: columnCount }, () => cell)
		const ids: string[] = []
		const beside = (row: number) => {
			ids[row] = `row ${row} with a long identity`
			return ids[row] as string
		}
		const set = rowSet(columns, rowsOf(rowCount, cells), { beside })
		expect(bytesOf([set, ids.slice(0, set.row_count)])).toBeLessThan(limit)
		expect(set.row_count).toBeGreaterThan(0)
		const rows = set.rows as readonly (readonly unknown[])[]
		expect(new Set(rows.map(row => row.length))).toEqual(new Set([set.columns.length]))
		expect(set.columns_total).toBe(set.columns.length < columnCount ? columnCount : undefined)
		expect(set.is_truncated).toBe(set.row_count < rowCount)
	})

	test('values are cut no more than needed, and each cut is named', () => {
		const few = rowSet(columnsOf(2), rowsOf(1, ['x'.repeat(1_500), 'short']))
		expect(few).toMatchObject({ rows: [[`${'x'.repeat(1_000)}...`, 'short']], cut_cells: [{ row: 0, length: 1_500 }] })
		const many = rowSet(columnsOf(100), rowsOf(1, Array(100).fill('x'.repeat(1_500))))
		expect(many).toMatchObject({ row_count: 1, cut_cells: Array(100).fill({ row: 0, length: 1_500 }) })
	})

	test('a long name leaves out its column alone, and a long identity no row', () => {
		const columns = [{ name: 'x'.repeat(9_000), type: 'text' }, ...columnsOf(2)]
		expect(rowSet(columns, [['left out', 'a', 'b']])).toMatchObject({ rows: [['a', 'b']], columns_total: 3 })
		const first = rowSet(columnsOf(1), [['a'], ['b']], { beside: () => 'x'.repeat(30_000) })
		expect(first).toMatchObject({ rows: [['a']], is_truncated: true })
	})

	test('a set without rows has its columns', () => {
		expect(rowSet(columnsOf(2), [])).toMatchObject({ rows: [], row_count: 0, is_truncated: false })
		expect(rowSet([], [])).toMatchObject({ columns: [], rows: [] })
	})
})

test.each<[string, readonly Cell[], readonly unknown[]]>([
	['an integer beyond 2^53', [1, { number: '9007199254740993' }, null], ['1', '9007199254740993', null]],
	['2^53, which a client cannot tell from the next integer', [9007199254740992, 2], ['9007199254740992', '2']],
	['a decimal of 20 digits', [{ number: '1.2345678901234567890' }, 0.5], ['1.2345678901234567890', '0.5']],
	['a long column with another kind of value', ['NaN', { number: '1e400' }], ['NaN', '1e400']],
	['texts of digits', ['1', 2], ['1', 2]],
	[
		'a list with a long number',
		[7, { json: '[9223372036854775807,1,null]' }],
		['7', ['9223372036854775807', '1', null]],
	],
	['a list of short numbers', [7, { json: '[1.5,2]' }], [7, [1.5, 2]]],
])('%s makes all numbers of its column texts, and no other', (_, cells, values) => {
	const set = rowSet(
		columnsOf(2),
		cells.map(cell => [cell, 7]),
	)
	expect(set.rows).toEqual(values.map(value => [value, 7]))
})

test('a column of JSON keeps its numbers, and a hint says that JavaScript rounds one', () => {
	const cells: readonly Cell[] = [{ json: '{"a":[9007199254740993]}' }, { json: '"b"' }, 1, null]
	const rowsIn = (kind: 'json' | 'other') =>
		rowSet(
			[{ name: 'a', type: 'jsonb', kind }],
			cells.map(cell => [cell]),
		)
	expect(JSON.stringify(rowsIn('json').rows)).toBe('[[{"a":[9007199254740993]}],["b"],[1],[null]]')
	expect(rowsIn('json').hint).toContain('JavaScript rounds a number of the JSON in')
	expect(rowsIn('other').hint).toBeUndefined()
})

test('zeros behind a fraction make no text of a number', () => {
	const set = rowSet(columnsOf(1), [[{ number: '1.10' }], [{ number: '-20.00' }], [2.5]])
	expect(JSON.stringify(set.rows)).toBe('[[1.10],[-20.00],[2.5]]')
})
