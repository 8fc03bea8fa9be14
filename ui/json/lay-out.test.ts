import fc from 'fast-check'
import { expect, test } from 'vitest'
import { proves } from '../../tests/contract/proves.ts'
import { formatted, JsonLayout, TextLayout } from './lay-out.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function inSlices(layout: JsonLayout | TextLayout, size: number): string {
	const lines: string[] = []
	while (!layout.isDone) lines.push(...layout.next(size))
	return lines.join('\n')
}

test(proves('B.console.json', 'JSON is formatted like a printer would, in slices of any size'), () => {
	fc.assert(
		fc.property(fc.json(), fc.integer({ min: 1, max: 200 }), (json, size) => {
			const expected = JSON.stringify(JSON.parse(json), null, 2)
			// A string alone is shown unchanged, with its escapes.
			expect(JSON.parse(formatted(bytes(json)))).toEqual(JSON.parse(json))
			expect(inSlices(new JsonLayout(bytes(JSON.stringify(JSON.parse(json)))), size)).toBe(expected)
		}),
	)
})

test('digits, escapes, order and repeated names are kept', () => {
	const json = '{ "b" : 1.10,"a":12345678901234567890, "a":1e400,"\\u00e9\\"\\\\":"\\/" , "e":[ ],"o":{ } }'
	expect(formatted(bytes(json))).toBe(
		'{\n  "b": 1.10,\n  "a": 12345678901234567890,\n  "a": 1e400,\n  "\\u00e9\\"\\\\": "\\/",\n  "e": [],\n  "o": {}\n}',
	)
})

test('a long text is cut in the view between two characters, with its length', () => {
	const layout = new JsonLayout(bytes(`{"a":"${'é'.repeat(20_000)}","b":1}`), 101)
	expect(inSlices(layout, 10)).toBe(`{\n  "a": "${'é'.repeat(50)}… (40,000 bytes in total)",\n  "b": 1\n}`)
	expect(layout.hasCutTexts).toBe(true)
})

test('an opening line knows its closing line, and cut JSON is shown to its end', () => {
	const layout = new JsonLayout(bytes('{"a":[1,{"b":2}],"c":{}}'))
	inSlices(layout, 1)
	expect([...layout.closings]).toEqual([
		[4, 6],
		[2, 7],
		[1, 9],
	])
	expect(formatted(bytes('{"a": [1, "x'))).toBe('{\n  "a": [\n    1,\n    "x')
	expect(formatted(bytes('['.repeat(3000))).split('\n')).toHaveLength(3000)
})

test('plain text keeps its lines, and long ones are cut', () => {
	const layout = new TextLayout(bytes(`a\nb\r\n${'x'.repeat(20_000)}\n\nz`))
	expect(inSlices(layout, 1).split('\n')).toEqual([
		'a',
		'b',
		`${'x'.repeat(4_000)}… (20,000 characters in total)`,
		'',
		'z',
	])
})
