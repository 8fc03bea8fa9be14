import type { Assessment, Effect, RunOptions } from '@roundhouse/kit'
import { decode } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { testedBinaries } from '../servers/binaries.ts'
import { startServer } from '../servers/server.ts'
import { call, open, statement } from '../test/fixture.ts'

/** A write is tried, measured and rolled back before anyone is asked, and commits only with the effect that was shown. */

const schema = `
create table customers (id int primary key, name text, phone text, seen timestamptz);
create table orders (id int primary key, customer int references customers on delete cascade, total numeric);
create table lines (id int primary key, o int references orders on delete cascade);
create table audit (at timestamptz default now(), what text);
insert into customers select i, 'c' || i, '+49 30 ' || i from generate_series(1, 1000) i;
insert into orders select i, 1 + i % 1000, i from generate_series(1, 5000) i;
insert into lines select i, 1 + i % 5000 from generate_series(1, 10000) i;
create index on orders (customer);
create index on lines (o);
create function note() returns trigger language plpgsql as $$ declare n int := length(old.name); begin if n > 0 then insert into audit(what) values (old.name); end if; return old; end $$;
create trigger noted after delete on customers for each row execute function note();
create function touch() returns trigger language plpgsql as $$ begin new.seen := clock_timestamp(); return new; end $$;
create trigger touched before update on customers for each row execute function touch();
create table part (id int, v text) partition by list (id);
create table part1 partition of part for values in (1);
create table part2 partition of part default;
insert into part values (1, 'a'), (2, 'b');
create function double(n int) returns int language sql immutable as 'select n * 2';
create function util_purge(n int) returns int language plpgsql as $$ begin delete from lines where id <= n; return n; end $$;
create function dynamic(t text) returns void language plpgsql as $$ begin execute 'delete from ' || t; end $$;
create table plain (a int, b text);
insert into plain values (1, 'x'), (2, 'y');
create table serials (id serial primary key, v int);
create function nextval(n int) returns bigint language sql as 'delete from plain; select 1::bigint';
create sequence counted;
`

const binaries = await testedBinaries()
const start = () => startServer({ schema, ...(binaries && { binaries }) })

test('the effect of a write is what it did, by table', async () => {
	await using server = await start()
	await using connection = await open(server.settings, { costLimitRows: () => 100_000, permitted: () => 'destructive' })
	const assess = async (sql: string): Promise<Assessment> =>
		connection.console.assess(await statement(connection, sql), call(), { rehearses: true })
	const counts = ({ effect }: Assessment) =>
		Object.fromEntries(
			(effect?.tables ?? []).map(({ table, inserted, updated, deleted }) => [table, [inserted, updated, deleted]]),
		)
	const all = async () =>
		await server.sql(
			'select (select count(*) from customers), (select count(*) from orders), (select count(*) from lines), (select count(*) from audit), (select count(*) from part), (select count(*) from plain)',
		)
	const before = await all()

	for (const [sql, expected] of Object.entries({
		'delete from customers where id = 1': {
			'public.audit': [1, 0, 0],
			'public.customers': [0, 0, 1],
			'public.lines': [0, 0, 10],
			'public.orders': [0, 0, 5],
		},
		"update orders set total = total + 1 where abs(id) = id and id + 0 = id and id::text = id::text || ''": {
			'public.orders': [0, 5000, 0],
		},
		"with d as (delete from lines returning 1) select 'nothing'": { 'public.lines': [0, 0, 10_000] },
		'insert into plain values (generate_series(2000, 2100), $$x$$)': { 'public.plain': [101, 0, 0] },
		'insert into serials (v) values (1)': { 'public.serials': [1, 0, 0] },
		'update part set id = 2 where id = 1': { 'public.part1': [0, 0, 1], 'public.part2': [1, 0, 0] },
		"do $$ begin delete from lines where id < 10; insert into audit(what) values ('x'); end $$": {
			'public.audit': [1, 0, 0],
			'public.lines': [0, 0, 9],
		},
		'select util_purge(3)': { 'public.lines': [0, 0, 3] },
		'insert into serials (v) values (nextval(1))': { 'public.plain': [0, 0, 2], 'public.serials': [1, 0, 0] },
		'insert into plain select double(1)': { 'public.plain': [1, 0, 0] },
		'update customers set name = name where false': {},
		'create table made as select util_purge(2)': { 'public.lines': [0, 0, 2], 'public.made': [1, 0, 0] },
	}))
		expect([sql, await assess(sql).then(found => (found.effect ? counts(found) : found))]).toEqual([sql, expected])

	for (const [sql, reason] of Object.entries({
		"select dynamic('lines')": 'dynamic',
		'select pg_terminate_backend(pg_backend_pid()) from plain': 'pg_terminate_backend',
		"insert into plain values (1, pg_read_file('x'))": 'pg_read_file',
		"do $$ begin execute 'delete from lines'; end $$": 'The block',
		'create table made as select pg_advisory_lock(1)': 'pg_advisory_lock',
		'alter table plain add column c int default util_purge(1)': '',
	})) {
		const found = await assess(sql)
		if (reason !== '') expect([sql, found.unrehearsed]).toEqual([sql, expect.stringContaining(reason)])
		expect(found).not.toHaveProperty('effect')
	}
	expect(await assess('insert into orders values (60001, 99999, 1)')).toMatchObject({ fault: { engineCode: '23503' } })
	expect(await all()).toEqual(before)
})

test('rows are shown before and after', async () => {
	await using server = await start()
	await using connection = await open(server.settings, { costLimitRows: () => 100_000, permitted: () => 'destructive' })
	const tables = async (sql: string) =>
		(await connection.console.assess(await statement(connection, sql), call(), { rehearses: true })).effect?.tables
	expect(await tables("update customers set phone = '0' where id = 3")).toEqual([
		expect.objectContaining({
			rows: {
				columns: ['id', 'name', 'phone', 'seen'],
				changes: [{ before: ['3', 'c3', '+49 30 3', null], after: ['3', 'c3', '0', expect.any(String)] }],
			},
			keys: expect.any(String),
		}),
	])
	expect(await tables('insert into orders values (6000, 3, 1)')).toEqual([
		expect.objectContaining({
			table: 'public.orders',
			rows: { columns: ['id', 'customer', 'total'], changes: [{ after: ['6000', '3', '1'] }] },
		}),
	])
	const [deleted] = (await tables('delete from plain where a = 1')) ?? []
	expect(deleted).toMatchObject({ rows: { changes: [{ before: ['1', 'x'] }] }, keys: expect.any(String) })
	// What a trigger adds does not take the place of the rows that are lost.
	const noted = (await tables('delete from customers where id between 100 and 200')) ?? []
	expect(noted.map(({ table, rows }) => [table, rows?.changes.length])).toEqual([
		['public.audit', 2],
		['public.customers', 3],
		['public.lines', 3],
		['public.orders', 2],
	])
	const [updated] = (await tables('update orders set total = -total')) ?? []
	expect(updated?.rows?.changes).toHaveLength(10)
	for (const { before, after } of updated?.rows?.changes ?? [])
		expect(after).toEqual([before?.[0], before?.[1], `-${before?.[2]}`])
	// A new key is no key of the rows before.
	const [moved] = (await tables('update lines set id = -id where id <= 2')) ?? []
	expect(moved?.rows?.changes).toEqual([
		{ before: ['1', '2'] },
		{ before: ['2', '3'] },
		{ after: ['-1', '2'] },
		{ after: ['-2', '3'] },
	])
	const many = await tables('delete from lines where id <= 500')
	expect(many?.[0]?.rows?.changes).toHaveLength(10)
	expect(many?.[0]).not.toHaveProperty('keys')
})

test('a write commits with the effect that was agreed to, and is rolled back with another one', async () => {
	await using server = await start()
	await using connection = await open(server.settings, { costLimitRows: () => 100_000, permitted: () => 'destructive' })
	const effectOf = async (sql: string) =>
		(await connection.console.assess(await statement(connection, sql), call(), { rehearses: true })).effect as Effect
	const run = async (sql: string, within: Effect) => {
		const options: RunOptions = { maxRows: 10, within }
		return decode(await connection.console.run(await statement(connection, sql), options, call()))
	}
	const sql = 'delete from customers where id in (1, 2)'
	const agreed = await effectOf(sql)
	// Another client adds an order, which the cascade would delete too.
	await server.sql('insert into orders values (9000, 1, 1)')
	expect(await run(sql, agreed)).toMatchObject({
		exceeded:
			'Now it deletes 2 rows of public.customers, 20 rows of public.lines and 11 rows of public.orders; inserts 2 rows of public.audit.',
	})
	expect(await server.sql('select count(*) from customers')).toEqual([{ count: '1000' }])
	expect(await run(sql, await effectOf(sql))).toMatchObject({ status: 'DELETE 2', affected: 2 })
	expect(await server.sql('select count(*) from customers')).toEqual([{ count: '998' }])

	// The same number of other rows is another effect.
	const first = 'delete from plain where a = (select min(a) from plain)'
	const one = await effectOf(first)
	await server.sql('insert into plain values (0, $$z$$)')
	expect(await run(first, one)).toMatchObject({ exceeded: expect.stringContaining('1 row of public.plain') })

	// The name of the statement leads to another table meanwhile.
	await server.sql(
		'create schema other; create table other.plain (a int, b text); insert into other.plain values (1, $$x$$)',
	)
	const all = await effectOf('delete from plain where a = 1')
	await server.sql('alter role current_user set search_path = other, public')
	expect(await run('delete from plain where a = 1', all)).toMatchObject({ exceeded: expect.any(String) })
	expect(await server.sql('select count(*) from other.plain')).toEqual([{ count: '1' }])
})

test('a console tries a statement in its session, with its names, and changes nothing', async () => {
	await using server = await start()
	await using connection = await open(server.settings, { permitted: () => 'destructive' })
	const session = await connection.openSession?.(call())
	if (!session?.assess) throw new Error('The console has no session that rehearses.')
	const assess = async (sql: string) =>
		(await session.assess?.(await statement(connection, sql), call(), { rehearses: true })) ?? {}
	const run = async (sql: string) => session.run(await statement(connection, sql), { maxRows: 10 }, call())
	const state = () => server.sql('select (select count(*) from plain), (select count(*) from customers)')
	const before = await state()

	await run('create schema mine; ')
	await run('create table mine.plain (a int)')
	await run('set search_path = mine, public')
	await run('create temp table sums (n int)')
	expect((await assess('insert into plain values (1)')).effect?.tables).toMatchObject([{ table: 'mine.plain' }])
	expect((await assess('insert into sums select 1')).effect?.tables).toMatchObject([{ inserted: 1 }])
	expect((await assess('delete from customers where id = 2')).effect?.tables).toHaveLength(4)
	expect(await state()).toEqual(before)
	const path = await run('show search_path')
	expect(path.body).toMatchObject({ rows: [['mine, public']] })
	expect(session.transaction()).toBeUndefined()

	await run('begin')
	await run('delete from public.plain where a = 1')
	expect(await assess('delete from customers')).toEqual({
		unrehearsed: 'A transaction is open here: a rollback undoes it.',
	})
	expect(session.transaction()).toBe('open')
	await run('commit')
	expect(await server.sql('select a from public.plain')).toEqual([{ a: 2 }])

	// Between the begin and the rollback of a try, no other statement of the console runs.
	const [tried, made] = await Promise.all([
		assess('insert into public.plain select 5 from generate_series(1, 50000)'),
		run("insert into public.plain values (3, 'kept')"),
	])
	expect(tried.effect?.tables).toMatchObject([{ inserted: 50_000 }])
	expect(made.affected).toBe(1)
	expect(await server.sql('select a from public.plain order by a')).toEqual([{ a: 2 }, { a: 3 }])
	await session.close()
})
