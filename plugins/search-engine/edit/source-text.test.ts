import { parseJson } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { editText, indented, sourceTextOf } from './source-text.ts'

const source = '{"b":1.10, "10":1e400 ,"2":{"x":[ {"k":1},{"k":12345678901234567890} ]},"a.b":"ü"}'

test('extracts the source of an answer unchanged', () => {
	expect(sourceTextOf(`{"_id":"_source","_source":${source},"found":true}`)).toBe(source)
	expect(sourceTextOf('{"found":true}')).toBe('{}')
})

test('keeps digits, spaces and the order of keys outside of an edit', () => {
	const edited = editText(source, [
		{ place: ['2', 'x', 0, 'k'], value: parseJson('2.50') },
		{ place: ['b'], value: undefined },
		{ place: ['new', 'key'], value: ['x'] },
	])
	expect(edited).toContain('"10":1e400 ,"2":{"x":[ {"k":2.50},{"k":12345678901234567890} ]},"a.b":"ü"')
	expect(parseJson(edited)).toMatchObject({ new: { key: ['x'] } })
	expect(edited).not.toContain('"b":')
})

test('indents a text without changing its tokens', () => {
	expect(indented('{"10":1.10,"2":[]}')).toBe('{\n  "10": 1.10,\n  "2": []\n}')
})

test('editing all elements of a long array takes time linear in the document', () => {
	const elements = 20_000
	const text = `{"lines":[${Array.from({ length: elements }, (_, at) => (at % 2 ? '{"n":1.10,"old":0}' : '{}')).join()}],"gone":1}`
	const edits = Array.from({ length: elements }, (_, at) => ({ place: ['lines', at, 'n'], value: at }))
	const removals = Array.from({ length: elements }, (_, at) => ({ place: ['lines', at, 'old'], value: undefined }))
	const edited = editText(text, [
		...edits,
		...removals.filter((_, at) => at % 2 === 1),
		{ place: ['gone'], value: undefined },
	])
	expect(parseJson(edited)).toEqual({ lines: edits.map(({ value: n }) => ({ n })) })
})
