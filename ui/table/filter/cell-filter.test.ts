import { expect, test } from 'vitest'
import type { Cell, Column } from '../../../host/api/api.ts'
import type { CellFilterUse } from '../../grid/filter-command.ts'
import { cellFilters, inverted } from './cell-filter.ts'

const column = (changes: Partial<Column> = {}): Column => ({
	name: 'c',
	type: '',
	kind: 'text',
	isKey: false,
	isReadOnly: false,
	isSortable: true,
	...changes,
})

test.each<[string, Cell, CellFilterUse, string]>([
	['a text', 'Berlin, Mitte', 'for', 'equals Berlin, Mitte'],
	[
		'a number with digits that a double cannot hold',
		{ number: '12345678901234567890' },
		'out',
		'not_equals 12345678901234567890',
	],
	['an empty text', '', 'out', 'not_equals '],
	['false', false, 'for', 'equals false'],
	['null', null, 'for', 'missing '],
	['a missing field', { missing: true }, 'out', 'exists '],
	['any value', 'x', 'exists', 'exists '],
	['an empty list', { json: '[]' }, 'for', 'missing '],
	['no empty list', { json: '[]' }, 'out', 'exists '],
	['a list', { json: '["a","b",1.50]' }, 'for', 'equals a & equals b & equals 1.50'],
])('%s gives a filter', (_name, cell, use, expected) => {
	const rows = cellFilters(column(), cell, use)
	expect(typeof rows === 'string' ? rows : rows.map(({ operator, text }) => `${operator} ${text}`).join(' & ')).toBe(
		expected,
	)
})

test('a column of JSON that is compared as a whole has a filter for an object, a list and a null of JSON', () => {
	const json = column({ kind: 'json', filterFields: [{ name: 'c', kind: 'json', operators: ['equals', 'exists'] }] })
	for (const text of ['{"a":1}', '[1,2]', 'null', '"x"'])
		expect(cellFilters(json, { json: text }, 'for')).toEqual([{ column: 'c', operator: 'equals', text, isOn: true }])
})

test.each<[string, Column, Cell]>([
	['an object', column(), { json: '{"a":1}' }],
	['a list of objects', column(), { json: '[{"a":1}]' }],
	['a truncated text', column(), { text: 'begin', cutFrom: 20_000 }],
	['a column without operators', column({ filterFields: [{ name: 'c', kind: 'number', operators: [] }] }), 'x'],
	['a column of bytes', column({ kind: 'binary' }), { bytes: 'AA==' }],
])('%s gives a reason instead of a filter', (_name, column, cell) => {
	expect(cellFilters(column, cell, 'for')).toEqual(expect.any(String))
})

test('a filter is inverted if its operator has an opposite', () => {
	const row = { column: 'c', operator: 'less', text: '5', isOn: true } as const
	expect(inverted(row)).toEqual({ ...row, operator: 'greater_or_equal' })
	expect(inverted({ ...row, operator: 'contains' })).toBeUndefined()
})

test('a date that is stored in UTC keeps its instant in a filter, which reads days in another zone', () => {
	const textsOf = (cell: Cell, zone?: 'UTC' | 'none') => {
		const rows = cellFilters(column({ kind: 'date', ...(zone && { zone }) }), cell, 'for')
		return typeof rows === 'string' ? rows : rows.map(({ text }) => text)
	}
	expect(textsOf('2026-03-01', 'UTC')).toEqual(['2026-03-01T00:00:00.000Z'])
	expect(textsOf('2026-03-01T10:30:00.5', 'UTC')).toEqual(['2026-03-01T10:30:00.5Z'])
	expect(textsOf('2026-03-01T10:30:00+02:00', 'UTC')).toEqual(['2026-03-01T10:30:00+02:00'])
	expect(textsOf('2026-03-01', 'none')).toEqual(['2026-03-01'])
	expect(textsOf('2026-03-01')).toEqual(['2026-03-01'])
})
