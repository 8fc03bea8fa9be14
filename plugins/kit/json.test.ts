import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exactNumber, isExactNumber, parseJson, stringifyJson } from './json.ts'

const digits = fc.stringMatching(/^-?(0|[1-9][0-9]{0,40})(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,4})?$/)

test('every number leaves as it came', () => {
	fc.assert(
		fc.property(digits, text => {
			expect(stringifyJson(parseJson(text))).toBe(text)
			expect(stringifyJson(parseJson(`{"a":[${text},{"b":${text}}]}`))).toBe(`{"a":[${text},{"b":${text}}]}`)
		}),
		{ numRuns: 2000 },
	)
})

test('any JSON value comes back equal', () => {
	fc.assert(
		fc.property(fc.json(), text => {
			expect(JSON.parse(stringifyJson(parseJson(text)))).toEqual(JSON.parse(text))
		}),
	)
})

test('a number that a double keeps stays a plain number', () => {
	expect(parseJson('[1,0.5,123456789012345]')).toEqual([1, 0.5, 123456789012345])
	expect(isExactNumber(parseJson('9007199254740993'))).toBe(true)
	expect(isExactNumber(parseJson('1.10'))).toBe(true)
})

test('digits inside a string are not numbers', () => {
	expect(parseJson('{"id":"12345678901234567890"}')).toEqual({ id: '12345678901234567890' })
})

test('what is not a number is refused', () => {
	for (const text of ['', 'NaN', '01', '1.', '.5', '+1', '1e', '0x10', ' 1']) {
		expect(() => exactNumber(text), text).toThrow(SyntaxError)
	}
})
