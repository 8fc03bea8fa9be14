import { parseJson } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { reprinted, reprintsIn } from './reprint.ts'

test.each([
	['1.10', '1.1'],
	['1e400', '"Infinity"'],
	['-1e400', '"-Infinity"'],
	['1e5', '100000.0'],
	['12345678.5', '1.23456785E7'],
	['0.00012', '1.2E-4'],
	['0.1234567890123456789', '0.12345678901234568'],
	['-0', '0'],
	['-0.0', '-0.0'],
	['1.0', '1.0'],
	['0.001', '0.001'],
	['9999999.5', '9999999.5'],
	['9223372036854775808', '9223372036854775808'],
])('%s is returned as %s', (digits, expected) => {
	expect(reprinted(digits)).toBe(expected)
})

test('finds numbers at any place', () => {
	expect(reprintsIn(parseJson('{"a":[{"p":1.10},{"p":2.5}],"b":{"c":1e2},"n":9007199254740993,"t":"1.10"}'))).toEqual([
		{ path: 'a[0].p', from: '1.10', to: '1.1' },
		{ path: 'b.c', from: '1e2', to: '100.0' },
	])
})
