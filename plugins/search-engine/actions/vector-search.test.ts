import { parseJson, type Settings } from '@roundhouse/kit'
import { beforeAll, expect, test } from 'vitest'
import { readMapping } from '../mapping/mapping.ts'
import { openSample } from '../test/fixture.ts'
import type { Version } from '../transport/product.ts'
import { vectorSearch, vectorSearchForm } from './vector-search.ts'

let opened: Awaited<ReturnType<typeof openSample>>
beforeAll(async () => {
	opened = await openSample()
	return () => opened[Symbol.asyncDispose]()
})

const properties = {
	title: { type: 'text' },
	v: { type: 'dense_vector', dims: 3 },
	plain: { type: 'dense_vector', dims: 3, index: false },
	passages: { type: 'nested', properties: { v: { type: 'dense_vector' } } },
	about: { type: 'semantic_text', inference_id: 'e5' },
}
const mapping = readMapping({ books: { mappings: { properties } } })
const fieldsOf = (version: Version, of = mapping) => vectorSearchForm(of, version)?.fields ?? []
const optionsOf = (version: Version, key: string, of = mapping) =>
	fieldsOf(version, of)
		.find(field => field.key === key)
		?.options?.map(({ value }) => value)

function search(version: Version, values: Settings) {
	const text = vectorSearch({ table: 'books', mapping, version }, values)
	const { console } = opened.connection
	const bound = console.bindParameters(text, {})
	const [line = '', ...body] = bound.split('\n')
	expect(console.analyse(bound).map(({ access, fault }) => fault ?? access)).toEqual(['read'])
	return { line, text, body: parseJson(body.join('\n')) }
}

test('offers a form only for vectors, with what the version can do', () => {
	expect(
		vectorSearchForm(readMapping({ a: { mappings: { properties: { t: { type: 'text' } } } } }), [9, 2]),
	).toBeUndefined()
	expect(optionsOf([9, 2], 'field')).toEqual(['v', 'plain', 'passages.v', 'about'])
	expect(optionsOf([8, 10], 'field')).toEqual(['v', 'plain', 'about'])
	expect([optionsOf([8, 7], 'by'), optionsOf([8, 6], 'by')]).toEqual([['vector', 'text'], ['vector']])
	const semantic = readMapping({ a: { mappings: { properties: { about: properties.about } } } })
	expect(optionsOf([9, 2], 'by', semantic)).toEqual(['text'])
	expect(fieldsOf([9, 2]).map(({ key }) => key)).toContain('candidates')
	expect(fieldsOf([7, 17]).map(({ key }) => key)).not.toContain('candidates')
})

test('writes a search with every digit of the vector on one line', () => {
	const { line, text, body } = search([9, 2], {
		field: 'v',
		by: 'vector',
		vector: '[0.1, 1e-30 0.12345678901234567890]',
		k: 20,
		candidates: 5,
		filter: 'year:>2000',
	})
	expect(line).toBe('POST /books/_search')
	expect(text).toContain('"query_vector": [0.1, 1e-30, 0.12345678901234567890]')
	expect(body).toMatchObject({
		size: 20,
		_source: { excludes: ['v'] },
		// No fewer candidates than hits.
		knn: { field: 'v', k: 20, num_candidates: 20, filter: { query_string: { query: 'year:>2000' } } },
	})
})

test('compares each document where the engine has no index for vectors', () => {
	for (const [version, field] of [
		[[7, 17], 'v'],
		[[8, 10], 'v'],
		[[9, 2], 'plain'],
	] as const) {
		const { body } = search(version, { field, by: 'vector', vector: '1 2 3', filter: '{"term": {"year": 2000}}' })
		expect(body).toMatchObject({
			size: 10,
			query: {
				script_score: {
					script: { params: { query_vector: [1, 2, 3], field } },
					query: { bool: { filter: [{ exists: { field } }, { term: { year: 2000 } }] } },
				},
			},
		})
	}
})

test('searches for a text by an endpoint, or by that of the field', () => {
	const text = 'the {{sea}}'
	expect(search([8, 19], { field: 'v', by: 'text', text, model: 'e5', k: 3 })).toMatchObject({
		text: expect.stringContaining(String.raw`"model_text": "the \{{sea}}"`),
		line: 'POST /books/_search',
	})
	const { body } = search([9, 2], { field: 'about', by: 'text', text: 'sea', filter: 'x' })
	expect(body).toMatchObject({
		query: { bool: { must: [{ semantic: { field: 'about', query: 'sea' } }], filter: [{}] } },
	})
})

test.each<[string, Settings]>([
	['This index has no such field', { field: 'title' }],
	['Enter the numbers', { field: 'v', by: 'vector', vector: '[]' }],
	['contains "x", which is not a number', { field: 'v', by: 'vector', vector: '1 x 3' }],
	['The vectors of v have 3 numbers. This one has 2.', { field: 'v', by: 'vector', vector: '1 2' }],
	['Enter the text', { field: 'about', by: 'text' }],
	['Name the inference endpoint', { field: 'v', by: 'text', text: 'a' }],
	['This field is not indexed', { field: 'plain', by: 'text', text: 'a', model: 'e5' }],
	['Number of hits must be from 1 to 10,000.', { field: 'v', by: 'vector', vector: '1 2 3', k: 0 }],
	['not a complete JSON object', { field: 'v', by: 'vector', vector: '1 2 3', filter: '{"a"' }],
])('refuses with "%s"', (words, values) => {
	expect(() => vectorSearch({ table: 'books', mapping, version: [9, 2] }, values)).toThrow(words)
})
