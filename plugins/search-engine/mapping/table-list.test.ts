import { directContext } from '@roundhouse/kit/testing'
import { driverMethods } from '@roundhouse/kit/wire/methods'
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { call } from '../test/fixture.ts'
import { node, ok } from '../test/mock-node.ts'

test.each([-1, 'many'])('lists a table of %s documents without a count', async count => {
	const rows = { sum_other_doc_count: 0, buckets: [{ key: 'a', doc_count: count }] }
	await using cluster = await node((request, response) => {
		const [path = ''] = (request.url ?? '').split('?')
		if (path === '/') return ok(response)
		if (path === '/_cat/indices') return ok(response, '[{"index":"a"}]')
		ok(response, JSON.stringify({ aggregations: { rows }, _shards: { failed: 0 } }))
	})
	const connection = await connect({ hosts: cluster.host, auth: 'none' }, directContext(), call())
	const tables = await connection.listTables(call())
	expect(driverMethods.listTables.result.safeParse(tables).error).toBeUndefined()
	expect(tables.map(({ name }) => name)).toEqual(['a'])
	await connection.close()
})

test.each([
	['1', 'warning'],
	['0', undefined],
] as const)('lists the condition of indices, if another one has %s replicas', async (rep, ofYellow) => {
	const listed = [
		{ index: 'a', health: 'green', status: 'open', rep },
		{ index: 'b', health: 'yellow', status: 'open' },
		{ index: 'c', health: 'red', status: 'open' },
		{ index: 'd', health: 'green', status: 'close' },
	]
	await using cluster = await node((request, response) => {
		const [path = ''] = (request.url ?? '').split('?')
		if (path === '/') return ok(response)
		if (path === '/_cat/indices') return ok(response, JSON.stringify(listed))
		ok(response, '{"aggregations": {"rows": {"buckets": []}}, "_shards": {"failed": 0}}')
	})
	const connection = await connect({ hosts: cluster.host, auth: 'none' }, directContext(), call())
	const tables = await connection.listTables(call())
	expect(driverMethods.listTables.result.safeParse(tables).error).toBeUndefined()
	const health = tables.map(({ details }) => details?.find(({ name }) => name === 'Health'))
	expect(health[1]).toEqual({ name: 'Health', value: 'yellow', state: 'warning' })
	expect(health.map(detail => detail?.state)).toEqual(['good', 'warning', 'bad', 'good'])
	expect(tables.map(({ condition }) => condition?.state)).toEqual([undefined, ofYellow, 'bad', 'closed'])
	await connection.close()
})
