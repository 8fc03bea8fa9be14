import { exactNumber, type Json, stringifyJson } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { fitted } from './fitted.ts'

const sizeOf = (value: Json) => Buffer.byteLength(stringifyJson(value))

test('a value that fits is unchanged', () => {
	const value = { a: [1, 'x', null], big: exactNumber('9223372036854775807') }
	expect(fitted(value, 1000)).toEqual({ value, cut: [] })
})

test('the longest text is cut first, and named with its length', () => {
	const { value, cut } = fitted({ id: 'x1', body: 'b'.repeat(1_000_000), title: 't'.repeat(400) }, 24_000)
	expect(cut).toEqual([{ path: 'body', length: 1_000_000 }])
	expect(value).toMatchObject({ id: 'x1', title: 't'.repeat(400) })
	expect(sizeOf(value)).toBeLessThanOrEqual(24_000)
})

test.each<[string, Json]>([
	['a hundred thousand hits', Array.from({ length: 100_000 }, (_, at) => ({ at, text: 'x'.repeat(50) }))],
	['ten thousand members', Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`field_${at}`, at]))],
	[
		'deep lists',
		Array.from({ length: 200 }).reduce<Json>(inner => [inner, inner === null ? 'x' : 'y'.repeat(90)], null),
	],
	['wide at each level', { a: Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => 'word')) }],
])('%s fit, and the cut is named', (_, whole) => {
	const { value, cut } = fitted(whole, 2_000)
	expect(sizeOf(value)).toBeLessThanOrEqual(2_000)
	expect(cut.length).toBeGreaterThan(0)
	expect(Array.isArray(value)).toBe(Array.isArray(whole))
})

test('digits stay', () => {
	const big = exactNumber('12345678901234567890123')
	const { value } = fitted({ big, text: 'x'.repeat(100_000) }, 10_000)
	expect(stringifyJson(value)).toContain('12345678901234567890123')
})
