/** Parts of statements that change the database, for tests of verdicts. Most of them do not look like it. */

export interface HiddenWrite {
	/** A value, a source of rows, or a whole statement. */
	readonly as: 'value' | 'source' | 'statement'
	readonly sql: string
	/**
	 * Why the verdict is `read`, though the statement changes the database. The driver runs a read where the server refuses
	 * writes (wire/session.ts), so such a statement fails.
	 */
	readonly hole?: string
}

/** What the parts call. */
export const hiddenSchema = `
create function spend() returns int language sql volatile as 'insert into logs values (now(), null); select 1';
create function calm(n int) returns int language sql immutable as 'select n';
create function remove(logs) returns int language sql volatile as 'insert into logs values (now(), null); select 1';
create function loud(n int) returns int language sql volatile as 'insert into logs values (now(), null); select n';
create operator !!! (rightarg = int, function = loud);
create procedure pay() language sql as 'insert into logs values (now(), null)';
create function mislabelled() returns int language plpgsql immutable as 'begin return spend(); end';
create function with_default(n int default spend()) returns int language sql immutable as 'select n';
create function hoard_step(int, int) returns int language sql volatile as 'insert into logs values (now(), null); select 1';
create aggregate hoard(int) (sfunc = hoard_step, stype = int);
create aggregate hoard_end(int) (sfunc = int4pl, stype = int, finalfunc = loud);
create type coin as (n int);
create function to_coin(n int) returns coin language sql volatile as 'insert into logs values (now(), null); select row(n)::coin';
create cast (int as coin) with function to_coin as implicit;
create function calm_coin(coin) returns int language sql immutable as 'select $1.n';
create domain checked as int check (loud(value) > 0);
create view spending as select spend();
create view all_spending as select * from spending;
create view hoarding as select hoard(id) from orders;
create view coins as select id::coin as coin from orders;
create view numbers as select nextval('orders_id_seq');
`

/** A type whose every comparison changes the database. There each operator `=` is called volatile. */
export const comparisonSchema = `
create type medal as (n int);
create function medal_cmp(a medal, b medal) returns int language sql volatile as 'insert into logs values (now(), null); select sign(a.n - b.n)::int';
${['<', '<=', '=', '>=', '>']
	.map(
		(operator, at) => `
create function medal_${at}(a medal, b medal) returns bool language sql volatile as 'insert into logs values (now(), null); select a.n ${operator} b.n';
create operator ${operator} (leftarg = medal, rightarg = medal, function = medal_${at});`,
	)
	.join('')}
create operator class medal_ops default for type medal using btree as operator 1 <, operator 2 <=, operator 3 =, operator 4 >=, operator 5 >, function 1 medal_cmp(medal, medal);
create table medals (m medal, n int);
insert into medals select row(n % 3)::medal, n from generate_series(1, 5) n;
create type medals_range as range (subtype = medal);
create view sorted as select m from medals order by m;
`

const parts = (as: HiddenWrite['as'], texts: readonly string[], hole?: string): readonly HiddenWrite[] =>
	texts.map(sql => ({ as, sql, ...(hole !== undefined && { hole }) }))
const values = (...texts: readonly string[]) => parts('value', texts)
const sources = (...texts: readonly string[]) => parts('source', texts)
const statements = (...texts: readonly string[]) => parts('statement', texts)

const queries: readonly HiddenWrite[] = [
	...values(
		'spend()',
		'public.spend()',
		'calm(loud(1))',
		'calm(n => spend())',
		'(array[1])[spend()]',
		'(select remove(logs) from logs limit 1)',
		'(select l.remove from logs l limit 1)',
		'(select (l).remove from logs l limit 1)',
		'(1).loud',
		"case spend() when 1 then 'a' end",
		'coalesce(null, spend())',
		'array(select spend())',
		'row(spend())',
		'exists (select from spend())',
		'sum(1) filter (where spend() > 0)',
		'count(*) over (order by spend())',
		'xmlelement(name a, spend())',
		'!!! 1',
		'operator(public.!!!) 1',
		'hoard(1)',
		'hoard(1) over ()',
		'hoard_end(1)',
		'1::coin',
		'cast(1 as coin)',
		'(select array[1]::coin[])',
	),
	...values(
		"nextval('orders_id_seq')",
		"setval('orders_id_seq', 1 + (random() * 100000)::int)",
		'lo_create(0)',
		"lo_from_bytea(0, 'a')",
		"pg_notify('noise', 'a')",
		"set_config('application_name', random()::text, false)",
		"pg_catalog.set_config('work_mem', (64 + (random() * 100000)::int)::text, false)",
		'pg_advisory_lock((random() * 100000)::int)',
		"query_to_xml('select spend()', true, true, '')",
		"ts_rewrite('a', 'select spend()::text::tsquery, ''b''::tsquery')",
	),
	...sources(
		'spend()',
		'rows from (spend(), calm(1)) r',
		'lateral (select spend()) s',
		'(values (spend())) v',
		'(select 1 limit spend()) s',
		'(select 1 order by spend()) s',
		'(select 1 group by grouping sets ((spend()), ())) s',
		'logs join orders on spend() = 1',
		'spending',
		'public.spending',
		'all_spending',
		'hoarding',
		'coins',
	),
]

const others = statements(
	'do $$ begin perform spend(); end $$',
	'call pay()',
	'explain analyze select spend()',
	'explain (analyze, costs off) insert into logs select',
	"copy logs (what) from program 'echo a'",
	"copy (select spend()) to program 'cat > /dev/null'",
	'select 1 into made',
	'create table made_too as select 1',
	'with w as (insert into logs values (now(), null) returning what) select * from w',
	'with w as (select spend()) select * from w',
	"with w as (update customers set note = note || '.' where id = 1 returning 1) table w",
	'with w as (delete from order_lines where order_id = 1) select 1',
	'prepare p as select spend()',
	'execute p',
	'explain analyze execute p',
	'deallocate p',
	"set application_name = 'a'",
	'reset application_name',
	'create rule r as on insert to logs do also delete from order_lines where order_id = 2',
	"comment on table logs is 'a'",
	'create temp table passing ()',
	'refresh materialized view sums',
	'truncate order_lines',
	'notify noise',
	'values (spend())',
	'table spending union table spending',
	'grant select on logs to public',
	'alter sequence orders_id_seq restart',
)

/** Known holes of the verdict. A part that is no longer called a read loses its hole, and belongs in the lists above. */
const holes: readonly HiddenWrite[] = [
	...parts('value', ['1::checked', "checked '1'"], 'the check of a domain'),
	...parts('value', ['mislabelled()'], 'a function that calls a volatile function but is called immutable'),
	...parts('value', ['with_default()'], 'the default of an argument'),
	...parts('value', ['calm_coin(1)'], 'an implicit cast'),
	...parts('source', ['numbers'], 'a function of PostgreSQL in a view, for which pg_depend has no row'),
]

/** Parts for a database with {@link hiddenSchema}. */
export const hiddenWrites: readonly HiddenWrite[] = [...queries, ...others, ...holes]

const withoutOperator = 'a comparison whose operator is not in the text'

/** Parts for a database that has {@link comparisonSchema} too. */
export const comparisons: readonly HiddenWrite[] = [
	...values(
		'(select m = m from medals limit 1)',
		'(select nullif(m, m) from medals limit 1)',
		'(select row(m, 1) < row(m, 1) from medals limit 1)',
		'(select array[m] = array[m] from medals limit 1)',
	),
	...parts(
		'value',
		[
			'(select m between m and m from medals limit 1)',
			'(select case m when row(1)::medal then 1 end from medals limit 1)',
			'(select greatest(m, m) from medals limit 1)',
			'(select m in (select m from medals) from medals limit 1)',
			'(select max(n) over (order by m) from medals limit 1)',
			'(select array[m] @> array[m] from medals limit 1)',
			'(select count(distinct m) from medals)',
			'medals_range(row(1)::medal, row(2)::medal)',
		],
		withoutOperator,
	),
	...parts(
		'source',
		[
			'(select m from medals order by m) s',
			'(select distinct m from medals) s',
			'(select m from medals group by m) s',
			'(select m from medals union select m from medals) s',
			'(select m from medals except select m from medals) s',
			'medals a join medals b using (m)',
			'medals a natural join medals b',
			'sorted',
		],
		withoutOperator,
	),
]

/** Returns a statement with the part. */
export const statementOf = ({ as, sql }: HiddenWrite): string =>
	as === 'value' ? `select ${sql}` : as === 'source' ? `select * from ${sql}` : sql
