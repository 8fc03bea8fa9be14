import { StringStream } from '@codemirror/streamparser'
import { expect, test } from 'vitest'
import { jsonToken } from './json-token.ts'

test.each([
	'"2024-01-01T00:00:00.000Z",',
	'"http://localhost:9200"',
	'"never closed: 1',
])('a text that contains a colon is a text: %s', text => {
	const stream = new StringStream(text, 2, 2)
	expect([jsonToken(stream), stream.current()]).toEqual(['string', text.replace(/,$/, '')])
})

test('a text before a colon is a name', () => {
	expect(jsonToken(new StringStream('"a:\\"b" : 1', 2, 2))).toBe('propertyName')
})
