import type { Access, Connection } from '@roundhouse/kit'
import { decode } from '@roundhouse/kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shop } from '../servers/schema.ts'
import { startServer, type TestServer } from '../servers/server.ts'
import { call, open, run, statement } from '../test/fixture.ts'

let server: TestServer
let connection: Connection

beforeAll(async () => {
	server = await startServer({
		schema: `${shop}
		create function spend() returns int language sql volatile as 'insert into logs values (now(), null); select 1';
		create function calm(int) returns int language sql immutable as 'select $1';
		create function remove(customers) returns int language sql volatile as 'delete from order_lines; select 1';
		create operator ### (rightarg = int, function = calm);
		create function loud(int) returns int language sql volatile as 'insert into logs values (now(), null); select 1';
		create operator !!! (rightarg = int, function = loud);
		create function timeofday(int) returns int language sql volatile as 'insert into logs values (now(), null); select 1';
		create view spending as select spend();
		create view calling as select remove(c) from customers c;
		create view above as select * from spending where exists (select from customers);
		create function add_up(int, int) returns int language sql volatile
			as 'insert into logs values (now(), null); select $1 + $2';
		create aggregate costly_sum(int) (sfunc = add_up, stype = int, initcond = '0');
		create aggregate calm_sum(int) (sfunc = int4pl, stype = int, initcond = '0');
		create type pair as (a int, b int);
		create function pair_of(int) returns pair language sql volatile
			as 'insert into logs values (now(), null); select row($1, $1)::pair';
		create cast (int as pair) with function pair_of(int);
		create domain costly as int check (spend() > 0);
		analyze;`,
	})
	connection = await open(server.settings)
})
afterAll(async () => {
	await connection?.close()
	await server?.stop()
})

const accessOf = async (text: string): Promise<Access | undefined> =>
	(await connection.console.analyse(text, call())).map(({ access }) => access).join(' ') as Access

describe('verdicts', () => {
	test.each([
		'select * from orders',
		'select count(*), max(total), calm(1), now(), random(), ###1 from orders',
		"select 'drop table orders'; -- delete\n",
		'table orders',
		'values (1), (2)',
		'with a as (select 1) select * from a',
		'explain delete from orders',
		'explain (analyze, buffers) select 1',
		'explain (analyze false) delete from orders',
		'show all',
		'select 1 union all select 2 order by 1 limit 1',
		'SELECT/**/1',
		'select {{id}}, {{ name }}',
		'select c.name from customers c',
		'select pg_sleep(0)',
		'select calm_sum(id), string_agg(state, $$,$$) from orders',
		'select 1::text, cast(1 as bigint)',
		'select * from pg_stat_activity, pg_locks',
		"select x from json_table('[1]', '$[*]' columns (x int path '$')) t",
	])('%s is a read', async text => {
		expect(await accessOf(text)).toBe('read')
	})

	test.each([
		"insert into logs values (now(), 'a')",
		"insert into orders (id) values (nextval('orders_id_seq'))",
		"update orders set state = 'new' where id = 1",
		'create table made (id int)',
		'create table made as select 1',
		'select 1 into made',
		'select * from orders for update',
		'begin',
		'set work_mem = 1',
		'with a as (insert into logs values (now()) returning *) select * from a',
		'explain analyze insert into logs values (now())',
		'refresh materialized view sums',
		'alter table orders add column more int not null default 1, add check (more > 0)',
		"alter table orders alter column state set default 'paid'",
		"create function calm(int) returns int language sql as 'select $1'",
		"comment on table orders is 'x'",
	])('%s is a write', async text => {
		expect(await accessOf(text)).toBe('write')
	})

	test.each([
		'select spend()',
		// It has the name of a harmless function of PostgreSQL.
		'select timeofday(1)',
		'select remove(c) from customers c',
		'select c.remove from customers c',
		'select !!!1',
		"select nextval('orders_id_seq')",
		"select pg_terminate_backend(1), 'x'",
		"select set_config('a.b', 'c', false)",
		'select missing_function()',
		'select costly_sum(id) from orders',
		'select 1::pair',
		'select * from spending',
		'select * from calling',
		'with a as (select * from above) select * from a',
		'insert into logs values (now(), spend()::text)',
		'update orders set state = null',
		'delete from orders where id = 1',
		'with gone as (delete from logs returning *) select * from gone',
		'explain analyze delete from orders',
		'merge into orders using customers on false when matched then delete',
		'truncate orders',
		'drop table orders',
		'alter table orders drop column total',
		'alter table orders add column more int default spend()',
		'alter table orders alter column state drop default',
		'alter table orders add column more int, drop column total',
		'create or replace view totals as select 1',
		"create or replace function calm(int) returns int language sql as 'select $1'",
		'revoke all on orders from public',
		'grant all on orders to public',
		'do $$ begin end $$',
		'call p()',
		"copy orders to program 'x'",
		'copy orders from stdin',
		'execute prepared',
		'selectt 1',
		"select '",
		'select 1\u0000; drop table orders',
		'select \ud800',
	])('%j may destroy data', async text => {
		expect(await accessOf(text)).toMatch(/^destructive/)
	})

	test('a copy that the console cannot run has its fault, so that it needs no consent', async () => {
		const [out, file] = await connection.console.analyse("copy orders to stdout; copy orders to '/tmp/x'", call())
		expect(out?.fault).toMatchObject({ code: 'unsupported' })
		expect(file?.fault).toBeUndefined()
		await expect(run(connection, 'copy orders to stdout')).rejects.toMatchObject({ code: 'unsupported' })
	})

	test('places cover statements, behind emoji and CRLF too', async () => {
		const text = "select '🚂';\r\n  select 2 -- two\r\n; selectt 3"
		const verdicts = await connection.console.analyse(text, call())
		expect(verdicts.map(({ start, end }) => text.slice(start, end))).toEqual(["select '🚂'", 'select 2', 'selectt 3'])
	})

	test('what the server cannot parse has its error, so that it needs no consent', async () => {
		const [select, misspelt, drop] = await connection.console.analyse(
			"select 1; selectt '🚂' from {{a}}; drop table nowhere, 1",
			call(),
		)
		expect([select?.fault, misspelt?.access, drop?.access]).toEqual([undefined, 'destructive', 'destructive'])
		const fault = { code: 'query_failed', engineCode: '42601' }
		expect(misspelt?.fault).toMatchObject({ ...fault, message: 'syntax error at or near "selectt"', at: 0 })
		expect(drop?.fault).toMatchObject({ ...fault, message: 'syntax error at or near "1"', at: 20 })
		const [missing] = await connection.console.analyse('select nothing from nowhere', call())
		expect(missing).toMatchObject({ access: 'read' })
		expect(missing?.fault).toBeUndefined()
	})

	test('a place inside a text, a name or a comment is a fault', async () => {
		for (const text of ["select '{{a}}'", 'select "{{a}}"', 'select /* {{a}} */ 1', 'select $$ {{a}} $$']) {
			expect((await connection.console.analyse(text, call()))[0]?.fault?.code, text).toBe('invalid_argument')
		}
	})

	test('deep brackets and long sums stop nothing', async () => {
		expect(await accessOf(`select ${'('.repeat(10_000)}1${')'.repeat(10_000)}`)).toMatch(/read|destructive/)
		expect(await accessOf(`select ${'1 + '.repeat(20_000)}1`)).toMatch(/read|destructive/)
		expect(await accessOf('select 1')).toBe('read')
	})
})

describe('results', () => {
	/** The check of a domain is not found. */
	const hidden = 'select 1::costly'

	test.each([
		["select 'a\u0000'", 'NUL'],
		["select 'a\ud83d'", 'half of a character'],
	])('%j has a fault, so that nothing else is sent in its place', async (text, message) => {
		const [verdict] = await connection.console.analyse(text, call())
		expect(verdict).toMatchObject({ access: 'destructive', fault: { message: expect.stringContaining(message) } })
	})

	test('a read runs in a transaction in which the server refuses writes', async () => {
		expect(await accessOf(hidden)).toBe('read')
		await expect(run(connection, hidden)).rejects.toMatchObject({ engineCode: '25006' })
	})

	test('a read in an open transaction is refused writes too, and the transaction stays usable', async () => {
		const session = await connection.openSession?.(call())
		if (!session) throw new Error('no session')
		const ask = async (text: string, maxRows = 10) =>
			session.run(await statement(connection, text), { maxRows }, call())
		await ask('begin')
		await ask("insert into logs values (now(), 'before')")
		await ask("set local application_name = 'kept'")
		await expect(ask(hidden)).rejects.toMatchObject({ engineCode: '25006' })
		await expect(ask('select 1 / 0')).rejects.toMatchObject({ engineCode: '22012' })
		expect(session.transaction()).toBe('open')
		const cut = await ask('select id from orders', 3)
		expect(cut).toMatchObject({ status: 'SELECT', body: { isTruncated: true } })
		expect(await ask('show application_name')).toMatchObject({ body: { rows: [['kept']] } })
		await ask("insert into logs values (now(), 'after')")
		await ask('commit')
		expect(await server.sql("select what from logs where what in ('before', 'after') order by what")).toEqual([
			{ what: 'after' },
			{ what: 'before' },
		])
		await session.close()
	})

	test('have kinds, exact values, affected rows and notices', async () => {
		const rows = await run(
			connection,
			"select 1.10 as a, 'x' as a, null, true as b, '[1]'::jsonb as j, array[1, 2] as l",
			5,
		)
		expect(rows.body).toMatchObject({
			columns: [
				{ name: 'a', kind: 'number' },
				{ name: 'a (2)' },
				{},
				{ kind: 'boolean' },
				{ kind: 'json' },
				{ type: 'integer[]' },
			],
			rows: [[{ number: '1.10' }, 'x', null, true, { json: '[1]' }, '{1,2}']],
		})
		expect(await run(connection, "update customers set note = 'x' where id < 4")).toMatchObject({
			affected: 3,
			status: 'UPDATE 3',
		})
		const notice = await run(connection, "do $$ begin raise notice 'hello'; end $$")
		expect(notice.notices).toEqual(['NOTICE: hello'])
		expect((await run(connection, 'select generate_series(1, 10)', 3)).body).toMatchObject({
			rows: { length: 3 },
			isTruncated: true,
		})
	})

	test('an error points at its word, behind places and emoji, with a hint', async () => {
		const text = "select '🚂', {{long_name}}::int, nmae from customers"
		const one = { ...(await statement(connection, text)), parameters: { long_name: '1' } }
		const error = await connection.console.run(one, { maxRows: 1 }, call()).catch(error => error)
		expect(error).toMatchObject({ code: 'query_failed', engineCode: '42703', at: text.indexOf('nmae') })
		expect(error.hint).toContain('name')
	})

	test('values stay apart from the text', async () => {
		const value = "'; drop table orders; --"
		const one = { ...(await statement(connection, 'select {{a}}, {{b}} + 1, {{a}}')), parameters: { a: value, b: 41 } }
		expect(decode(await connection.console.run(one, { maxRows: 1 }, call())).body).toMatchObject({
			rows: [[value, 42, value]],
		})
	})

	test('a call that may read runs no write, whatever its verdict says', async () => {
		await using reader = await open(server.settings, { permitted: () => 'read' })
		const lie = { ...(await statement(reader, 'delete from orders where false')), access: 'read' } as const
		await expect(reader.console.run(lie, { maxRows: 1 }, call())).rejects.toMatchObject({ code: 'denied' })
	})
})

test('sessions have a transaction that fails and is rolled back', async () => {
	const session = await connection.openSession?.(call())
	if (!session) throw new Error('no session')
	const ask = async (text: string) => session.run(await statement(connection, text), { maxRows: 10 }, call())
	await ask('begin')
	await ask("insert into logs values (now(), 'mine')")
	expect(session.transaction()).toBe('open')
	await expect(ask('insert into logs values (now(), (1 / 0)::text)')).rejects.toMatchObject({ engineCode: '22012' })
	expect(session.transaction()).toBe('failed')
	await expect(ask('select 1')).rejects.toMatchObject({ engineCode: '25P02' })
	await ask('rollback')
	expect(session.transaction()).toBeUndefined()
	expect(await server.sql("select count(*)::int as n from logs where what = 'mine'")).toEqual([{ n: 0 }])
	await session.close()
})

test('a plan has steps with estimates, and measures if it reads', async () => {
	const explained = await connection.explain?.(
		{ statement: await statement(connection, 'select * from orders o join customers c on c.id = o.customer') },
		call(),
	)
	expect(explained).toMatchObject({
		wasRun: true,
		steps: [{ depth: 0, rows: 300, share: 1 }, { depth: 1 }, { depth: 1 }, { depth: 2 }],
	})
	const text = 'select (select count(*) from generate_series(1, 5) i where i = n + 100) from generate_series(1, 10) n'
	const loops = await connection.explain?.({ statement: await statement(connection, text) }, call())
	expect(loops?.steps.map(({ detail }) => detail).join()).toContain('50 rows removed by the filter')
	const plan = await connection.explain?.({ statement: await statement(connection, 'delete from orders') }, call())
	expect(plan).toMatchObject({ wasRun: false, steps: [{ name: 'Delete' }, { estimatedRows: 300 }] })
})

test('the plan alone does not run a statement that reads', async () => {
	const fails = await statement(connection, 'select 1 / (n - 1) from generate_series(1, 2) n')
	const plan = await connection.explain?.({ statement: fails, isPlanOnly: true }, call())
	expect(plan).toMatchObject({ wasRun: false, steps: [{ estimatedRows: 2, estimatedCost: expect.any(Number) }] })
	expect(plan?.steps[0]).not.toHaveProperty('rows')
	await expect(connection.explain?.({ statement: fails }, call())).rejects.toMatchObject({ engineCode: '22012' })
	const session = await connection.openSession?.(call())
	expect(await session?.explain?.({ statement: fails, isPlanOnly: true }, call())).toMatchObject({ wasRun: false })
	await session?.close()
})

test('a session explains with what it has set and made', async () => {
	const session = await connection.openSession?.(call())
	if (!session) throw new Error('no session')
	const ask = async (text: string) => session.run(await statement(connection, text), { maxRows: 10 }, call())
	const explain = async (text: string) => session.explain?.({ statement: await statement(connection, text) }, call())
	await ask('create temp table mine as select 1 as n')
	expect(await explain('select * from mine')).toMatchObject({ wasRun: true, steps: [{ rows: 1, detail: 'mine' }] })
	await ask('begin')
	await ask('insert into mine values (2)')
	expect(await explain('select * from mine')).toMatchObject({ steps: [{ rows: 2 }] })
	expect(session.transaction()).toBe('open')
	expect(await explain('delete from mine')).toMatchObject({ wasRun: false })
	await expect(ask('select nothing from nowhere')).rejects.toMatchObject({ engineCode: '42P01' })
	await ask('rollback')
	expect(await ask('select * from mine')).toMatchObject({ status: 'SELECT 1' })
	await session.close()
})

test('the effect of a change is estimated before it runs', async () => {
	const assess = async (text: string) => connection.console.assess?.(await statement(connection, text), call())
	expect(await assess('delete from orders')).toMatchObject({
		affects: { value: 300, bound: 'about' },
		destroys: expect.stringContaining('orders'),
	})
	expect(await assess('truncate orders, "logs"')).toMatchObject({ destroys: expect.stringContaining('logs') })
	expect(await assess("insert into logs values (now(), 'a')")).toMatchObject({
		scope: expect.stringMatching(/^table \d+$/),
	})
})

test('a statement with a place without a value is refused, and its connection stays', async () => {
	await expect(run(connection, 'select $1::int')).rejects.toMatchObject({ code: 'query_failed', engineCode: '08P01' })
	expect(
		decode(await connection.console.run(await statement(connection, 'select 1'), { maxRows: 1 }, call())).status,
	).toBe('SELECT 1')
})

test('completion knows foreign keys and the catalogs of the server', async () => {
	const labels = async (text: string) =>
		((await connection.console.complete?.(text, text.length, call()))?.options ?? []).map(({ label }) => label)
	expect((await labels('select * from orders o join customers c on '))[0]).toBe('o.customer = c.id')
	expect(await labels('select * from pg_catalog.')).toContain('pg_stat_activity')
	expect(await labels('select * from pg_cl')).toContain('pg_class')
	expect(await labels('select * from information_schema.')).toContain('columns')
	expect(await labels('select 1 from pg_stat_activity a where a.')).toContain('wait_event_type')
})
