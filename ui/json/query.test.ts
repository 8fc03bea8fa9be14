import { parseJson } from '@roundhouse/kit/json'
import { expect, test } from 'vitest'
import { caveatOf, query, queryable } from './query.ts'

const ask = (json: string, expression: string) => query(queryable(parseJson(json)), expression)

test('a part of an answer keeps every digit', () => {
	expect(ask('{"a": [{"n": 1.10, "m": 12345678901234567890}, {"n": 2}]}', 'a[*].{n: n, m: m}')).toBe(
		'[{"n":1.10,"m":12345678901234567890},{"n":2,"m":null}]',
	)
	expect(ask('12345678901234567890', '@')).toBe('12345678901234567890')
})

test('numbers are compared and sorted by their value, in any spelling', () => {
	const json = '{"a": [{"n": 3.0}, {"n": 10.50}, {"n": 2}, {"n": 1e2}]}'
	expect(ask(json, 'a[?n > `2.5`].n')).toBe('[3.0,10.50,1e2]')
	expect(ask(json, 'sort_by(a, &n)[*].n')).toBe('[2,3.0,10.50,1e2]')
	expect(ask(json, 'max_by(a, &n)')).toBe('{"n":1e2}')
})

test('a comparison for equality gets a caveat if a number in the answer has an exact spelling', () => {
	const spelled = queryable(parseJson('{"n": 1.0}'))
	expect(caveatOf(spelled, 'n == `1`')).toContain('keep their digits')
	expect(caveatOf(spelled, 'n > `1`')).toBeUndefined()
	expect(caveatOf(queryable(parseJson('{"n": 1}')), 'n == `1`')).toBeUndefined()
})

test('an expression without a match returns null, and an invalid one returns its error', () => {
	expect(ask('{}', 'a.b')).toBe('null')
	for (const name of ['constructor', 'toString', '__proto__', 'a.constructor.name']) {
		expect(ask('{"a": {}, "n": 1.0}', name), name).toBe('null')
	}
	expect(ask('{"constructor": 1.0}', 'constructor')).toBe('1.0')
	for (const begun of ['a[', 'a.', 'a[?b ==', 'sort_by(a, &', 'a.{b']) {
		expect(() => ask('{}', begun), begun).toThrow('The expression is not finished.')
	}
	expect(() => ask('{}', 'a b')).toThrow('b')
	expect(ask('['.repeat(5000) + ']'.repeat(5000), 'length(@)')).toBe('1')
})
