import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { directContext } from '@roundhouse/kit/testing'
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { call, decode } from '../test/fixture.ts'
import { elasticsearch, ok } from '../test/mock-node.ts'

const rows = 400_000

interface Search {
	readonly query: object
	readonly from?: number
	readonly size: number
	readonly search_after?: readonly [number, number]
	readonly sort: readonly [{ readonly when: { readonly order: 'asc' | 'desc' } }]
}

/** An index with one row per number. Rejects any search with a query. */
function found({ query, from = 0, size, search_after: after, sort }: Search): object | undefined {
	if (!('match_all' in query)) return undefined
	const isAscending = sort[0].when.order === 'asc'
	const first = (after === undefined ? 0 : (isAscending ? after[0] : rows - 1 - after[0]) + 1) + from
	const places = Array.from({ length: Math.min(size, rows - first) }, (_, at) => first + at)
	const hits = places
		.map(place => (isAscending ? place : rows - 1 - place))
		.map(value => ({ _index: 'a', _id: `${value}`, sort: [value, value], _source: { when: value } }))
	return { took: 1, _shards: { failed: 0 }, hits: { total: { value: rows, relation: 'eq' }, hits } }
}

async function stubborn() {
	let refused = 0
	const server = createServer(async (request, response) => {
		const body = await textOf(request)
		const [path] = (request.url ?? '').split('?')
		if (path === '/') return ok(response)
		if (path === '/a/_mapping') return ok(response, '{"a":{"mappings":{"properties":{"when":{"type":"date"}}}}}')
		if (path === '/a/_pit') return ok(response, '{"id":"view"}')
		if (path !== '/_search') return ok(response, '{}')
		const answer = found(JSON.parse(body) as Search)
		if (answer !== undefined) return ok(response, JSON.stringify(answer))
		refused++
		const error = { type: 'parse_exception', reason: 'failed to parse date field [-1] with format [epoch_millis]' }
		response.writeHead(400, elasticsearch).end(JSON.stringify({ error, status: 400 }))
	})
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	return {
		host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
		refused: () => refused,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections()
			await new Promise(resolve => server.close(resolve))
		},
	}
}

test('walks if the engine rejects the queries of a jump, and does not try another jump', async () => {
	await using cluster = await stubborn()
	const connection = await connect({ hosts: cluster.host, auth: 'none' }, directContext(), call())
	const sort = [{ column: 'when', direction: 'asc' as const }]
	const grid = await connection.openGrid({ table: 'a', filters: [], match: 'all', sort }, call())
	const ids = async (offset: number) => decode(await grid.page({ offset, limit: 2 }, call())).rows.map(row => row.id)
	expect(await ids(190_000)).toEqual(['["a","190000"]', '["a","190001"]'])
	expect(cluster.refused()).toBe(1)
	expect(await ids(100_000)).toEqual(['["a","100000"]', '["a","100001"]'])
	expect(cluster.refused()).toBe(1)
	await grid.close()
	await connection.close()
})
