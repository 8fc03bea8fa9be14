import { parseJson, type Settings } from '@roundhouse/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, openSample } from '../test/fixture.ts'

/** The forms that create and copy indices, filled and run. */
let opened: Awaited<ReturnType<typeof openSample>>
beforeAll(async () => {
	opened = await openSample()
})
afterAll(() => opened?.[Symbol.asyncDispose]())

const fill = (form: string, tables: readonly string[], values: Settings) =>
	opened.connection.fillAction({ form, tables, values }, call())
const bodyOf = (text: string) => parseJson(text.slice(text.indexOf('\n')))

test('creates an index with fields, shards and replicas', async () => {
	const values = { name: ' new ', fields: 'title: text, made.year:integer,', shards: 2, replicas: 0 }
	const text = await fill('create-index', [], values)
	expect(text.split('\n')[0]).toBe('PUT /new')
	expect(bodyOf(text)).toEqual({
		settings: { number_of_shards: 2, number_of_replicas: 0 },
		mappings: { properties: { title: { type: 'text' }, 'made.year': { type: 'integer' } } },
	})
	expect(opened.connection.console.analyse(text).map(({ access }) => access)).toEqual(['write'])
	expect(bodyOf(await fill('create-index', [], { name: 'plain' }))).toEqual({ mappings: { properties: {} } })
})

test.each([
	['Enter the name of the index.', {}],
	['no capital letters', { name: 'Books' }],
	['has no spaces', { name: 'a b' }],
	['"year" is not a name and a type', { name: 'a', fields: 'year' }],
	['year is named twice', { name: 'a', fields: 'year: long, year: text' }],
])('refuses a new index with "%s"', async (words, values) => {
	await expect(fill('create-index', [], values)).rejects.toThrow(words)
})

test('copies the documents of indices that fit a filter', async () => {
	expect(bodyOf(await fill('reindex', ['books'], { to: 'copy', existing: 'keep' }))).toEqual({
		conflicts: 'proceed',
		source: { index: 'books' },
		dest: { index: 'copy', op_type: 'create' },
	})
	const values = { to: 'copy', existing: 'replace', filter: '{"term": {"year": 1900}}' }
	const text = await fill('reindex', ['books', 'places'], values)
	expect(bodyOf(text)).toEqual({
		source: { index: ['books', 'places'], query: { term: { year: 1900 } } },
		dest: { index: 'copy' },
	})
	expect(opened.connection.console.analyse(text).map(({ access, fault }) => fault ?? access)).not.toContain('read')
})

test.each([
	['is copied itself', { to: 'books' }],
	['Enter the name of the index.', { to: '' }],
	['Probably meant: year:>2000 AND NOT title:sea', { to: 'c', filter: 'year:>2000 and not title: sea' }],
])('refuses a copy with "%s"', async (words, values) => {
	await expect(fill('reindex', ['books'], values)).rejects.toThrow(words)
})
