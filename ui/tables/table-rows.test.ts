import { expect, test } from 'vitest'
import { columnsOf, found, linesOf, nameColumn } from './table-rows.ts'

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
	const options = { isGrouped: true, sort: { column: 'Name', direction: 'ascending' }, isOpen: () => false } as const
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
	const columns = columnsOf(tables, 'Documents')
	expect(columns.map(({ title }) => title)).toEqual(['Documents', 'Created'])
	const order = (direction: 'ascending' | 'descending') =>
		linesOf(tables, { isGrouped: false, sort: { column: 'Documents', direction }, isOpen: () => false }, columns).map(
			line => line.kind === 'table' && line.table.name,
		)
	expect(order('ascending')).toEqual(['a', 'b', 'c'])
	expect(order('descending')).toEqual(['b', 'a', 'c'])
})
