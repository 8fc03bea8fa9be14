import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer } from '../../plugins/postgres/servers/server.ts'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

/** An answer that leaves something out says what. */

const schema = `
do $$ begin
	execute (select 'create type size as enum (' || string_agg(quote_literal('s' || i), ',') || ')' from generate_series(1, 120) i);
	for i in 1..60 loop execute format('create table t%s (id int primary key)', i); execute format('insert into t%s values (1)', i); end loop;
	for i in 1..2 loop
		execute (select format('create table w%s (', i) || string_agg('mark_' || n || ' int', ',') || ')' from generate_series(1, 600) n);
		execute format('insert into w%s select from generate_series(1, 3)', i);
	end loop;
end $$;
analyze;
create table rare (id int primary key, seldom_named int, size size)`

const owned = new AsyncDisposableStack()
let fixture: EndpointFixture
let id: string
beforeAll(async () => {
	const server = owned.use(await startServer({ schema }))
	fixture = owned.use(await startEndpoint({ drivers: [join(import.meta.dirname, '..', '..', 'plugins', 'postgres')] }))
	id = (await fixture.addConnection({ driverId: 'postgres', settings: server.settings })).id
})
afterAll(() => owned.disposeAsync())

const call = async (name: string, args: object = {}) =>
	(await fixture.call('tools/call', { name, arguments: { connection_id: id, ...args } })).json.result.structuredContent

test('a column is found in any table, and a list that may be longer says so', async () => {
	const { tables } = await call('overview', { match: 'seldom_named' })
	expect(tables).toMatchObject([{ table: 'public.rare' }])
	expect((await call('overview', { match: 'mark_' })).hint).toMatch(/first 1000 columns with such a name were searched/)
	expect((await call('overview')).hint).toMatch(/\d of 63 tables are shown .* \d+ others are named\./)
	expect((await call('search_schema', { term: 'mark_' })).hint).toMatch(/^0 tables and at least 1000 columns\./)
})

test('an overview of many tables, some of them wide, has less than about 1,000 tokens', async () => {
	const whole = await call('overview')
	expect(whole.tables[0]).toMatchObject({ table: 'public.w1', more_columns: expect.any(Number) })
	expect(JSON.stringify(whole).length / 4).toBeLessThan(1_000)
})

test('choices that are left out are counted', async () => {
	const { columns } = await call('describe_table', { table: 'public.rare', match: 'size' })
	expect(columns[0].choices).toHaveLength(100)
	expect(columns[0].note).toBe('The first 100 of 120 choices are shown.')
})

test('recent queries say how many there are, in each place', async () => {
	for (let n = 0; n < 52; n++) await call('query', { query: `select ${n}` })
	expect(await call('list_recent_queries', { limit: 2 })).toMatchObject({
		queries: [{ statement: 'select 51' }, { statement: 'select 50' }],
		hint: 'The newest 2 of 52 statements.',
	})
	expect(await call('list_recent_queries', { limit: 500 })).not.toHaveProperty('hint')
	const uri = `roundhouse://connections/${id}/history`
	const { contents } = (await fixture.call('resources/read', { uri })).json.result
	expect(JSON.parse(contents[0].text).hint).toBe('The newest 50 of 52 statements.')
	await call('query', { query: `select '${'x'.repeat(600)}'` })
	const prompt = async (name: string, args: object) =>
		(await fixture.call('prompts/get', { name, arguments: { connection: id, ...args } })).json.result.messages[0]
			.content.text
	const history = await prompt('summarize_history', {})
	expect(history).toContain('select 0"')
	expect(history).toContain('xx…')
	expect(await prompt('review_query', { query: 'y'.repeat(9_000) })).toContain('yy…')
})
