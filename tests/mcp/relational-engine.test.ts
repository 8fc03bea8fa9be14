import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

/** What a model reads of the optional parts of the driver API (drivers/shop). */

let fixture: EndpointFixture
let connection: string
beforeAll(async () => {
	fixture = await startEndpoint({
		drivers: [join(import.meta.dirname, 'drivers', 'shop')],
		desk: { ask: async () => ({ decision: 'approved' }) },
	})
	connection = (await fixture.addConnection({ driverId: 'shop', settings: {} })).id
})
afterAll(() => fixture[Symbol.asyncDispose]())

const call = async (name: string, args = {}) =>
	(await fixture.callTool(name, { connection_id: connection, ...args })).json.result
const run = (query: string) => call('execute_query', { query })

test('list_tables says where a table is, what it is, and what it does not take', async () => {
	const why = 'A view takes no changes.'
	expect((await call('list_tables')).structuredContent.tables).toEqual([
		{ name: 'shop.public.customers', path: ['shop', 'public'], row_count: 1 },
		{ name: 'shop.public.orders', path: ['shop', 'public'], row_count: 2, row_count_is_estimated: true },
		{
			...{ name: 'shop.public.totals', kind: 'view', path: ['shop', 'public'] },
			cannot: { insert: why, update: why, delete: why },
		},
	])
})

test('describe_table says choices, defaults, what is required and generated, and references', async () => {
	const { columns, references } = (await call('describe_table', { table: 'shop.public.orders' })).structuredContent
	expect(columns).toMatchObject([
		{ name: 'id', is_key: true, generated: 'default' },
		{ name: 'state', default: "'new'", choices: ['new', 'paid', 'sent'] },
		{ name: 'customer', is_required: true },
	])
	expect(references).toEqual([{ columns: ['customer'], table: 'shop.public.customers', to: ['id'] }])
})

test('a change that the table never takes is refused before anyone is asked', async () => {
	const answer = await call('insert_rows', { table: 'shop.public.totals', rows: [{ state: 'x' }] })
	expect(answer).toMatchObject({ isError: true, content: [{ text: 'unsupported: A view takes no changes.' }] })
})

test('a statement answers with its affected rows and all of its results', async () => {
	expect((await run('pay 2')).structuredContent).toMatchObject({ status: 'PAY', affected_rows: 1 })
	const { rows, more_results: more } = (await run('both')).structuredContent
	expect(rows).toHaveLength(2)
	expect(more).toMatchObject([{ status: 'READ', rows: [[1, 'Ada', 'x'.repeat(20), 'AAH/']] }])
})

test('a failure names the place, the hint and the code of the engine', async () => {
	const text = 'query_failed: there is no order 77. At line 1: "77". Hint: Read the orders first. Engine code: 02000.'
	expect(await run('pay 77')).toMatchObject({ isError: true, content: [{ text }] })
})

test('an AI client gets no session: a statement that begins a transaction is refused', async () => {
	expect(await run('begin')).toMatchObject({
		isError: true,
		content: [{ text: expect.stringContaining('unsupported') }],
	})
	expect((await run('sessions')).structuredContent.status).toBe('0')
})
