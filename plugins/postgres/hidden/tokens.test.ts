import { decode, type HiddenColumns, type ResultBody } from '@roundhouse/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PostgresConnection } from '../connection.ts'
import { startServer, type TestServer } from '../servers/server.ts'
import { call, open } from '../test/fixture.ts'

/**
 * Columns that clients may count and join, on three databases whose hidden values are other ones in the same pattern: equal
 * where they are equal in the others. What a client can tell apart beside that is a leak.
 */

const marks: readonly HiddenColumns[] = [
	{ table: 'public.people', columns: ['email', 'pay', 'points', 'phone'], mayCount: ['email', 'points', 'phone'] },
	{ table: 'public.claims', columns: ['mail'], mayCount: ['mail'] },
	{ table: 'public.notes', columns: ['secret'] },
	{ table: 'public.whole', columns: ['code'], mayCount: ['code'] },
	{ table: 'public.whole_a', columns: ['code'] },
]

const schema = `
create collation loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
create table people (id int primary key, name text, city text, email text, pay int, points numeric, phone text collate loose);
create index on people (email);
create table claims (id int primary key, mail varchar(100), sum int);
create table notes (id int primary key, secret text);
create table plain (id int primary key, email text);
create table whole (id int, code text) partition by range (id);
create table whole_a partition of whole for values from (0) to (100);
`

/** The same pattern of equal values in each world. */
const rows = (world: number) => {
	const mail = (at: string) =>
		`'${['ann', 'bob', 'zoe'][world]}' || ((${at}) * ${[31, 57, 83][world]} % 97) || '@example.org'`
	return `
insert into people select i, 'Name ' || i, (array['Oslo', 'Rome', 'Lima'])[1 + i % 3], case when i % 7 = 0 then null else ${mail('i % 5')} end,
	i * ${[100, 57, 83][world]}, case when i % 2 = 0 then ${[1.5, 2.25, 9][world]}::numeric else ${['1.50', '2.2500', '9.0'][world]}::numeric end, ${mail('i')} from generate_series(1, 30) i;
insert into claims select i, ${mail('i % 4')}, i from generate_series(1, 12) i;
insert into notes select i, ${mail('i')} from generate_series(1, 3) i;
insert into plain select i, 'u' || i from generate_series(1, 9) i;
insert into whole select i, ${mail('i % 3')} from generate_series(1, 9) i;
analyze;`
}

let server: TestServer
let clients: PostgresConnection[] = []
beforeAll(async () => {
	server = await startServer()
	for (const world of [0, 1, 2]) {
		await server.sql(`create database w${world}`)
		await server.sql(schema, `w${world}`)
		await server.sql(rows(world), `w${world}`)
	}
	const limits = { costLimitRows: () => 1_000_000, permitted: () => 'destructive' as const, hiddenColumns: () => marks }
	clients = await Promise.all([0, 1, 2].map(world => open({ ...server.settings, database: `w${world}` }, limits)))
})
afterAll(async () => {
	for (const one of clients) await one.close()
	await server[Symbol.asyncDispose]()
})

async function seen(
	client: PostgresConnection,
	sql: string,
): Promise<{ readonly body?: ResultBody; readonly why?: string }> {
	try {
		const [verdict] = await client.console.analyse(sql, call())
		if (!verdict || verdict.fault) return { why: verdict?.fault?.message ?? '' }
		const statement = { ...verdict, text: sql }
		const { tookMs, sizeBytes, ...result } = decode(await client.console.run(statement, { maxRows: 1000 }, call()))
		return result
	} catch (error) {
		return { why: `${(error as { engineCode?: string }).engineCode} ${(error as Error).message}` }
	}
}

const token = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g

/** Tokens are random, and so is the order of what the server groups by them. */
function plain(result: { readonly body?: ResultBody; readonly why?: string }): string {
	const { body } = result
	if (body?.view !== 'rows') return JSON.stringify(result).replaceAll(token, 'token')
	const pattern = body.rows.map(row => JSON.stringify(row).replaceAll(token, 'token')).toSorted()
	const times = Map.groupBy(JSON.stringify(body.rows).match(token) ?? [], one => one)
	const sizes = [...times.values()].map(list => list.length).toSorted((one, other) => one - other)
	return JSON.stringify([body.columns, pattern, sizes])
}

const rowsOf = async (sql: string) => {
	const { body, why } = await seen(clients[0] as PostgresConnection, sql)
	if (body?.view !== 'rows') throw new Error(why)
	return body.rows
}

test('counts, groups and joins of tokens are those of the values', async () => {
	const truth = await server.sql(
		`select count(*) as all, count(email) as with, count(distinct email) as others, count(distinct points) as points from people`,
		'w0',
	)
	expect(
		await rowsOf('select count(*), count(email), count(distinct email), count(distinct points) from people'),
	).toEqual([[30, 26, 5, 1]])
	expect(truth).toEqual([{ all: '30', with: '26', others: '5', points: '1' }])
	const groups = await rowsOf('select email, count(*) from people group by email')
	expect(groups.map(([, count]) => count).toSorted()).toEqual([4, 5, 5, 5, 5, 6])
	const joined = await server.sql('select count(*)::int as n from people join claims on mail = email', 'w0')
	expect(await rowsOf('select count(*) from people p join claims c on c.mail = p.email')).toEqual([[joined[0]?.n]])
	expect(await rowsOf('select count(*) from people where email is null')).toEqual([[4]])
	expect(
		await rowsOf('select city, count(distinct email) as n from people group by city order by n desc, city limit 1'),
	).toHaveLength(1)
	expect(await rowsOf('select count(*) from (select email from people group by email having count(*) > 5) x')).toEqual([
		[1],
	])
})

test('each statement has other tokens, in one statement equal values have the same', async () => {
	const [first, again] = [
		await rowsOf('select email from people where id = 1'),
		await rowsOf('select email from people where id = 1'),
	]
	expect(first).not.toEqual(again)
	const [[one, other]] = (await rowsOf(
		'select p.email, q.email from people p, people q where p.id = 1 and q.id = 6',
	)) as [[string, string]]
	expect(one).toBe(other)
	const star = await seen(clients[0] as PostgresConnection, 'select * from people where id = 1')
	expect(star).toMatchObject({
		notices: [
			expect.stringMatching(/left out: people.pay, people.phone|left out: people.phone, people.pay/),
			expect.stringContaining('with tokens in place of values: people.email, people.points.'),
		],
	})
})

const attacks: readonly string[] = [
	'select email from people order by email',
	'select email from people order by 1',
	'select email as x from people order by x',
	'select x from (select email as x from people) y order by x',
	'select id from people order by email limit 1',
	'select min(email), max(email) from people',
	'select greatest(email, email) from people',
	'select id, rank() over (order by email) from people order by id',
	'select array_agg(id order by email) from people',
	"select id from people where email = 'ann31@example.org'",
	"select id from people where email = '00000000-0000-0000-0000-000000000000'",
	"select id from people where email::text = 'ann31@example.org'",
	"select id from people where email in ('ann31@example.org', 'bob57@example.org')",
	"select id from people where email like 'ann%'",
	"select id from people where email::text like 'ann%'",
	"select id from people where email ~ 'ann'",
	"select id from people where email > 'b'",
	'select id from people where points > 2',
	'select id from people where points = 1.5',
	'select sum(points) from people',
	'select avg(points), stddev(points) from people',
	'select points + 1 from people',
	'select points::text::numeric from people where id = 1',
	'select length(email) from people',
	'select pg_column_size(email) from people where id = 1',
	'select id from people p join plain n on n.email = p.email',
	'select id from people p join plain n on n.email = p.email::text',
	"select p.id from people p join (values ('ann31@example.org')) v(x) on v.x = p.email::text",
	"select p.id from people p join (values ('ann31@example.org')) v(x) on sha256(v.x::bytea) = sha256(p.email::text::bytea)",
	'select pay from people',
	'select id from people where pay = points',
	'select count(distinct pay) from people',
	'select count(distinct phone) from people',
	'select count(distinct secret) from notes',
	'select p.id from people p join notes n on n.secret = p.email',
	'select count(distinct code) from whole',
	'select count(distinct code) from whole_a',
	'select current_query(), email from people where id = 1',
	'select query from pg_stat_activity',
	"select query_to_xml('select email from people', true, false, '')",
	'select statement from pg_prepared_statements',
	'explain verbose select email from people',
	'explain (verbose, costs off) select count(distinct email) from people',
	'select email from people p where row_to_json(p)::text like $$%ann%$$',
	'select to_jsonb(p) from people p where id = 1',
	'select p::text from people p where id = 1',
	'select email::text || 1 / (id - 1) from people',
	'select (email::text)::int from people where id = 1',
	'select ctid from people',
	'select id, email from people',
	'select mail, email, count(*) from people join claims on mail = email group by 1, 2',
	'select count(*) from people p join claims c on c.mail = p.email and c.sum > 3',
	'select city, count(distinct email) from people group by city',
	'select distinct email from people',
	'select email from people union select mail from claims',
	'select email from people intersect select mail from claims',
	'select email from people except select mail from claims',
	'select id, count(*) over (partition by email) from people order by id',
	'select mode() within group (order by email) from people',
	'insert into plain (id, email) select 100 + id, email from people',
	'update plain set email = p.email::text from people p where p.id = plain.id',
	'update people set city = email::text',
	'delete from plain where exists (select from people p where p.email::text = plain.email)',
]

test('nothing but the pattern of equal values tells the worlds apart', async () => {
	const leaks: string[] = []
	for (const sql of attacks) {
		const answers = []
		for (const client of clients) answers.push(plain(await seen(client, sql)))
		if (new Set(answers).size !== 1) leaks.push([sql, ...answers].join('\n').slice(0, 900))
	}
	expect(leaks).toEqual([])
})

test('sorting and comparing tokens with values is refused, with the reason', async () => {
	const why = async (sql: string) => (await seen(clients[0] as PostgresConnection, sql)).why
	for (const sql of attacks.slice(0, 9))
		expect([sql, await why(sql)]).toEqual([sql, expect.stringContaining('and not sorted')])
	for (const sql of attacks.slice(9, 13))
		expect([sql, await why(sql)]).toEqual([sql, expect.stringContaining('not compared with a value')])
	// What the type cannot show by its text, or another mark hides, has no token.
	for (const sql of ['select count(distinct phone) from people', 'select count(distinct code) from whole'])
		expect([sql, await why(sql)]).toEqual([sql, expect.stringContaining('is hidden by the user')])
	const part = await (clients[0] as PostgresConnection).hiddenPart('public.people', marks, call())
	expect([...(part.counted ?? [])].toSorted()).toEqual(['email', 'points'])
})
