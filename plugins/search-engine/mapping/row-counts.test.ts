import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { directContext } from '@roundhouse/kit/testing'
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { call } from '../test/fixture.ts'

const headers = { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' }
const root = '{"version":{"number":"8.13.4"},"tagline":"You Know, for Search"}'
const listed = '[{"index":"a","docs.count":"7","store.size":"10"},{"index":"b","docs.count":"0"},{"index":".c"}]'
const counted = (more: object) =>
	JSON.stringify({
		timed_out: false,
		_shards: { failed: 0 },
		aggregations: { rows: { sum_other_doc_count: 0, buckets: [{ key: 'a', doc_count: 3 }] } },
		...more,
	})

/** Returns names and counts of a cluster that answers the count like this. */
async function tables(status: number, count: string) {
	const server = createServer(({ url = '' }, response) => {
		if (url.startsWith('/_search')) response.writeHead(status, headers).end(count)
		else response.writeHead(200, headers).end(url.startsWith('/_cat') ? listed : root)
	})
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	const connection = await connect(
		{ hosts: `127.0.0.1:${(server.address() as AddressInfo).port}`, auth: 'none' },
		directContext(),
		call(),
	)
	const found = await connection.listTables(call())
	await connection.close()
	server.close()
	return found
}

test('counts rows by the search, and shows zero for an index that both find empty', async () => {
	expect(await tables(200, counted({}))).toEqual([
		{ name: 'a', rowCount: 3, sizeBytes: 10 },
		{ name: 'b', rowCount: 0 },
	])
})

test.each([
	['was refused', 403, '{"error":{"type":"security_exception","reason":"no"},"status":403}'],
	['timed out', 200, counted({ timed_out: true })],
	['lost a shard', 200, counted({ _shards: { failed: 1 } })],
	['omitted indices', 200, counted({ aggregations: { rows: { sum_other_doc_count: 9, buckets: [] } } })],
	['was malformed', 200, '[]'],
])('shows the Lucene documents of each index as an estimate if the count %s', async (_, status, count) => {
	expect(await tables(status, count)).toEqual([
		{ name: 'a', rowCount: 7, isRowCountEstimated: true, sizeBytes: 10 },
		{ name: 'b', rowCount: 0 },
	])
})
