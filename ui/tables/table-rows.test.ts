import { expect, test } from 'vitest'
import type { Table } from '../../host/api/api.ts'
import { columnsOf, found, linesOf, nameColumn } from './table-rows.ts'

const words = { rows: 'Documents', table: 'index' }

const names = (...all: readonly string[]) => all.map(name => ({ name }))

test.each([
	['log', ['app-log', 'logs-1', 'logs-2']],
	['LOGS-*', ['logs-1', 'logs-2']],
	['*-?', ['logs-1', 'logs-2']],
	['a*g', ['app-log']],
	['', ['app-log', 'logs-1', 'logs-2', 'users']],
])('%j finds %j', (text, expected) => {
	expect(found(text, names('app-log', 'logs-1', 'logs-2', 'users')).map(({ name }) => name)).toEqual(expected)
})

test('a pattern of many stars is matched without backtracking', () => {
	expect(found(`${'*a'.repeat(50)}b`, names('a'.repeat(2_000)))).toEqual([])
})

test('names that differ by a date or a long number at their end are one group', () => {
	const tables = names('logs-2026.11.24', 'logs-2026.11.25', 'ilm-000001', 'ilm-000002', 'v1', 'v2', 'once-2026.01.01')
	const options = { isGrouped: true, sort: [{ column: 0, direction: 'asc' }], isOpen: () => false } as const
	const lines = linesOf(tables, options, [nameColumn])
	expect(lines.map(line => (line.kind === 'group' ? `${line.name} ${line.tables.length}` : line.table.name))).toEqual([
		'ilm-* 2',
		'logs-* 2',
		'once-2026.01.01',
		'v1',
		'v2',
	])
})

test('numbers sort by value, and tables without a value are last in both directions', () => {
	const tables = [
		{ name: 'a', rowCount: 9 },
		{ name: 'b', rowCount: 100 },
		{ name: 'c', details: [{ name: 'Created', value: '2026' }] },
	]
	const columns = columnsOf(tables, words)
	expect(columns.map(({ title }) => title)).toEqual(['Documents', 'Created'])
	const order = (direction: 'asc' | 'desc') =>
		linesOf(tables, { isGrouped: false, sort: [{ column: 1, direction }], isOpen: () => false }, [
			nameColumn,
			...columns,
		]).map(line => line.kind === 'table' && line.table.name)
	expect(order('asc')).toEqual(['a', 'b', 'c'])
	expect(order('desc')).toEqual(['b', 'a', 'c'])
})

test('a plain table has a kind beside those of another one', () => {
	const kinds = (...tables: readonly Table[]) => {
		const column = columnsOf(tables, words).find(({ title }) => title === 'Kind')
		return column && tables.map(table => column.text(table))
	}
	expect(kinds({ name: 'a' }, { name: 'b', kind: 'alias' })).toEqual(['index', 'alias'])
	expect(kinds({ name: 'a' }, { name: 'b' })).toBeUndefined()
})

test('a column marks the health that the driver gives a value', () => {
	const detail = (value: string, state?: 'good' | 'warning') => [{ name: 'Health', value, ...(state && { state }) }]
	const tables = [
		{ name: 'a', details: detail('green', 'good') },
		{ name: 'b', details: detail('yellow', 'warning'), condition: { state: 'closed', text: 'Closed.' } },
		{ name: 'c', details: detail('unknown') },
	] as const
	const states = Object.fromEntries(
		columnsOf(tables, words).map(({ title, state }) => [title, tables.map(one => state?.(one))]),
	)
	expect(states).toEqual({ State: [undefined, 'closed', undefined], Health: ['good', 'warning', undefined] })
})

test('a group sums what is known, and says if a part is unknown or an estimate', () => {
	const sum = (title: string, tables: readonly Table[]) =>
		columnsOf(tables, words)
			.find(column => column.title === title)
			?.sum?.(tables)
	const rowsOf = (...tables: readonly object[]) =>
		sum(
			'Documents',
			tables.map(table => ({ name: 'a', ...table })),
		)
	expect(rowsOf({ rowCount: 1_000 }, { rowCount: 0 })).toBe('1,000')
	expect(rowsOf({ rowCount: 1_000 }, { rowCount: 7, isRowCountEstimated: true })).toBe('≈ 1,007')
	expect(rowsOf({ rowCount: 1_000, isRowCountEstimated: true }, {})).toBe('≥ 1,000')
	expect(rowsOf({}, {})).toBeUndefined()
	expect(sum('Size', [{ name: 'a', sizeBytes: 2_000 }, { name: 'b' }])).toBe('≥ 2.0 kB')
})
