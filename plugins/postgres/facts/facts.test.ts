import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PostgresConnection } from '../connection.ts'
import { allBinaries } from '../servers/binaries.ts'
import { shop } from '../servers/schema.ts'
import { startServer, type TestServer } from '../servers/server.ts'
import { call, open, run, statement } from '../test/fixture.ts'

let server: TestServer
let connection: PostgresConnection

beforeAll(async () => {
	// The oldest one, because catalogs gain columns.
	const binaries = (await allBinaries()).at(-1)
	server = await startServer({
		...(binaries && { binaries }),
		schema: `${shop}
		create index logs_what on logs (what);
		create function note() returns trigger language plpgsql as 'begin return new; end';
		create trigger noted before update on customers for each row execute function note();
		create table parted (id int, day date) partition by range (day);
		create table parted_1 partition of parted for values from ('2024-01-01') to ('2025-01-01');`,
	})
	connection = await open(server.settings)
})
afterAll(async () => {
	await connection?.close()
	await server?.stop()
})

const codeOf = async (table: string) => (await connection.readFacts(table, call())).find(({ code }) => code)?.code ?? ''

test('every section about the server can be read', async () => {
	const sections = await connection.readFacts(undefined, call())
	expect(sections.map(({ title }) => title)).toEqual(expect.arrayContaining(['Server', 'Activity', 'Locks', 'Roles']))
	const notices = sections.flatMap(({ notice, title }) => (notice ? [`${title}: ${notice}`] : []))
	expect(notices.filter(notice => /does not exist|syntax|must be/.test(notice))).toEqual([])
})

test('a session that waits for another is shown, with an action that needs consent', async () => {
	const [first, second] = [await connection.openSession(call()), await connection.openSession(call())]
	const run = async (session: typeof first, text: string) =>
		session.run(await statement(connection, text), { maxRows: 1 }, call())
	await run(first, 'begin')
	await run(first, 'lock table logs in exclusive mode')
	const waiting = run(second, "insert into logs values (now(), 'waits')").catch(() => {})
	const locks = async () =>
		(await connection.readFacts(undefined, call())).find(({ title }) => title === 'Locks')?.list?.rows
	await expect.poll(async () => (await locks())?.length).toBe(1)
	const [row] = (await locks()) ?? []
	expect(row?.cells.join()).toContain('logs')
	// A session without a running statement has nothing to cancel.
	expect(row?.actions?.map(({ label }) => label)).toEqual(['End the other session'])
	const end = row?.actions?.[0]?.statement ?? ''
	expect(end).toMatch(
		/^select pg_terminate_backend\(\d+ \/\* postgres, Roundhouse \(this application\), lock table logs in exclusive mode \*\/\)$/,
	)
	const [verdict, ...more] = await connection.console.analyse(end, call())
	expect(verdict).toMatchObject({ access: 'destructive', start: 0, end: end.length })
	expect(more).toEqual([])
	await first.close()
	await waiting
	await second.close()
})

test('a session that waits for a row names its table', async () => {
	const [first, second] = [await connection.openSession(call()), await connection.openSession(call())]
	const run = async (session: typeof first, text: string) =>
		session.run(await statement(connection, text), { maxRows: 1 }, call())
	const change = "update customers set note = 'locked' where id = (select min(id) from customers)"
	await run(first, 'begin')
	await run(first, change)
	const waiting = run(second, change).catch(() => {})
	const on = async () => {
		const list = (await connection.readFacts(undefined, call())).find(({ title }) => title === 'Locks')?.list
		return list?.rows[0]?.cells[list.columns.indexOf('On')]
	}
	await expect.poll(on).toBe('a row of customers (ShareLock)')
	await first.close()
	await waiting
	await second.close()
})

test('a list has more than fifty rows, and durations have days', async () => {
	await server.sql(Array.from({ length: 60 }, (_, n) => `create index many_${n} on logs (what)`).join(';'))
	const sections = await connection.readFacts(undefined, call())
	const unused = sections.find(({ title }) => title === 'Indexes that no query has used')
	expect(unused?.list?.rows.length).toBeGreaterThanOrEqual(60)
	await server.sql(Array.from({ length: 60 }, (_, n) => `drop index many_${n}`).join(';'))
	const activity = sections.find(({ title }) => title === 'Activity')
	const text = activity?.statement?.replaceAll('clock_timestamp()', "(clock_timestamp() + interval '2 days')") ?? ''
	const rows = (await run(connection, text)).body
	expect(JSON.stringify(rows)).toContain('2 days')
})

test('the definition of a table makes the same table again', async () => {
	const names = ['customers', 'orders', 'order_lines', 'logs', 'totals', 'sums', 'parted', 'parted_1']
	const definitions = await Promise.all(names.map(name => codeOf(`public.${name}`)))
	expect(definitions[0]).toContain('CREATE TRIGGER noted')
	expect(definitions[0]).toContain("comment on column public.customers.note is 'What the shop knows.';")
	expect(definitions.join()).toContain('create or replace view public.')
	await server.sql('create database again')
	await server.sql(
		"create type state as enum ('new', 'paid', 'sent'); create type address as (street text, city text); create function note() returns trigger language plpgsql as 'begin return new; end'",
		'again',
	)
	for (const definition of definitions) await server.sql(definition, 'again')
	await using other = await open({ ...server.settings, database: 'again' })
	for (const [at, name] of names.entries()) {
		const [section] = (await other.readFacts(`public.${name}`, call())).filter(({ code }) => code)
		expect(section?.code).toBe(definitions[at])
		expect(section?.statement).toBe(section?.code)
	}
})
