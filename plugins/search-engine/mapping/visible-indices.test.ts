import type { Change } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { call, decode } from '../test/fixture.ts'
import { elasticsearch, failure, node, ok } from '../test/mock-node.ts'

/** Answers of 8.19 to a key with the privilege `read` on the index `sales`: 403 for what is not listed. */
const answers: Readonly<Record<string, object>> = {
	'/_resolve/index/*': {
		indices: [
			{ name: 'sales', attributes: ['open'] },
			{ name: 'sales-old', attributes: ['closed'] },
			{ name: '.hidden', attributes: ['hidden', 'open'] },
		],
		aliases: [],
		data_streams: [],
	},
	'/_field_caps': { indices: ['sales'] },
	'/sales/_search': { took: 1, hits: { total: { value: 1, relation: 'eq' }, hits: [{ _index: 'sales', _id: '1' }] } },
	'/sales/_field_caps': {
		indices: ['sales'],
		fields: {
			_id: { _id: { type: '_id', metadata_field: true, searchable: true, aggregatable: false } },
			'customer.city': { keyword: { type: 'keyword', searchable: true, aggregatable: true } },
			customer: { object: { type: 'object', searchable: false, aggregatable: false } },
			title: { text: { type: 'text', searchable: true, aggregatable: false } },
			'title.raw': { keyword: { type: 'keyword', searchable: true, aggregatable: true } },
			amount: { double: { type: 'double', searchable: true, aggregatable: true } },
		},
	},
}

async function connected(isRefused: (path: string) => boolean, others: typeof answers = {}) {
	const cluster = await node((request, response) => {
		const [path = ''] = (request.url ?? '').split('?')
		if (path === '/') return ok(response)
		const answer = isRefused(path) ? undefined : (others[path] ?? answers[path])
		if (answer) return ok(response, JSON.stringify(answer))
		const error = { type: 'security_exception', reason: `${path} is unauthorized` }
		response.writeHead(403, elasticsearch).end(JSON.stringify({ error, status: 403 }))
	})
	const connection = await connect({ hosts: cluster.host, auth: 'none' }, directContext(), call())
	return {
		connection,
		lines: () => cluster.requests.map(({ line }) => line),
		async [Symbol.asyncDispose]() {
			await connection.close()
			await cluster[Symbol.asyncDispose]()
		},
	}
}

test('lists the indices that a limited credential may use, and their fields', async () => {
	await using opened = await connected(() => false)
	const tables = await opened.connection.listTables(call())
	expect(tables.map(({ name, condition }) => [name, condition?.state])).toEqual([
		['sales', undefined],
		['sales-old', 'closed'],
	])
	const { columns } = await opened.connection.describeTable('sales', call())
	const types = Object.fromEntries(columns.map(({ name, type }) => [name, type]))
	expect(types).toMatchObject({ amount: 'double', 'customer.city': 'keyword', title: 'text' })
})

test('lists the indices that it may search if it may not resolve names', async () => {
	await using opened = await connected(path => path.startsWith('/_resolve'))
	expect((await opened.connection.listTables(call())).map(({ name }) => name)).toEqual(['sales'])
})

test('reports the first refusal if the cluster refuses everything', async () => {
	await using opened = await connected(() => true)
	expect((await failure(opened.connection.listTables(call()))).message).toContain('/_cat/indices is unauthorized')
})

test('an empty answer is not a list of no indices', async () => {
	await using opened = await connected(path => path.startsWith('/_resolve'), { '/_field_caps': {} })
	expect((await failure(opened.connection.listTables(call()))).message).toContain('/_cat/indices is unauthorized')
})

test('completes the names and fields that a limited credential may use', async () => {
	await using opened = await connected(() => false)
	const { console } = opened.connection
	const labels = async (text: string) =>
		(await console.complete(text, text.length, call())).options.map(({ label }) => label)
	expect(await labels('GET /sa')).toContain('sales')
	expect(await labels('GET /sales/_search\n{"query": {"term": {"')).toContain('customer.city')
})

test('says what a limited credential does not see', async () => {
	await using opened = await connected(() => false)
	const { connection } = opened
	await connection.listTables(call())
	const [section] = await connection.readFacts(undefined, call())
	expect(section).toMatchObject({ title: 'Indices', notice: expect.stringContaining('without their sizes and health') })
	const grid = await connection.openGrid({ table: 'sales', filters: [], match: 'all', sort: [] }, call())
	const { notices } = decode(await grid.page({ offset: 0, limit: 10 }, call()))
	expect(notices.join()).toContain('view_index_metadata')
})

test('does not edit documents whose _source may lack fields', async () => {
	await using opened = await connected(() => false)
	const changes: Change[] = [{ kind: 'update', rowId: '["sales","1"]', set: { amount: 2 } }]
	const [outcome] = await opened.connection.applyChanges('sales', changes, call())
	expect(outcome).toMatchObject({ status: 'failed', message: expect.stringContaining('view_index_metadata') })
	expect(opened.lines().filter(line => !line.startsWith('GET'))).toEqual([])
})
