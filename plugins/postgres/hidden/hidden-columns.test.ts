import { decode, type Explained, type HiddenColumns, type ResultBody } from '@roundhouse/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

test('no attack tells the worlds apart, and most of them do without marks', { timeout: 300_000 }, async () => {
	expect(attacks.length).toBeGreaterThan(200)
	expect(await leaksOf(attacks)).toEqual([])
	let bare = 0
	for (const sql of attacks.slice(0, 40)) if (!isSame(await inEach(unmarked, sql))) bare++
	expect(bare).toBeGreaterThan(15)
})

test('no attack on the judge tells the worlds apart', { timeout: 300_000 }, async () => {
	expect(attacksOnJudge.length).toBeGreaterThan(60)
	expect(await leaksOf(attacksOnJudge)).toEqual([])
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

test('no table of the system that a client may read tells the worlds apart', { timeout: 300_000 }, async () => {
	const views = await server.sql(
		"select relname from pg_class where relnamespace = 'information_schema'::regnamespace and relkind = 'v'",
	)
	const names = [
		...[...systemRelations].map(name => `pg_catalog.${name}`),
		...views.map(({ relname }) => `information_schema.${relname}`),
	]
	const differing = new Set<string>()
	for (const name of names) {
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

test('a view is read only if it uses no hidden column in any place', { timeout: 300_000 }, async () => {
	for (const [view, , isFree] of hiddenViews) {
		const name = `public.${view.replace(/ .*/, '')}`
		const { refused } = await first().hiddenPart(name, hiddenMarks, call())
		expect([name, refused === undefined]).toEqual([name, isFree])
	}
	const names = hiddenViews.map(([name]) => `select * from ${name.replace(/ .*/, '')}`)
	expect(await leaksOf([...names, 'select * from kept', 'select * from kept_free'])).toEqual([])
	expect(await seen(first(), 'select n from kept_free order by city limit 1')).toMatchObject({
		body: { rows: [[8]] },
	})
})

test('harmless statements run, and give what they give without marks', { timeout: 300_000 }, async () => {
	const refused: string[] = []
	for (const sql of harmless) {
		const [answer = ''] = await inEach(clients.slice(0, 1), sql)
		if (/^\{"(?:fault|error)"/.test(answer)) refused.push(`${sql}: ${answer.slice(0, 250)}`)
	}
	expect(refused.length, refused.join('\n')).toBeLessThanOrEqual(harmless.length * 0.05)
	expect(harmless.length).toBeGreaterThan(100)
	expect(await leaksOf(harmless)).toEqual([])
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
