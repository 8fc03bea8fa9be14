import type { JsonObject } from '@roundhouse/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, openSample } from '../test/fixture.ts'
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
