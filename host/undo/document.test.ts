import type { ColumnKind } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { differences, readDocument } from './document.ts'

/** The members of a row's document, and what differs between two of them. */

function between(old: string, now: string, columns: readonly string[] = [], kind: ColumnKind = 'json') {
	const [one, other] = [readDocument(old), readDocument(now)]
	if (!one || !other) throw new Error('This is no document.')
	return [...differences(one, other, path => (columns.includes(path) ? kind : undefined))]
}

test('a member keeps its text: blanks, repeated keys, escapes and digits', () => {
	const texts = readDocument('{ "a" : {"x": 1.10, "x":2} ,"b\\"\\u0041":[ "}", {"c":","} ], "d":"x\\"},"}')?.texts
	expect([...(texts ?? [])]).toEqual([
		['a', ' {"x": 1.10, "x":2} '],
		['b"A', '[ "}", {"c":","} ]'],
		['d', '"x\\"},"'],
	])
	expect([...(readDocument('{}')?.texts ?? [])]).toEqual([])
	expect(readDocument('[1]')).toBeUndefined()
	expect(readDocument('{"a":')).toBeUndefined()
})

test('columns differ by their text, whatever is in them', () => {
	expect(between('{"a":{"b":1.0},"c":1}', '{"a":{"b":1},"c":1}', ['a', 'c'])).toEqual([
		{ path: 'a', value: expect.anything(), text: '{"b":1.0}' },
	])
	expect(between('{"a":[ 1 ] }', '{"a":[ 1 ]}', ['a'])).toHaveLength(1)
	expect(between('{"a": "x" }', '{"a":"x"}', ['a'], 'text')).toEqual([])
})

test('members of objects that are no column differ each by itself', () => {
	expect(between('{"a":{"b":1,"c":{"d":2}},"e":[{"f":1}]}', '{"a":{"b":1,"c":{"d":3},"g":4},"e":[{"f":2}]}')).toEqual([
		{ path: 'a.c.d', value: 2 },
		{ path: 'a.g', value: undefined },
		{ path: 'e', value: [{ f: 1 }] },
	])
	expect(between('{"a":{"b":1}}', '{}')).toEqual([{ path: 'a.b', value: 1 }])
	expect(between('{"a":1}', '{"a":{"b":1}}')).toEqual([{ path: 'a', value: 1 }])
	expect(between('{"a":{}}', '{}')).toEqual([{ path: 'a', value: {}, isEmpty: true }])
})
