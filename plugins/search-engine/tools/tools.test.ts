import { type JsonObject, stringifyJson } from '@roundhouse/kit'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { call, openSample } from '../test/fixture.ts'
import { recordRequests } from '../test/recorder.ts'
import { tools } from './index.ts'

let opened: Awaited<ReturnType<typeof openSample>>
beforeAll(async () => {
	opened = await openSample()
})
afterAll(() => opened[Symbol.asyncDispose]())

async function use(name: string, args: JsonObject): Promise<JsonObject> {
	const toolCall = { ...call(), connection: opened.connection, clientCapabilities: {}, inputResponses: {} }
	const result = await tools[name]?.(args, toolCall)
	if (result === undefined || !('structuredContent' in result) || result.structuredContent === undefined)
		throw new Error('no result')
	expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(result.structuredContent) }])
	return result.structuredContent
}

test('get_document keeps every digit', async () => {
	const document = await use('get_document', { index: 'books', id: 'collected-works' })
	expect(JSON.stringify(document)).toContain('"isbn":9223372036854775807')
	await expect(use('get_document', { index: 'books', id: 'missing' })).rejects.toMatchObject({ code: 'not_found' })
})

test('search accepts the query DSL, Lucene text, or both, and identifies rows for edits', async () => {
	const query = { term: { 'author.country': 'DE' } }
	const dsl = await use('search', { index: 'books', query, size: 1, fields: ['title'] })
	expect(dsl.hits).toMatchObject([
		{ row_id: expect.stringMatching(/^\["books",/), _source: { title: expect.any(String) } },
	])
	const both = await use('search', { index: 'books', query, query_string: 'lighthouse', size: 0 })
	const one = await use('search', { index: 'books', query, size: 0 })
	expect((both.total as { value: number }).value).toBeLessThan((one.total as { value: number }).value)
})

test('a query string that the engine reads otherwise has a notice with what it probably means', async () => {
	const args = { index: 'books', query_string: 'author.born:>="1950"', size: 0 }
	const notices = [
		'Lucene syntax reads this comparison otherwise. Write it as author.born:["1950" TO *].',
		'Probably meant: author.born:["1950" TO *]',
	]
	expect(await use('search', args)).toMatchObject({ notices })
	expect(await use('aggregate', { ...args, aggs: {} })).toMatchObject({ notices })
	expect(await use('search', { ...args, query_string: 'author.born:>=1950' })).not.toHaveProperty('notices')
})

test('an error of syntax in a query string is named with its place', async () => {
	const args = { index: 'books', query_string: 'title:(one OR two' }
	const message = expect.stringMatching(/^Syntax error at character 7, .*: the parenthesis is not closed\.$/)
	await expect(use('search', args)).rejects.toMatchObject({ code: 'invalid_argument', message })
	await expect(use('aggregate', { ...args, aggs: {} })).rejects.toMatchObject({ code: 'invalid_argument', message })
	await expect(use('search', { ...args, index: 'nowhere' })).rejects.toMatchObject({ code: 'not_found' })
})

test('aggregate returns rows', async () => {
	const { rows } = await use('aggregate', { index: 'events', aggs: { level: { terms: { field: 'level' } } } })
	expect(rows).toMatchObject([{ level: 'info' }, {}, {}, {}])
})

test('reads health, mappings, aliases and tokens of the cluster', async () => {
	expect(await use('cluster_health', {})).toMatchObject({ status: 'green' })
	expect(await use('get_mapping', { index: 'library' })).toHaveProperty('books.mappings.properties.title')
	expect(await use('list_aliases', {})).toEqual({
		aliases: [{ name: 'library', indices: ['books'] }],
		data_streams: [],
	})
	expect(await use('analyze', { text: 'Two Words' })).toMatchObject({ tokens: [{ token: 'two' }, { token: 'words' }] })
})

test('a tool reports a missing connection', async () => {
	const toolCall = { ...call(), clientCapabilities: {}, inputResponses: {} }
	await expect(tools.cluster_health?.({}, toolCall)).rejects.toMatchObject({ code: 'not_connected' })
})

test('search asks 9.2 for vectors, and takes empty lists for lists that are left out', async () => {
	await using recent = await openSample({}, '9.2.0')
	const recorder = await recordRequests(recent.sample.url)
	const bodyOf = async (args: JsonObject) => {
		recorder.clear()
		const toolCall = { ...call(), connection: recorder.connection, clientCapabilities: {}, inputResponses: {} }
		await tools.search?.({ index: 'books', size: 1, ...args }, toolCall)
		return recorder.requests[0]?.body
	}
	const whole = { size: 1, _source: { exclude_vectors: false } }
	expect(await bodyOf({})).toEqual(whole)
	expect(await bodyOf({ fields: [], sort: [] })).toEqual(whole)
	expect(await bodyOf({ fields: ['title'] })).toEqual({
		size: 1,
		_source: { includes: ['title'], exclude_vectors: false },
	})
	await recorder.close()
})

test.each<[string, JsonObject]>([
	['get_document', { index: 'books', id: 'collected-works' }],
	['search', { index: 'books' }],
	['search', { index: 'books', fields: ['title'], sort: [{ pages: 'asc' }] }],
	['aggregate', { index: 'events', aggs: { level: { terms: { field: 'level' } } } }],
	['aggregate', { index: 'events', aggs: { a: { terms: { field: 'level' } }, b: { terms: { field: 'level' } } } }],
])('the answer of %s fits its output schema', async (name, args) => {
	const schema = manifest.roundhouse.tools.find(tool => tool.name === name)?.outputSchema
	if (schema === undefined) throw new Error('no schema')
	const ajv = new Ajv({ strict: true, allowUnionTypes: true })
	const isValid = ajv.validate(schema, JSON.parse(stringifyJson(await use(name, args))))
	expect(ajv.errors).toBeNull()
	expect(isValid).toBe(true)
})
