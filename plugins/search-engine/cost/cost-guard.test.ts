import type { Filter } from '@roundhouse/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SearchConnection } from '../connection.ts'
import { call, openSampleForClient, statement } from '../test/fixture.ts'
import { tools } from '../tools/index.ts'

/** Over a large table, an AI client cannot run expensive reads in any way. A user can. */

let opened: Awaited<ReturnType<typeof openSampleForClient>>
/** Connection of an AI client, with a limit below the 24,000 events and above the 3,003 books. */
let client: SearchConnection
beforeAll(async () => {
	opened = await openSampleForClient(10_000)
	client = opened.client
})
afterAll(() => opened[Symbol.asyncDispose]())

const run = (text: string, connection = client) =>
	connection.console.run(statement(connection, text), { maxRows: 5 }, call())
const wildcard = '{"query": {"wildcard": {"message": "*x"}}}'
const endsWith: Filter = { column: 'service', operator: 'ends_with', values: ['s'] }
const queryOf = (filters: readonly Filter[]) => ({ table: 'events', filters, match: 'all' as const, sort: [] })
const refused = { code: 'denied', message: expect.stringMatching(/^Over 10,000 or more documents .* begins with \*/) }

test.each([
	`GET /events/_search\n${wildcard}`,
	`POST /events/_count\n${wildcard}`,
	`POST /_msearch\n{"index": "books"}\n{}\n{"index": "events"}\n${wildcard}`,
	`POST /events/_msearch\n{}\n${wildcard}`,
	'GET /events/_search?q=service:*s',
	`GET /_search\n${wildcard}`,
	`GET /ev*/_search\n${wildcard}`,
])('rejects a statement of a client: %s', async text => {
	await expect(run(text)).rejects.toMatchObject(refused)
})

test('rejects expensive pages, counts, groups, exports and tools of the driver too', async () => {
	const query = queryOf([endsWith])
	const page = async () => {
		const grid = await client.openGrid({ ...query, firstPage: 5 }, call())
		return grid.page({ offset: 0, limit: 5 }, call())
	}
	const exported = async () => {
		const file = await client.openExport(query, { format: 'ndjson' }, call())
		return file.read(call()).finally(() => file.close())
	}
	const toolCall = { ...call(), connection: client, clientCapabilities: {}, inputResponses: {} }
	const asked = [
		page(),
		client.countRows(query, call()),
		client.aggregate({ ...query, groups: [], measures: [], limit: 1 }, call()),
		exported(),
		client.explain({ query }, call()),
		tools.search?.({ index: 'events', query_string: '*s' }, toolCall),
	]
	for (const answer of await Promise.allSettled(asked)) expect(answer).toMatchObject({ reason: refused })
})

test('allows a narrowed query, a small table, and a cheap query', async () => {
	const narrowed = queryOf([endsWith, { column: 'level', operator: 'equals', values: ['error'] }])
	expect((await client.countRows(narrowed, call())).value).toBeGreaterThan(0)
	await run('GET /books/_search\n{"query": {"wildcard": {"title.keyword": "*a"}}}')
	await run('GET /events/_search\n{"query": {"wildcard": {"service": "pay*"}}}')
	await run('GET /_cat/indices?v')
})

test('the rejection names the cheaper way', async () => {
	const error = await run('GET /events/_search\n{"query": {"regexp": {"service": "p.*"}}}').catch(error => error)
	expect(error.message).toMatch(/regular expression.*First narrow the search.*The user can run it in the window\.$/)
})

test('does not limit the user', async () => {
	await run(`GET /events/_search\n${wildcard}`, opened.connection)
	expect((await opened.connection.countRows(queryOf([endsWith]), call())).value).toBeGreaterThan(0)
})

test('leaves what cannot be parsed to the engine', async () => {
	await expect(run('GET /nowhere/_search\n{"query": {"regexp": {"a": "b"}}}')).rejects.toMatchObject({
		code: 'not_found',
	})
})
