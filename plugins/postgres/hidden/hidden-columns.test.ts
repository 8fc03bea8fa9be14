import { decode, type Explained, type HiddenColumns, type ResultBody } from '@roundhouse/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { someOf } from '../../../tests/support/cases.ts'
import type { PostgresConnection } from '../connection.ts'
import { startServer, type TestServer } from '../servers/server.ts'
import { call, open } from '../test/fixture.ts'
import { hiddenMarks, hiddenRows, hiddenSchema, hiddenViews } from '../test/hidden-schema.ts'
import { attacks, attacksOnJudge, harmless } from '../test/hidden-statements.ts'
import { systemRelations } from './known-safe.ts'

/**
 * Three databases differ only in the values of hidden columns. Whatever a client can tell apart is a leak: rows, their
 * order, errors, notices and plans. `ROUNDHOUSE_POSTGRES` names another version of the server.
 */

const worlds = ['w0', 'w1', 'w2']
let server: TestServer
const clients: PostgresConnection[] = []
/** Without marks. */
const unmarked: PostgresConnection[] = []

beforeAll(async () => {
	server = await startServer()
	await server.sql('create database template')
	await server.sql(hiddenSchema, 'template')
	for (const [name, definition] of hiddenViews) await server.sql(`create view ${name} as ${definition}`, 'template')
	await server.sql('create materialized view kept as select id, name, email, pay from people with no data', 'template')
	await server.sql(
		'create materialized view kept_free as select city, count(*) as n from people group by city with no data',
		'template',
	)
	for (const [at, database] of worlds.entries()) {
		await server.sql(`create database ${database} template template`)
		await server.sql(hiddenRows(at), database)
		await server.sql('refresh materialized view kept; refresh materialized view kept_free; analyze', database)
		const limits = { costLimitRows: () => 1_000_000, permitted: () => 'read' as const }
		const settings = { ...server.settings, database }
		clients.push(await open(settings, { ...limits, hiddenColumns: () => hiddenMarks }))
		unmarked.push(await open(settings, limits))
	}
})
afterAll(async () => {
	for (const one of [...clients, ...unmarked]) await one.close()
	await server[Symbol.asyncDispose]()
})

const first = (): PostgresConnection => {
	const [one] = clients
	if (!one) throw new Error('no client')
	return one
}

/** What a client sees of a statement, without times. */
async function seen(connection: PostgresConnection, sql: string): Promise<unknown> {
	try {
		const [verdict, ...others] = await connection.console.analyse(sql, call())
		if (!verdict) return 'nothing'
		if (others.length > 0) return { fault: 'several' }
		const text = sql.slice(verdict.start, verdict.end)
		if (verdict.fault) return { fault: verdict.fault, verdict }
		if (verdict.access !== 'read') return { fault: verdict.reason ?? verdict.access }
		const statement = { ...verdict, text }
		const { tookMs, sizeBytes, ...result } = decode(await connection.console.run(statement, { maxRows: 1000 }, call()))
		const plan = await connection.explain?.({ statement, isPlanOnly: true }, call()).catch(error => error)
		return { ...result, plan: plan instanceof Error ? errorOf(plan) : (plan as Explained) }
	} catch (error) {
		return { error: errorOf(error) }
	}
}

function errorOf(error: unknown): object {
	const { code, message, hint, engineCode, at } = error as { [key: string]: unknown }
	return { code, message, hint, engineCode, at }
}

/** Times of EXPLAIN ANALYZE and names of databases differ anyway. */
const inEach = (connections: readonly PostgresConnection[], sql: string) =>
	Promise.all(
		connections.map(async (one, at) =>
			JSON.stringify(await seen(one, sql))
				.replaceAll(`w${at}`, 'w')
				.replaceAll(/(?:time|Time)[=: ]+[\d.]+(?:\.\.[\d.]+)?/g, ''),
		),
	)

const isSame = ([first, ...others]: readonly string[]) => others.every(one => one === first)

async function leaksOf(statements: readonly string[]): Promise<readonly string[]> {
	const leaks: string[] = []
	for (const sql of statements) {
		const answers = await inEach(clients, sql)
		if (!isSame(answers)) leaks.push(`${sql}\n${answers.map(one => one.slice(0, 200)).join('\n')}`)
	}
	return leaks
}

test('no attack tells the worlds apart, and most of them do without marks', async () => {
	expect(attacks.length).toBeGreaterThan(200)
	expect(await leaksOf(someOf(attacks, 7))).toEqual([])
	let bare = 0
	const compared = someOf(attacks.slice(0, 40), 4)
	for (const sql of compared) if (!isSame(await inEach(unmarked, sql))) bare++
	expect(bare / compared.length).toBeGreaterThan(0.35)
})

test('no attack on the judge tells the worlds apart', async () => {
	expect(attacksOnJudge.length).toBeGreaterThan(60)
	expect(await leaksOf(someOf(attacksOnJudge, 7))).toEqual([])
})

/** Returns the sorted values of each column, without the name of the database. */
async function columnsOf(client: PostgresConnection, name: string, at: number): Promise<ReadonlyMap<string, string>> {
	const { body } = (await seen(client, `select * from ${name}`)) as { readonly body?: ResultBody }
	if (body?.view !== 'rows') return new Map()
	return new Map(
		body.columns.map(({ name }, place) => [
			name,
			body.rows
				.map(row => JSON.stringify(row[place]).replaceAll(`w${at}`, 'w'))
				.sort()
				.join(),
		]),
	)
}

test('no table of the system that a client may read tells the worlds apart', async () => {
	const views = await server.sql(
		"select relname from pg_class where relnamespace = 'information_schema'::regnamespace and relkind = 'v'",
	)
	const names = [
		...[...systemRelations].map(name => `pg_catalog.${name}`),
		...views.map(({ relname }) => `information_schema.${relname}`),
	]
	const differing = new Set<string>()
	for (const name of someOf(names)) {
		const [one, ...others] = await Promise.all(clients.map((client, at) => columnsOf(client, name, at)))
		for (const other of others)
			for (const [column, values] of one ?? [])
				if (other.get(column) !== values) differing.add(`${name.replace(/.*\./, '')}.${column}`)
	}
	// Object ids, transactions, times and counters differ between any two databases.
	const own =
		/^(?:pg_stat_|pg_database\.)|\.(?:oid|relfilenode|rel\w*xid|reltoastrelid|reltype|relminmxid|typrelid|indrelid|indexrelid)$/
	expect([...differing].filter(name => !own.test(name))).toEqual([])
	expect(await seen(first(), 'select relname from pg_catalog.pg_class limit 1')).toHaveProperty('body')
})

test('a view is read only if it uses no hidden column in any place', async () => {
	for (const [view, , isFree] of hiddenViews) {
		const name = `public.${view.replace(/ .*/, '')}`
		const { refused } = await first().hiddenPart(name, hiddenMarks, call())
		expect([name, refused === undefined]).toEqual([name, isFree])
	}
	const names = someOf(hiddenViews).map(([name]) => `select * from ${name.replace(/ .*/, '')}`)
	expect(await leaksOf([...names, 'select * from kept', 'select * from kept_free'])).toEqual([])
	expect(await seen(first(), 'select n from kept_free order by city limit 1')).toMatchObject({
		body: { rows: [[8]] },
	})
})

test('harmless statements run, and give what they give without marks', async () => {
	const refused: string[] = []
	const some = someOf(harmless)
	for (const sql of some) {
		const [answer = ''] = await inEach(clients.slice(0, 1), sql)
		if (/^\{"(?:fault|error)"/.test(answer)) refused.push(`${sql}: ${answer.slice(0, 250)}`)
	}
	expect(refused.length, refused.join('\n')).toBeLessThanOrEqual(some.length * 0.05)
	expect(harmless.length).toBeGreaterThan(100)
	expect(await leaksOf(some)).toEqual([])
})

test('what a mark reaches: partitions, generated columns, references, sequences, copies', async () => {
	const part = (name: string) => first().hiddenPart(`public.${name}`, hiddenMarks, call())
	for (const name of ['people', 'people_a', 'people_b'])
		expect([...(await part(name)).columns].sort()).toEqual(['email', 'mail_host', 'pay', 'phone'])
	expect((await part('claims')).columns).toEqual(['mail'])
	expect((await part('badge_parts')).columns).toEqual(['badge'])
	expect((await part('badges_id_seq')).refused).toContain('numbers a hidden column')
	expect((await part('visits')).refused).toContain('a trigger names it')
	expect((await part('badge_log')).refused).toContain('a rule names it')
	expect(await part('loans')).toEqual({ columns: [] })
	// In whatever spelling.
	for (const name of ['people', '"public"."people"', 'w0.public.people'])
		expect((await first().hiddenPart(name, hiddenMarks, call())).columns).toContain('email')
	for (const name of ['pg_catalog.pg_stats', 'pg_toast.pg_toast_1255', 'public.none'])
		expect((await first().hiddenPart(name, hiddenMarks, call())).refused).toContain('is not known')
})

test('a mark whose column or table is gone refuses the table, or all rows', async () => {
	await using one = await open({ ...server.settings, database: 'w0' })
	const part = (marks: readonly HiddenColumns[]) => one.hiddenPart('public.firms', marks, call())
	expect((await part([{ table: 'public.firms', columns: ['mail'] }])).refused).toContain('has no column mail any more')
	expect((await part([{ table: 'public.companies', columns: ['mail'] }])).refused).toContain('is gone')
	expect(await part([{ table: 'public.companies', columns: ['mail'], isOptional: true }])).toEqual({ columns: [] })
})

test('a definition that changes while a statement runs gives no answer', async () => {
	await server.sql('create view shifting as select id, name from people', 'w2')
	const client = clients.at(-1) ?? first()
	const asked = 'select count(pg_typeof(x)) from shifting x, generate_series(1, 3)'
	expect(await seen(client, asked)).toMatchObject({ body: { rows: [[72]] } })
	await server.sql('create or replace view shifting as select id, email as name from people', 'w2')
	expect(await seen(client, asked)).toMatchObject({
		fault: { message: expect.stringContaining('uses columns that are hidden') },
	})
	await server.sql('drop view shifting', 'w2')
})

test('an error says no more than its code, and names a hidden column as hidden', async () => {
	expect(await seen(first(), 'select p.email from people p')).toMatchObject({
		error: { message: 'people.email is hidden by the user.', engineCode: '42703' },
	})
	expect(await seen(first(), 'select id / (id - 1) from people')).toMatchObject({
		error: { message: expect.stringContaining('could show values'), hint: undefined, engineCode: '22012' },
	})
	expect(await seen(first(), 'select * from people limit 1')).toMatchObject({
		notices: [expect.stringContaining('people.email')],
	})
})

test('rows do not come in the order of a hidden column that an index has', async () => {
	const marks = [{ table: 'public.wide', columns: ['pay'] }]
	const orders: Record<'marked' | 'bare', string[]> = { marked: [], bare: [] }
	for (const [at, database] of worlds.entries()) {
		await server.sql(
			`create table wide (id int, pay int, filler text); create index on wide (pay) include (id); create view wide_ids as select id from wide;
			insert into wide select i, (i * ${[7919, 104_729, 15_485_863][at]}::bigint) % 100003, repeat('x', 500) from generate_series(1, 3000) i`,
			database,
		)
		// So that the index alone answers, whatever the planner knows of the table.
		for (const scan of ['seqscan', 'bitmapscan'])
			await server.sql(`alter database ${database} set enable_${scan} to off`)
		const settings = { ...server.settings, database }
		const client = { costLimitRows: () => 1_000_000, permitted: () => 'read' as const }
		await using marked = await open(settings, { ...client, hiddenColumns: () => marks })
		await using bare = await open(settings, client)
		for (const sql of ['select id from wide', 'select id from wide_ids']) {
			const { plan, notices, ...rows } = (await seen(marked, sql)) as { readonly [key: string]: unknown }
			orders.marked.push(JSON.stringify(rows))
			orders.bare.push(JSON.stringify(await seen(bare, sql)))
		}
	}
	expect(new Set(orders.marked).size).toBe(1)
	expect(new Set(orders.bare).size).toBe(3)
})

test('what policies, keys, domains, children and privileges say about a hidden column is refused', async () => {
	await server.sql('create database more')
	await server.sql(moreSchema, 'more')
	await server.sql('vacuum analyze', 'more')
	const marks = ['staff', 'base', 'partly'].map(table => ({ table: `public.${table}`, columns: ['pay', 'firm'] }))
	const context = { costLimitRows: () => 1_000_000, permitted: () => 'read' as const, hiddenColumns: () => marks }
	const settings = { ...server.settings, database: 'more' }
	await using owner = await open(settings, context)
	await using role = await open({ ...settings, username: 'clerk', password: 'correct horse' }, context)
	const part = (name: string, connection: PostgresConnection = owner) =>
		connection.hiddenPart(`public.${name}`, marks, call())
	// A deleted row of firm fails, or takes others with it, by a hidden column.
	for (const name of ['firm', 'goods', 'parted', 'domained', 'composed', 'computed', 'own_mail', 'staff_names'])
		expect([name, (await part(name)).takesNoChanges]).toEqual([name, expect.any(String)])
	for (const name of ['plain', 'own_row']) expect(await part(name)).toEqual({ columns: [] })
	// A policy hides rows by a hidden column, from the role to which it applies.
	expect((await part('own_mail')).refused).toBeUndefined()
	expect((await part('own_mail', role)).refused).toContain('A policy of public.own_mail')
	for (const name of ['own_mail', 'invoker', 'invoker_of_all'])
		for (const text of [`select count(*) from ${name}`, `explain select * from ${name}`])
			expect(await seen(role, text)).toHaveProperty('fault')
	expect(await seen(role, 'select count(*) from own_row')).toHaveProperty('body')
	// A role that cannot read the whole row gets rows in the order of the columns that it can read.
	expect((await part('partly', role)).refused).toContain('Read it with a statement')
	expect((await part('partly')).refused).toBeUndefined()
	// Only the child has the index. Rows were inserted by id.
	const { body } = (await seen(owner, 'select id from base')) as { readonly body: ResultBody }
	const ids = body.view === 'rows' ? body.rows.map(([id]) => Number(id)) : []
	expect(ids.length).toBeGreaterThan(100)
	expect(ids).toEqual(ids.toSorted((one, other) => one - other))
	// The statements of others hold values.
	expect((await part('pg_stat_statements')).refused).toContain('calls a function')
	for (const name of ['pg_stat_statements', 'pg_stat_statements(true)'])
		expect(await seen(owner, `select * from ${name}`)).toHaveProperty('fault')
})

const moreSchema = `
create role clerk login password 'correct horse';
create table plain (id int primary key, name text);
create table firm (id int primary key, name text);
create table goods (id int primary key, name text);
create table staff (id int primary key, name text not null, pay int, firm int references firm);
create view staff_names as select id, name from staff;
create function is_low(i int) returns boolean language sql stable as 'select pay < 500 from public.staff where id = i';
create operator ### (rightarg = int, function = is_low);
create function tell() returns trigger language plpgsql as $$begin raise '%', (select pay from staff limit 1); end$$;
create table sold (id int references goods on delete cascade);
create trigger tell before delete on sold for each row execute function tell();
create table parted (id int) partition by list (id);
create table parted_1 partition of parted for values in (1);
create trigger tell before insert on parted_1 for each row execute function tell();
create domain low as int check (is_low(value));
create domain lower as low;
create table domained (id int, low lower[]);
create table composed (id int, inner_row domained);
create table computed (id int, check (### id));
create table own_mail (id int primary key);
alter table own_mail enable row level security;
create policy paid on own_mail using (exists (select from staff where staff.id = own_mail.id and pay > 500));
create table own_row (id int, owner text);
alter table own_row enable row level security;
create policy own on own_row using (owner = current_user);
create view invoker as select * from own_mail;
create view invoker_of_all as select * from invoker;
create table base (id int, pay int, firm int);
create table derived (x int) inherits (base);
create index on derived (pay) include (id);
insert into derived select i, i * 7919 % 1009, 1 from generate_series(1, 900) i;
create table partly (name text, pay int, firm int, memo text);
create extension pg_stat_statements;
grant select on all tables in schema public to clerk;
revoke select on partly from clerk;
grant select (name, pay) on partly to clerk;
alter database more set enable_seqscan to off;
alter database more set enable_bitmapscan to off;`
