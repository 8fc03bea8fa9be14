import { isJsonObject, parseJson } from '@roundhouse/kit/json'
import { expect, test } from 'vitest'
import type { Column } from '../../../host/api/api.ts'
import { documentChanges } from './document-changes.ts'

const column = (name: string, isReadOnly = false): Column => ({
	name,
	type: '',
	kind: 'text',
	isKey: false,
	isReadOnly,
	isSortable: false,
})
const columns = [column('title'), column('author.name'), column('attributes'), column('made', true)]

function changed(before: string, after: string) {
	const document = parseJson(before)
	if (!isJsonObject(document)) throw new Error('not a document')
	return documentChanges(document, parseJson(after), columns)
}

test('a changed document becomes changes of its fields, with every digit', () => {
	const before = '{"title": "x", "n": 1.1, "author": {"name": "a", "age": 4}, "tags": ["x"], "gone": 1}'
	const after = '{"n": 1.10, "title": "x", "author": {"age": 4, "name": "b"}, "tags": ["x", 2], "new": {"deep": null}}'
	expect(changed(before, after)).toEqual({
		changes: [
			{ name: 'n', before: 1.1, after: { number: '1.10' } },
			{ name: 'author.name', before: 'a', after: 'b' },
			{ name: 'tags', before: { json: '["x"]' }, after: { json: '["x",2]' } },
			{ name: 'gone', before: 1, after: { missing: true } },
			{ name: 'new', before: { missing: true }, after: { json: '{"deep":null}' } },
		],
	})
	expect(changed('{"a": {"b": 1}, "c": 2}', '{"c": 2, "a": {"b": 1}}')).toEqual({ changes: [] })
})

test('a column with an object is changed as a whole', () => {
	expect(changed('{"attributes": {"a": 1, "b": 2}}', '{"attributes": {"a": 1, "b": 3}}')).toEqual({
		changes: [{ name: 'attributes', before: { json: '{"a":1,"b":2}' }, after: { json: '{"a":1,"b":3}' } }],
	})
})

test('a document with one invalid change is refused as a whole', () => {
	expect(changed('{}', '[]')).toEqual({ fault: expect.stringContaining('not an object') })
	expect(changed('{"made": 1}', '{"made": 2}')).toEqual({ fault: 'made cannot be changed.' })
	expect(changed('{"a": {"b": 1}, "a.b": 2}', '{"a": {"b": 3}, "a.b": 2}')).toEqual({
		fault: expect.stringContaining('matches two values'),
	})
})
