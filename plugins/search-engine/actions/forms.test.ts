import { parseJson, type Settings } from '@roundhouse/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, direct, openSample } from '../test/fixture.ts'
import { objectOf } from '../transport/answer.ts'

/** The forms that create, change and copy indices, filled and run. */
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

test('changes only the settings that the user changed, from what the indices set', async () => {
	const body = '{"settings": {"index": {"refresh_interval": "30s", "number_of_replicas": 0}}}'
	await direct(opened.sample.url, '/settled', { method: 'PUT', body })
	const fieldsOf = async (...names: readonly string[]) => {
		const actions = await opened.connection.tableActions(names, call())
		const form = actions.find(({ label }) => label === 'Change settings …')?.form
		return Object.fromEntries(form?.fields.map(field => [field.key, field.default]) ?? [])
	}
	expect(await fieldsOf('settled')).toEqual({ replicas: 0, refresh: '30s', others: undefined })
	expect((await fieldsOf('books', 'settled')).refresh).toBeUndefined()
	const change = async (values: Settings, ...tables: readonly string[]) => {
		const text = await fill('change-settings', tables, values)
		return [text.split('\n')[0], objectOf(bodyOf(text)).index]
	}
	expect(await change({ replicas: 1, refresh: '30s' }, 'settled')).toEqual([
		'PUT /settled/_settings',
		{ number_of_replicas: 1 },
	])
	expect(await change({ replicas: 0 }, 'settled')).toEqual(['PUT /settled/_settings', { refresh_interval: null }])
	expect(await change({ replicas: 0, refresh: '5s' }, 'books', 'settled')).toEqual([
		'PUT /books,settled/_settings',
		{ refresh_interval: '5s' },
	])
	const others = 'index.max_result_window: 20000, routing.allocation.require.box : hot'
	expect((await change({ replicas: 0, refresh: '30s', others }, 'settled'))[1]).toEqual({
		max_result_window: '20000',
		'routing.allocation.require.box': 'hot',
	})
	await expect(change({ replicas: 0, refresh: '30s' }, 'settled')).rejects.toThrow('Change a setting first.')
	await expect(change({ others: 'fast' }, 'settled')).rejects.toThrow('"fast" is not a name and a value')
})

test('copies the documents of indices that fit a filter', async () => {
	const copied = await fill('reindex', ['books'], { to: 'copy', existing: 'keep' })
	// The list of indices counts what was copied.
	expect(copied).toMatch(/^POST \/_reindex\?refresh=true\n/)
	expect(bodyOf(copied)).toEqual({
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
	// A filter is taken as the query bar takes it.
	const typed = await fill('reindex', ['books'], { to: 'copy', filter: 'year >= 2000 and not title: sea' })
	expect(bodyOf(typed)).toMatchObject({
		source: { query: { query_string: { query: 'year:>=2000 AND NOT title:sea' } } },
	})
})

test.each([
	['is copied itself', { to: 'books' }],
	['Enter the name of the index.', { to: '' }],
])('refuses a copy with "%s"', async (words, values) => {
	await expect(fill('reindex', ['books'], values)).rejects.toThrow(words)
})
