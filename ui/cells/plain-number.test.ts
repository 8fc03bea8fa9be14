import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainNumber } from './plain-number.ts'

test.each([
	['1.6883202E7', '16883202'],
	['1.9725886246666667E9', '1972588624.6666667'],
	['-2.5e-3', '-0.0025'],
	['1E2', '100'],
	['12.5E1', '125'],
	['0.05E3', '50'],
	['1.0E-5', '0.00001'],
	['1840.0', '1840'],
	['0.0', '0'],
	['-0.0', '-0'],
	['9007199254740993.0', '9007199254740993'],
])('shows %s as %s', (text, shown) => {
	expect(plainNumber(text)).toBe(shown)
})

test.each([
	'1840.25',
	'1840',
	'1.50',
	'1.5e300',
	'1e-300',
	'NaN',
	'',
	'E7',
	'2026-01-01',
	'v1.0',
])('leaves %s', text => {
	expect(plainNumber(text)).toBe(text)
})

test('the value stays the same', () => {
	fc.assert(
		fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), value => {
			for (const text of [value.toExponential(), String(value)]) expect(Number(plainNumber(text)) + 0).toBe(value + 0)
		}),
	)
})
