import type { Column } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { asColumnsHave, toCells } from './change-values.ts'

const column = (name: string, kind: Column['kind']): Column => ({
	name,
	type: kind,
	kind,
	isKey: false,
	isReadOnly: false,
	isSortable: false,
})
const columns = [column('name', 'text'), column('photo', 'binary'), column('data', 'json'), column('big', 'number')]

test('bytes are written in the form in which rows have them', () => {
	const rows = [{ name: 'vu8=', photo: 'vu8=' }, { photo: '\\xbeef' }, { photo: null }]
	const inserts = rows.map(row => ({ kind: 'insert', values: toCells(row) }) as const)
	expect(asColumnsHave(inserts, columns)).toEqual([
		{ kind: 'insert', values: { name: 'vu8=', photo: { bytes: 'vu8=' } } },
		{ kind: 'insert', values: { photo: { bytes: 'vu8=' } } },
		{ kind: 'insert', values: { photo: null } },
	])
	const update = { kind: 'update', rowId: '1', set: toCells({ photo: 'vu8=' }) } as const
	expect(asColumnsHave([update], columns)).toEqual([{ ...update, set: { photo: { bytes: 'vu8=' } } }])
	const wrong = [{ kind: 'insert', values: toCells({ photo: 'no bytes' }) }] as const
	expect(() => asColumnsHave(wrong, columns)).toThrow('photo is not base64')
})

test.each([
	['true', { json: '"true"' }],
	['null', { json: '"null"' }],
	['1', { json: '"1"' }],
	['plain', { json: '"plain"' }],
	[{ a: 1 }, { json: '{"a":1}' }],
	[null, null],
	[true, true],
])('the value %j of a column of JSON is written as it was read', (value, cell) => {
	const insert = { kind: 'insert', values: toCells({ data: value, name: 'true' }) } as const
	expect(asColumnsHave([insert], columns)).toEqual([{ kind: 'insert', values: { data: cell, name: 'true' } }])
})

test('a number is accepted as text, with all its digits', () => {
	const insert = (big: string) => ({ kind: 'insert', values: toCells({ big }) }) as const
	expect(asColumnsHave([insert('9007199254740993'), insert('5'), insert('NaN'), insert('1 or 2')], columns)).toEqual([
		{ kind: 'insert', values: { big: { number: '9007199254740993' } } },
		{ kind: 'insert', values: { big: 5 } },
		insert('NaN'),
		insert('1 or 2'),
	])
})
