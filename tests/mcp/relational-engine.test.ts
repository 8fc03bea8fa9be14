import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOffers } from '../support/offers.ts'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

/** What a model reads of the optional parts of the driver API (drivers/shop). */

let fixture: EndpointFixture
let kept: Awaited<ReturnType<typeof openOffers>>
let connection: string
/** The statements that the user was asked about. */
const asked: string[] = []
beforeAll(async () => {
	kept = await openOffers()
	fixture = await startEndpoint({
		offers: kept.offers,
		drivers: [join(import.meta.dirname, 'drivers', 'shop')],
		desk: {
			ask: async question => {
				if (question.kind === 'statement') asked.push(question.statement)
				return { decision: 'approved' }
			},
		},
	})
	connection = (await fixture.addConnection({ driverId: 'shop', settings: {} })).id
})
afterAll(async () => {
	await fixture[Symbol.asyncDispose]()
	await kept[Symbol.asyncDispose]()
})

const call = async (name: string, args = {}) =>
	(await fixture.callTool(name, { connection_id: connection, ...args })).json.result
const run = (query: string) => call('execute_query', { query })

test('list_tables says where a table is, what it is, and what it does not take', async () => {
	const why = 'A view takes no changes.'
	expect((await call('list_tables')).structuredContent.tables).toEqual([
		{ name: 'shop.public.customers', path: ['shop', 'public'], row_count: 1 },
		{ name: 'shop.public.orders', path: ['shop', 'public'], row_count: 2, row_count_is_estimated: true },
		{
			name: 'shop.public.totals',
			kind: 'view',
			path: ['shop', 'public'],
			cannot: { insert: why, update: why, delete: why },
		},
	])
})

test('describe_table says choices, defaults, what is required and generated, and references', async () => {
	const { columns, references, ...others } = (await call('describe_table', { table: 'shop.public.orders' }))
		.structuredContent
	expect(columns).toMatchObject([
		{ name: 'id', is_key: true, is_read_only: 'after_insert', generated: 'default' },
		{ name: 'state', default: "'new'", choices: ['new', 'paid', 'sent'] },
		{ name: 'customer', is_required: true },
	])
	expect(references).toEqual([{ columns: ['customer'], table: 'shop.public.customers', to: ['id'] }])
	expect(others).toEqual({ table: 'shop.public.orders', note: 'What customers buy.', indexes: ['(state)'] })
	const { referred_by: referrers, indexes } = (await call('describe_table', { table: 'shop.public.customers' }))
		.structuredContent
	expect(indexes).toEqual(['none besides the key'])
	const view = (await call('describe_table', { table: 'shop.public.totals' })).structuredContent
	expect(view.indexes).toEqual(['none'])
	expect(referrers).toEqual(['shop.public.orders(customer) on delete cascade'])
})

test('search_schema asks a driver that finds columns once, and says nothing of tables it did not search', async () => {
	expect((await call('search_schema', { term: 'stat' })).structuredContent).toEqual({
		tables: [],
		columns: [
			{ table: 'shop.public.orders', name: 'state', type: 'order_state' },
			{ table: 'shop.public.totals', name: 'state', type: 'text' },
		],
	})
})

test('a change that the table never takes is refused before anyone is asked', async () => {
	const answer = await call('insert_rows', { table: 'shop.public.totals', rows: [{ state: 'x' }] })
	expect(answer).toMatchObject({
		isError: true,
		content: [{ text: 'unsupported: Shop says: «A view takes no changes.»' }],
	})
})

test('an update of a column that only a new row sets is refused before anyone is asked', async () => {
	const questions = asked.length
	const updates = [{ row_id: '1', set: { id: 9 } }]
	expect(await call('update_rows', { table: 'shop.public.orders', updates })).toMatchObject({
		isError: true,
		content: [{ text: 'invalid_argument: id can be set in a new row only. Insert a new row, or leave it out.' }],
	})
	expect(asked).toHaveLength(questions)
})

test('a statement answers with its affected rows and all of its results', async () => {
	expect((await run('pay 2')).structuredContent).toMatchObject({ status: 'PAY', affected_rows: 1 })
	const { rows, more_results: more } = (await run('both')).structuredContent
	expect(rows).toHaveLength(2)
	expect(more).toMatchObject([{ status: 'READ', rows: [[1, 'Ada', 'x'.repeat(20), 'AAH/']] }])
})

test('a failure names the place, the hint and the code of the engine', async () => {
	const text =
		'query_failed: Shop says: «there is no order 77» At line 1: "77". Its hint: «Read the orders first.» Engine code: 02000.'
	expect(await run('pay 77')).toMatchObject({ isError: true, content: [{ text }] })
})

test('an error that repeats a long statement is cut, and keeps its hint', async () => {
	const { content, isError } = await run('x'.repeat(50_000))
	expect(isError).toBe(true)
	expect(content[0].text).toMatch(
		/^query_failed: Shop says: «unknown verb x{3000,}…» At line 1: "x{40}"\. Its hint: «Try read\.» Engine code: 42601\.$/,
	)
	expect(content[0].text.length).toBeLessThan(4_200)
})

test('an AI client gets no session: a statement that begins a transaction is refused', async () => {
	expect(await run('begin')).toMatchObject({
		isError: true,
		content: [{ text: expect.stringContaining('unsupported') }],
	})
	expect((await run('sessions')).structuredContent.status).toBe('0')
})

test('values travel apart from the text, and text that would end a value stays a value', async () => {
	const query = 'echo {{value}}'
	for (const value of ["'); drop", 'two words', '{{other}}', null, true, 7]) {
		const { structuredContent } = await call('query', { query, parameters: { value } })
		expect(structuredContent.rows, String(value)).toEqual([[value]])
	}
	const { structuredContent } = await call('execute_query', { query: 'pay {{id}}', parameters: { id: '1' } })
	expect(structuredContent).toMatchObject({ status: 'PAY', affected_rows: 1 })
})

test('the question and the recent queries have the text and its values', async () => {
	asked.length = 0
	await call('execute_query', { query: 'pay {{id}}', parameters: { id: 'none; pay 2' } })
	expect(asked).toEqual(['pay {{id}}\nid = "none; pay 2"'])
	const { structuredContent } = await call('list_recent_queries')
	expect(JSON.stringify(structuredContent)).toContain('id = \\"none; pay 2\\"')
})

test('each place needs a value, and each value a place', async () => {
	const refused = async (args: object) => (await call('query', args)).content[0].text
	expect(await refused({ query: 'echo {{value}}' })).toBe('invalid_argument: parameters: there is no value for value.')
	expect(await refused({ query: 'both', parameters: { id: 1 } })).toBe(
		'invalid_argument: parameters: the query has no place {{id}}.',
	)
	expect(await refused({ query: 'echo {{value}}', parameters: { value: [1] } })).toContain('a value must be a string')
})

test('an offered statement gets its values apart from the text', async () => {
	const parameters = [{ name: 'value', type: 'text', description: 'What to echo' } as const]
	await kept.offer(connection, 'echo {{value}}', { name: 'echo_value', parameters }, 'read')
	const { structuredContent } = (await fixture.callTool('echo_value', { value: "'); drop" })).json.result
	expect(structuredContent.rows).toEqual([["'); drop"]])
})

test('a cursor continues behind the last row that was read, although a row before it is deleted', async () => {
	const table = 'shop.public.orders'
	const page = async (args = {}) => (await call('browse_table', { table, max_rows: 1, ...args })).structuredContent
	const { row_ids: all } = await page({ max_rows: 10 })
	const { row_ids: first, next_cursor: cursor } = await page()
	expect((await call('delete_rows', { table, rows: [{ row_id: first[0] }] })).structuredContent).toMatchObject({
		applied: 1,
	})
	const second = await page({ cursor })
	expect([...first, ...second.row_ids]).toEqual(all.slice(0, 2))
	expect(second).not.toHaveProperty('notices')
})
