import { parseJson } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { numberOf } from './answer.ts'

test.each([
	['5', 5],
	['"10000"', 10_000],
	// A double would print these differently, so they arrive as raw numbers.
	['1e3', 1_000],
	['1.0', 1],
	['9223372036854775807', 2 ** 63],
	['null', 0],
	['"many"', 0],
	['{}', 0],
	['[1]', 0],
])('reads the number %s of an answer as %d', (text, number) => {
	expect(numberOf(parseJson(text))).toBe(number)
})
