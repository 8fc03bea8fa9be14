import { expect, test } from 'vitest'
import type { Column } from '../../../host/api/api.ts'
import { newRowOf, parseObjects, unwrapped } from './pasted-objects.ts'

const column = (name: string, more: Partial<Column> = {}): Column => ({
	name,
	type: 'text',
	kind: 'text',
	isKey: false,
	isReadOnly: false,
	isSortable: true,
	...more,
})

test('an object, a list of objects and one object in each line are rows, and other texts are none', () => {
	expect(parseObjects('{"a":1}')).toEqual([{ a: 1 }])
	expect(parseObjects(' [ {"a":1},\n{"a":2} ]')).toEqual([{ a: 1 }, { a: 2 }])
	expect(parseObjects('{"a":1}\n\n{"a":12345678901234567890}\n')).toHaveLength(2)
	for (const text of ['a\tb', '[1, 2]', '{"a":1} x', '{"a":1}\n7', '', '[]', '{not json'])
		expect(parseObjects(text)).toBeUndefined()
})

test('a document keeps its key, and a column with dots becomes a value inside', () => {
	const columns = [column('_id', { isKey: true }), column('_index', { isReadOnly: true }), column('author.name')]
	const object = { _id: 'x', _index: 'books', 'author.name': 'Ada', tags: ['a'], price: 1 }
	const { values, left } = newRowOf({ values: object }, columns, true)
	expect(values).toEqual({ _id: 'x', author: { json: '{"name":"Ada"}' }, tags: { json: '["a"]' }, price: 1 })
	expect(left).toEqual(['_index'])
})

test('a row of a table has values of its columns alone', () => {
	const columns = [column('id', { isKey: true }), column('twice', { generated: 'always' }), column('name')]
	const { values, left } = newRowOf({ values: { id: 1, twice: 2, name: null, other: 3 } }, columns, false)
	expect([values, left]).toEqual([{ id: 1, name: null }, ['twice', 'other']])
})

test('rows are taken out of an export, of a whole answer, and of pairs of lines', () => {
	const wrapping = { values: 'doc', beside: ['id', 'route'], list: ['found', 'list'], before: ['add'] }
	const rowsOf = (text: string) => unwrapped(parseObjects(text) ?? [], wrapping)
	const one = { values: { a: 1 }, beside: { id: '1' } }
	const two = { values: { a: 2 }, beside: { id: '2', route: 'r' } }
	const lines = ['{"table":"t","id":"1","doc":{"a":1}}', '{"table":"t","id":"2","route":"r","doc":{"a":2}}']
	expect(rowsOf(lines.join('\n'))).toEqual([one, two])
	expect(rowsOf(`{"took":3,"found":{"list":[${lines.join()}]}}`)).toEqual([one, two])
	expect(rowsOf('{"add":{"id":"1"}}\n{"a":1}\n{"add":{"id":"2","route":"r"}}\n{"a":2}')).toEqual([one, two])
	expect(rowsOf('{"a":1}\n{"add":7}')).toEqual([{ values: { a: 1 } }, { values: { add: 7 } }])
	for (const text of ['{"add":{"id":"1"}}', '{"a":1}\n{"add":{"id":"1"}}'])
		expect(rowsOf(text).map(({ values }) => values)).toEqual(parseObjects(text))
	expect(unwrapped([{ doc: { a: 1 } }], undefined)).toEqual([{ values: { doc: { a: 1 } } }])
	// A document of any shape takes no value that is no column of it.
	expect(newRowOf(two, [column('id', { isKey: true })], true)).toMatchObject({
		values: { id: '2', a: 2 },
		left: ['route'],
	})
})
