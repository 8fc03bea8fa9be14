import type { Access } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { shop } from '../servers/schema.ts'
import { call, openForFile, run } from '../test/fixture.ts'

const { server, connection } = await openForFile({
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

const accessOf = async (text: string): Promise<Access | undefined> =>
	(await connection.console.analyse(text, call())).map(({ access }) => access).join(' ') as Access

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
	"create or replace procedure p() language sql as 'delete from orders'",
	'create trigger t before insert on orders for each row execute function f()',
	'create or replace trigger t before insert on orders for each row execute function f()',
	'create or replace rule r as on delete to logs do instead nothing',
	'create or replace aggregate calm_sum(int) (sfunc = int4pl, stype = int)',
	'create or replace view totals as select spend()',
	'create or replace rule r as on insert to logs do also delete from orders',
	'revoke all on orders from public',
	'grant all on orders to public',
	'do $$ begin end $$',
	'call p()',
	"copy orders to program 'x'",
	'execute prepared',
	'selectt 1',
	"select '",
	'select 1\u0000; drop table orders',
	'select \ud800',
])('%j may destroy data', async text => {
	expect(await accessOf(text)).toMatch(/^destructive/)
})

test.each([
	['do $$ begin end $$', 'The block can do anything.'],
	['call p()', 'The procedure can do anything.'],
	['execute prepared', 'The prepared statement can do anything.'],
	['select spend(), calm(1)', 'It uses spend, which can do anything.'],
	['select * from spending', 'It uses spending, which can do anything.'],
	['delete from orders', undefined],
	['drop table orders', undefined],
	['update orders set state = null', undefined],
	["insert into logs values (now(), 'a')", undefined],
	['select 1', undefined],
])('%s has the reason: %s', async (text, reason) => {
	expect((await connection.console.analyse(text, call()))[0]?.reason).toBe(reason)
})

test.each([
	['do $$ begin end $$', true],
	['call p()', true],
	['select spend()', true],
	['with gone as (delete from orders returning *) select spend() from gone', undefined],
	["create or replace function replaced() returns int language sql as 'select 1'", undefined],
	['drop table orders', undefined],
	['selectt 1', undefined],
])('%s destroys in doubt alone: %s', async (text, isOpaque) => {
	expect((await connection.console.analyse(text, call()))[0]?.isOpaque).toBe(isOpaque)
})

test.each([
	['delete from orders where id = 1', true],
	['delete from orders o using logs l where o.id = l.id', true],
	['with gone as (delete from orders where id = 1 returning *) select count(*) from gone', true],
	['with gone as (delete from orders returning *) select count(*) from gone', undefined],
	['with gone as (delete from orders where id = 1 returning *) update orders set state = null', undefined],
	['delete from orders', undefined],
	['truncate orders', undefined],
	['merge into orders o using logs l on false when not matched by source then delete', undefined],
	['create rule r as on insert to orders do delete from logs where id = 1', undefined],
	['drop table orders', undefined],
	['update orders set state = null', undefined],
])('%s deletes selected rows alone: %s', async (text, isSelective) => {
	expect((await connection.console.analyse(text, call()))[0]?.isSelective).toBe(isSelective)
})

test.each([
	['begin; start transaction', ['begins', 'begins']],
	["commit; end; prepare transaction 'a'", ['commits', 'commits', 'commits']],
	['rollback; abort', ['rolls_back', 'rolls_back']],
	['savepoint a; rollback to a; release a', [undefined, undefined, undefined]],
	['delete from orders; truncate orders restart identity; drop table orders', ['undone', 'undone', 'undone']],
	[
		"create or replace view v as select spend(); create or replace function f() returns int language sql as 'select 1'",
		['undone', 'undone'],
	],
	['delete from orders where id = spend(); do $$ begin end $$; alter system reset all', Array(3).fill(undefined)],
	["select setval('orders_id_seq', 1); copy orders to program 'x'; drop database other", Array(3).fill(undefined)],
])('%s is for a transaction %j', async (text, expected) => {
	expect((await connection.console.analyse(text, call())).map(({ transaction }) => transaction)).toEqual(expected)
})

test('a copy that the console cannot run has its fault, so that it needs no consent', async () => {
	const [out, file] = await connection.console.analyse("copy orders to stdout; copy orders to '/tmp/x'", call())
	expect(out?.fault).toMatchObject({ code: 'unsupported' })
	expect(file?.fault).toBeUndefined()
	await expect(run(connection, 'copy orders to stdout')).rejects.toMatchObject({ code: 'unsupported' })
	const [into] = await connection.console.analyse('copy logs from stdin', call())
	expect(into?.fault?.message).toContain('needs its data')
})

test('a copy runs with the data below it, as in a dump', async () => {
	const text = "copy logs (at, what) from stdin;\n2024-01-01\tit's; {{x}}\n\\N\tcopied\n\\.\nselect 2"
	const [copy, next] = await connection.console.analyse(text, call())
	expect(copy).toMatchObject({ access: 'write', summary: 'copy logs (at, what) from stdin' })
	expect(copy?.fault).toBeUndefined()
	expect(text.slice(next?.start)).toBe('select 2')
	const one = text.slice(copy?.start, copy?.end)
	expect(await run(connection, one)).toMatchObject({ status: 'COPY 2', affected: 2 })
	const found = "select what from logs where what like 'it%' or what = 'copied'"
	expect(await server.sql(found)).toEqual([{ what: "it's; {{x}}" }, { what: 'copied' }])
	await expect(run(connection, one.replace('2024', 'never'))).rejects.toMatchObject({ engineCode: '22007' })
	await server.sql(`delete from logs where what in (${found})`)
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
		const [verdict] = await connection.console.analyse(text, call())
		expect(verdict?.fault, text).toMatchObject({ code: 'invalid_argument', message: expect.stringContaining('\\{{') })
	}
})

test.each([
	['select 1; select {{a}}, $1::int', '$1', /^\$1 has no value here\. Write \{\{name\}\}/],
	["select '🚂', $12", '$12', /^\$12 has no value here/],
	['select $$a$$b, $2', '$2', /^\$2 has no value here/],
	['update orders set total = $1 where id = $2', '$1', /^\$1 has/],
	[
		'select * from orders where id = :id',
		':id',
		/^syntax error at or near ":"\. :id has no value here\. Write \{\{name\}\}/,
	],
	['select * from orders where id = ? -- x', '?', /^syntax error at end of input\. \? has no value here/],
	['select * from orders where (id = ?)', '?', /\? has no value here/],
	['insert into logs values (now(), ?)', '?', /\? has no value here/],
])('a place of another client in %s is named, with the one of the console', async (text, place, message) => {
	const verdict = (await connection.console.analyse(text, call())).at(-1)
	expect(verdict?.fault?.message).toMatch(message)
	expect((verdict?.start ?? 0) + (verdict?.fault?.at ?? -1)).toBe(text.indexOf(place))
})

test.each([
	'prepare p as select $1::int',
	"create function g(int) returns int language sql as 'select $1'",
	'create function g(int) returns int begin atomic select $1; end',
	'explain (generic_plan) select $1::int',
	'select \'$1\', $$ $1 $$, $a$ $1 $a$, "$1", a$1 from (select 1) t(a$1) -- $1',
	"select data ? 'a', data::text, (array[1, 2])[1:2] from customers",
	'select (array[1, 2])[1:a] from (select 1) t(a)',
])('%s has no place of another client', async text => {
	expect((await connection.console.analyse(text, call()))[0]?.fault).toBeUndefined()
})

test('deep brackets and long sums stop nothing', async () => {
	expect(await accessOf(`select ${'('.repeat(10_000)}1${')'.repeat(10_000)}`)).toMatch(/read|destructive/)
	expect(await accessOf(`select ${'1 + '.repeat(20_000)}1`)).toMatch(/read|destructive/)
	expect(await accessOf('select 1')).toBe('read')
})
