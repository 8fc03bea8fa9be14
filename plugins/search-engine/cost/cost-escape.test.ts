/**
 * Attack: an AI client wants an expensive search over a large table. It knows that the cost is estimated from the
 * content of the request, and from a count of what the rest of the query matches. It tries:
 *
 * - a place that is not checked, and a spelling that only the engine interprets;
 * - a query whose count is lower than what the search visits, and a count that fails;
 * - a request that causes endless checks.
 */

import { type JsonObject, parseJson } from '@roundhouse/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SearchConnection } from '../connection.ts'
import { call, openSampleForClient, statement } from '../test/fixture.ts'
import type { EngineRequest } from '../transport/engine-request.ts'
import { refuseExpensive } from './cost-guard.ts'
import { cheapPartOf, expenseOfLucene, expensesOf } from './expenses.ts'

let opened: Awaited<ReturnType<typeof openSampleForClient>>
let client: SearchConnection
beforeAll(async () => {
	opened = await openSampleForClient(10_000)
	client = opened.client
})
afterAll(() => opened[Symbol.asyncDispose]())

const run = (text: string) => client.console.run(statement(client, text), { maxRows: 5 }, call())
const refused = { code: 'denied', message: expect.stringContaining('costs the cluster too much') }
const wildcard = { wildcard: { message: '*x' } }
const body = JSON.stringify({ query: wildcard })
const none = { term: { level: 'nothing' } }

test.each([
	`GET /events/_search?source=${encodeURIComponent(body)}&source_content_type=application/json`,
	'GET /events/_search?q=level:info&q=service:*s',
	'GET /events/_search?pretty;q=service:*s',
	`POST /books/_msearch\n{"indices": "events"}\n${body}`,
	`GET /events/_rank_eval\n{"requests": [{"id": "a", "request": ${body}, "ratings": []}]}`,
	`GET /events/_graph/explore\n${JSON.stringify({ query: wildcard, vertices: [{ field: 'service' }] })}`,
	`GET /events/_mvt/place/1/1/1\n${body}`,
	`GET /events/_eql/search\n${JSON.stringify({ query: 'any where true', filter: wildcard })}`,
])('finds an expensive part in any place: %s', async text => {
	await expect(run(text)).rejects.toMatchObject(refused)
})

test.each([
	{ path: '/events,nowhere/_search', search: 'ignore_unavailable=true', text: body },
	{ path: '/_msearch', text: `{"index": "events,nowhere", "ignore_unavailable": true}\n${body}\n` },
	{ path: '/events,nowhere/_msearch', text: `{}\n{}\n\n${body}\n` },
])('counts the same documents, or sends nothing: %j', async request => {
	const asked: string[] = []
	const send = async ({ path, search }: EngineRequest) => {
		asked.push(`${path}?${search}`)
		throw new Error('The engine does not say.')
	}
	const { signal } = call()
	await expect(
		refuseExpensive({ ...request, isRead: true }, { limitRows: 10_000, transport: { send }, signal }),
	).rejects.toThrow('does not say')
	const parameters = request.text.startsWith('{}') ? '' : 'ignore_unavailable=true'
	expect(asked.map(decodeURIComponent)).toEqual([`/events,nowhere/_search?${parameters}`])
})

test.each<JsonObject>([
	{ query: none, aggs: { all: { global: {}, aggs: { a: { scripted_metric: { map_script: '' } } } } } },
	{ query: none, knn: { field: 'v', query_vector: [1], filter: wildcard } },
	{ query: { term: { r: 'a' } }, runtime_mappings: { r: { type: 'keyword', script: "emit('a')" } } },
	{ query: none, aggs: { a: { significant_terms: { field: 'service', background_filter: wildcard } } } },
	{ query: { bool: { filter: [none, { has_child: { type: 'c', query: wildcard } }] } } },
])('a part that looks beyond the query is not narrowed by it: %j', async search => {
	await expect(run(`GET /events/_search\n${JSON.stringify(search)}`)).rejects.toMatchObject(refused)
})

test('does not check the requests of a check', async () => {
	const asking = run(`GET /_search\n${JSON.stringify({ pit: { id: 'x', script: 'y' } })}`)
	await expect(asking).rejects.toThrow(/^(?!Maximum call stack)/)
})

test('limits the depth of the search for a narrowing part', () => {
	let query: JsonObject = wildcard
	for (let depth = 0; depth < 50_000; depth++) query = { bool: { must: [query] } }
	expect(cheapPartOf(query)).toEqual({ match_all: {} })
})

test.each([
	'(a)*x',
	'"a"*x',
	'""*x',
	'[a TO b]*x',
	'a^2*x',
	'a~*x',
	'/ .*x/',
	'a/.*x/',
	'a"b"/.*x/',
])('%s starts a term with an expensive pattern in Lucene syntax', text => expect(expenseOfLucene(text)).toBeDefined())

test.each([
	'year:[1990 TO *]',
	'year:{1990 TO *}',
	'(year:*)',
	'title:*^2',
])('%s does not start a term with an expensive pattern in Lucene syntax', text =>
	expect(expenseOfLucene(text)).toBeUndefined())

test.each(['2e4', '20000.0', '"20000"'])('counts groups of the size %s', size => {
	expect(expensesOf(parseJson(`{"aggs": {"a": {"terms": {"field": "b", "size": ${size}}}}}`))).toHaveLength(1)
})

test('ignores values of a field called size', () => {
	expect(expensesOf(parseJson('{"query": {"terms": {"size": [20000, 1.10]}}}'))).toEqual([])
})

test.each(['auto_date_histogram', 'geohash_grid', 'filters', 'range'])('%s multiplies groups like terms', name => {
	const nested = (depth: number): JsonObject =>
		depth === 0 ? {} : { aggs: { by: { [name]: { field: 'a' }, ...nested(depth - 1) } } }
	expect(expensesOf(nested(4))).toHaveLength(1)
	expect(expensesOf(nested(3))).toEqual([])
})
