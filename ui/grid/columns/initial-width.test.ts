import { expect, test } from 'vitest'
import type { Column } from '../../../host/api/api.ts'
import { initialWidth, textLengths } from './initial-width.ts'

const column = (name: string, more: Partial<Column> = {}): Column => ({
	name,
	type: 'text',
	kind: 'text',
	isKey: false,
	isReadOnly: false,
	isSortable: true,
	...more,
})
const columns = [column('level'), column('message'), column('n', { kind: 'number' }), column('id', { isKey: true })]

test('a text column is as wide as its longest text in the first rows, within limits', () => {
	const rows = [
		{ id: '1', cells: ['info', 'GET /', 1, 'a'.repeat(30)] },
		{ id: '2', cells: ['warn', 'x'.repeat(500), 2, 'b'] },
	]
	const lengths = textLengths(columns, rows)
	expect([...lengths]).toEqual([
		['level', 4],
		['message', 500],
		['n', 1],
		['id', 30],
	])
	expect(columns.map(column => initialWidth(column, lengths.get(column.name)))).toEqual([93, 420, 74, 236])
})

test('a short value takes what it and its name need', () => {
	const key = column('id', { kind: 'number', isKey: true })
	const rows = [{ id: '1', cells: [101, true, 'open', '2026-01-01'] }]
	const short = [key, column('paid', { kind: 'boolean' }), column('s'), column('d', { kind: 'date' })]
	const lengths = textLengths(short, rows)
	expect(short.map(column => initialWidth(column, lengths.get(column.name)))).toEqual([74, 58 + 28, 65, 26 + 7 * 12])
})

test('a number that grows to six digits stays whole', () => {
	const n = column('n', { kind: 'number' })
	expect(initialWidth(n, 3)).toBe(26 + 8 * 6)
	expect(initialWidth(n, 9)).toBe(26 + 8 * 9)
})

test('without rows, the kind of a column decides its width, and a long name needs more', () => {
	expect(columns.map(column => initialWidth(column, undefined))).toEqual([200, 200, 180, 200])
	expect(initialWidth(column('a.long.name.of.a.column'), 4)).toBe(58 + 7 * 23)
})

test('a date with nanoseconds is shown whole', () => {
	const at = column('at', { kind: 'date' })
	const lengthOf = (date: string) => textLengths([at], [{ id: '1', cells: [date] }]).get('at')
	expect(initialWidth(at, lengthOf('2026-01-01T00:00:00.000Z'))).toBe(26 + 7 * 27)
	expect(initialWidth(at, lengthOf('2026-01-01T00:00:00.123456789Z'))).toBe(26 + 7 * 34)
})

test('a column is as wide in a result as in its table', () => {
	const inTable = column('credit_limit', { kind: 'number', type: 'numeric(12,2)', isKey: true })
	const inResult = column('credit_limit', { kind: 'number', type: 'numeric', isReadOnly: true })
	expect(initialWidth(inResult, 9)).toBe(initialWidth(inTable, 9))
})

test('a JSON column without values takes no room for them', () => {
	const extra = column('extra', { kind: 'json' })
	const lengthOf = (cell: string | null) => textLengths([extra], [{ id: '1', cells: [cell] }]).get('extra')
	expect(initialWidth(extra, lengthOf(null))).toBe(58 + 7 * 5)
	expect(initialWidth(extra, lengthOf('x'.repeat(500)))).toBe(260)
})
