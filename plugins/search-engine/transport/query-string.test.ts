import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '../../../tests/support/any-character.ts'
import { parameterMap, parametersOf, searchOf } from './query-string.ts'

test.each([
	['a=1&b=2', { a: '1', b: '2' }],
	['a=1;b=2', { a: '1', b: '2' }],
	['a;b&c=', { a: '', b: '', c: '' }],
	['=a=1&==b', { a: '1', b: '' }],
	['a=1=2;=', { a: '1=2' }],
	['a=1&a=2', { a: '2' }],
	['%61%3b=%3B+%2B', { 'a;': '; +' }],
	['a=%zz%ff', { a: '%zz\ufffd' }],
	['', {}],
])('%s', (search, parameters) => {
	expect(Object.fromEntries(parameterMap(search))).toEqual(parameters)
})

test('parses what it has written', () => {
	const text = fc.string({ unit: anyCharacter })
	const name = text.filter(text => text !== '')
	fc.assert(
		fc.property(fc.array(fc.tuple(name, text)), pairs => {
			const read = parametersOf(searchOf(pairs)).map(({ name, value }) => [name, value])
			expect(read).toEqual(pairs.map(pair => pair.map(part => part.toWellFormed())))
		}),
	)
})
