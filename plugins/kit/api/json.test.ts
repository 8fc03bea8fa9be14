import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '../../../tests/support/any-character.ts'
import { inexactNumbers } from './inexact-numbers.ts'
import { exactNumber, isExactNumber, parseJson, parseJsonBytes, stringifyJson } from './json.ts'

const digits = fc.stringMatching(/^-?(0|[1-9][0-9]{0,40})(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,4})?$/)

test('prints every number as it was read', () => {
	fc.assert(
		fc.property(digits, text => {
			expect(stringifyJson(parseJson(text))).toBe(text)
			expect(stringifyJson(parseJson(`{"a":[${text},{"b":${text}}]}`))).toBe(`{"a":[${text},{"b":${text}}]}`)
		}),
		{ numRuns: 2000 },
	)
})

test('any JSON value survives parsing and printing', () => {
	fc.assert(
		fc.property(fc.json(), text => {
			expect(JSON.parse(stringifyJson(parseJson(text)))).toEqual(JSON.parse(text))
		}),
	)
})

test('a number that a double represents exactly stays a plain number', () => {
	expect(parseJson('[1,0.5,123456789012345]')).toEqual([1, 0.5, 123456789012345])
	expect(isExactNumber(parseJson('9007199254740993'))).toBe(true)
	expect(isExactNumber(parseJson('1.10'))).toBe(true)
})

test('ignores digits inside a string', () => {
	expect(parseJson('{"id":"12345678901234567890"}')).toEqual({ id: '12345678901234567890' })
})

test('rejects what is not a number', () => {
	for (const text of ['', 'NaN', '01', '1.', '.5', '+1', '1e', '0x10', ' 1']) {
		expect(() => exactNumber(text), text).toThrow(SyntaxError)
	}
})

/** The native parser with a reviver: the simple implementation, for comparison. */
function plainly(text: string): string {
	const native = JSON as unknown as {
		rawJSON(source: string): unknown
		parse(
			given: string,
			reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
		): unknown
	}
	const exact = native.parse(text, (_key, value, { source }) =>
		typeof value === 'number' && source !== undefined ? native.rawJSON(source) : value,
	)
	return JSON.stringify(exact)
}

const awkwardText = fc.oneof(
	fc.string({ unit: anyCharacter }),
	fc.constantFrom(
		'\u0081',
		'\u00811.10',
		'\\u0081',
		'\u0000',
		'\u00001.10',
		'\\',
		'\\"',
		'"1.10"',
		':1.10,',
		'\\u0000',
		'__proto__',
		'1e400',
		'-0',
	),
)

/**
 * Excludes names after which the native parser, used for comparison, reads escaped names wrongly: those that end in a
 * backslash.
 */
const awkwardKey = awkwardText.filter(text => !text.endsWith('\\'))

test('parses any JSON like the native parser with a reviver', () => {
	const { value } = fc.letrec<{ value: string; array: string; object: string }>(tie => ({
		value: fc.oneof(
			{ maxDepth: 4 },
			digits,
			awkwardText.map(text => JSON.stringify(text)),
			fc.constantFrom(
				'null',
				'true',
				'1',
				'-0',
				'0',
				'0.0',
				'1.0',
				'-1',
				'100',
				'1e5',
				'0.0000001',
				'9007199254740993',
			),
			tie('array'),
			tie('object'),
		),
		array: fc.array(tie('value'), { maxLength: 5 }).map(values => `[ ${values.join(' ,')}]`),
		object: fc
			// Unique keys, because with a duplicate key the native reviver may see the first value. No engine sends that.
			.uniqueArray(fc.tuple(awkwardKey, tie('value')), { maxLength: 5, selector: ([key]) => key })
			.map(entries => `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:\n${inner}`).join(', ')}}`),
	}))
	fc.assert(
		fc.property(value, text => {
			expect(stringifyJson(parseJson(text))).toBe(plainly(text))
		}),
		{ numRuns: 3000 },
	)
})

test('reads an escaped name correctly, whatever names were read before', () => {
	const name = fc.array(fc.constantFrom('a', '\\', '\n', '"', '\u0000', 'é', '\ue000', '1'), { maxLength: 4 })
	let place = 0
	fc.assert(
		fc.property(name, name, (before, after) => {
			// V8 expects a name when all objects of that shape had it.
			const first = `"k${place++}":1.10`
			parseJson(`{${first},${JSON.stringify(before.join(''))}:1}`)
			const text = `{${first},${JSON.stringify(after.join(''))}:1}`
			if (/^1+$/.test(after.join(''))) return
			expect(stringifyJson(parseJson(text))).toBe(text)
		}),
		{ numRuns: 2_000 },
	)
})

test('finds escaped names among values that look like them', () => {
	for (const text of [
		'{"a\\"b\\"":"c\\":1","\\\\":[{"\\n":{"\\u0000":1.10}}]}',
		'["\\"a\\":",{"__proto__":1,"\\t__proto__":{"x\\\\":2}}]',
		'{"\\n":1,"\\ue000":2,"\ue0000":3}',
	]) {
		expect(JSON.parse(stringifyJson(parseJson(text)))).toEqual(JSON.parse(text))
	}
	expect(stringifyJson(parseJson('{"a\\n":1,"b":2,"a\\u000a":3}'))).toBe('{"a\\n":3,"b":2}')
	expect(() => parseJson('{"a\\n":}')).toThrow('"{"a\\n":}" is not')
})

test('rejects invalid JSON with the message of the native parser', () => {
	const piece = fc.constantFrom(...'{}[],:" \\'.split(''), '1.10', '1', '"a"', 'true', '-', '01.0', '1.', 'e5', '1e400')
	fc.assert(
		fc.property(
			fc.array(piece, { maxLength: 8 }).map(pieces => pieces.join('')),
			text => {
				const outcome = (parse: (given: string) => unknown) => {
					try {
						return JSON.stringify(parse(text)) === undefined ? '' : 'read'
					} catch (error) {
						return String(error)
					}
				}
				expect(outcome(parseJson)).toBe(outcome(JSON.parse))
			},
		),
		{ numRuns: 5000 },
	)
})

test('a number is inexact if and only if a double prints it differently', () => {
	fc.assert(
		fc.property(fc.oneof(digits, fc.double({ noNaN: true, noDefaultInfinity: true }).map(String)), text => {
			expect(inexactNumbers(`[${text}]`).length > 0, text).toBe(String(Number(text)) !== text)
		}),
		{ numRuns: 5000 },
	)
})

test('bytes are parsed as their text, with every digit behind any characters', () => {
	const utf8 = (text: string) => new TextEncoder().encode(text)
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, behind) => {
			const text = `[${JSON.stringify(before)},1.10,{"a":${JSON.stringify(behind)}},12345678901234567890]`
			expect(stringifyJson(parseJsonBytes(utf8(text)))).toBe(stringifyJson(parseJson(text)))
		}),
	)
	expect(stringifyJson(parseJsonBytes(utf8('\ufeff[1.10]')))).toBe('[1.10]')
	// Three bytes of which none is valid: three characters take their place, of three bytes each.
	const invalid = Uint8Array.of(...utf8('["'), 0xff, 0xff, 0xff, ...utf8('",1.10]'))
	expect(stringifyJson(parseJsonBytes(invalid))).toBe('["\ufffd\ufffd\ufffd",1.10]')
})
