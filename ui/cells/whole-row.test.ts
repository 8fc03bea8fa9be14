import { expect, test } from 'vitest'
import type { Cell, Column } from '../../host/api/api.ts'
import { wholeCell } from './whole-row.ts'

const column: Column = { name: 'a.b', type: 't', kind: 'text', isKey: false, isReadOnly: false, isSortable: false }
const missing: Cell = { missing: true }

test('the cell of a whole row has what a page shows: in a list one value for each element', () => {
	expect(wholeCell({ a: [{ b: 1 }, {}] }, column, missing)).toEqual({ json: '[1,null]' })
	expect(wholeCell({ 'a.b': 2, a: { b: 1 } }, column, 'old')).toBe(2)
	expect(wholeCell({ a: { b: 3 } }, { ...column, isReadOnly: true }, 'old')).toBe(3)
})

test('a value that is not in the document is gone, unless the engine keeps it elsewhere', () => {
	expect(wholeCell({}, column, 'old')).toEqual(missing)
	expect(wholeCell({}, column, { unread: true })).toEqual(missing)
	for (const isReadOnly of [true, 'after_insert'] as const)
		expect(wholeCell({}, { ...column, isReadOnly }, 'old')).toBe('old')
})
