import { parseJson, type Settings } from '@roundhouse/kit'
import { beforeAll, expect, test } from 'vitest'
import { readMapping } from '../mapping/mapping.ts'
import { openSample } from '../test/fixture.ts'
import { addAlias, aliasForm } from './add-alias.ts'

const mapping = readMapping({
	books: { mappings: { properties: { year: { type: 'long' }, title: { type: 'text' } } } },
})
let opened: Awaited<ReturnType<typeof openSample>>
beforeAll(async () => {
	opened = await openSample()
	return () => opened[Symbol.asyncDispose]()
})

/** Returns the body of a request that the console accepts as a write. */
function bodyOf(names: readonly string[], values: Settings) {
	const { console } = opened.connection
	const bound = console.bindParameters(addAlias(names, values, mapping), {})
	expect(console.analyse(bound).map(({ access, fault }) => fault ?? access)).toEqual(['write'])
	const [line, ...body] = bound.split('\n')
	expect(line).toBe('POST /_aliases')
	return parseJson(body.join('\n'))
}

test('adds an alias to all indices, with a filter and one index that takes the writes', () => {
	expect(bodyOf(['books'], { alias: ' library ' })).toEqual({
		actions: [{ add: { index: 'books', alias: 'library' } }],
	})
	const filter = { term: { year: 2000 } }
	const values = { alias: 'l', filter: '{"term": {"year": 2000}}', writeIndex: 'b' }
	expect(bodyOf(['a', 'b'], values)).toEqual({
		actions: [
			{ add: { index: 'a', alias: 'l', filter } },
			{ add: { index: 'b', alias: 'l', filter, is_write_index: true } },
		],
	})
	expect(bodyOf(['a'], { alias: 'l', filter: 'title:{{x}}' })).toMatchObject({
		actions: [{ add: { filter: { query_string: { query: 'title:{{x}}' } } } }],
	})
	expect(bodyOf(['a'], { alias: 'l', filter: 'year > 2000 and not title: sea' })).toMatchObject({
		actions: [{ add: { filter: { query_string: { query: 'year:>2000 AND NOT title:sea' } } } }],
	})
})

test('the form lists the indices that can take the writes, unless they are very many', () => {
	const [, , writes] = aliasForm(['a', 'b']).fields
	expect(writes?.options?.map(({ value }) => value)).toEqual(['', 'a', 'b'])
	const many = Array.from({ length: 101 }, (_, at) => `logs-${at}`)
	expect(aliasForm(many).fields.map(({ key }) => key)).toEqual(['alias', 'filter'])
})

test.each<[string, Settings]>([
	['Enter the name of the alias.', { alias: ' ' }],
	['has no spaces', { alias: 'two words' }],
	['has no spaces', { alias: '_hidden' }],
	['books is the name of the index', { alias: 'books' }],
	['not a complete JSON object', { alias: 'l', filter: '{"a"' }],
])('refuses with "%s"', (words, values) => {
	expect(() => addAlias(['books'], values, mapping)).toThrow(words)
})
