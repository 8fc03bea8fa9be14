import { expect, test } from 'vitest'
import { shop } from '../servers/schema.ts'
import { call, open, openForFile, openRunner, run, statement } from '../test/fixture.ts'

const { server, connection } = await openForFile({
	schema: `${shop}
	create index logs_what on logs (what);
	create function note() returns trigger language plpgsql as 'begin return new; end';
	create trigger noted before update on customers for each row execute function note();
	create table guarded (id int primary key, amount int not null default 1 + 1 check (amount > 0), twice int generated always as (amount * 2) stored);
	create trigger checked before update on guarded for each row when (new.amount > 5) execute function note();
	alter table guarded enable row level security;
	create policy small on guarded using (amount < 9);
	create table parted (id int, day date) partition by range (day);
	create table parted_1 partition of parted for values from ('2024-01-01') to ('2025-01-01');`,
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

test('facts and the list of tables do not wait for a lock, and say which size is locked', async () => {
	await using stack = new AsyncDisposableStack()
	const run = await openRunner(connection, stack)
	await run('begin')
	await run('lock table logs, parted_1 in access exclusive mode')
	const atMost = () => call(AbortSignal.timeout(5_000))
	const sections = await connection.readFacts(undefined, atMost())
	const largest = sections.find(({ title }) => title === 'Largest tables')?.list?.rows.map(({ cells }) => cells)
	expect(largest?.find(([table]) => table === 'public.logs')?.slice(2)).toEqual(['locked', 'locked', 'locked'])
	expect(largest?.find(([table]) => table === 'public.customers')?.[4]).toMatch(/^\d+ kB$/)
	expect(sections.find(({ title }) => title === 'Activity')?.list?.rows.length).toBeGreaterThan(0)
	const tables = new Map((await connection.listTables(atMost())).map(table => [table.title, table]))
	expect(['logs', 'parted', 'customers'].map(name => tables.get(name)?.sizeBytes !== undefined)).toEqual([
		false,
		false,
		true,
	])
	const [about] = await connection.readFacts('public.parted', atMost())
	expect(about?.facts).toContainEqual({ name: 'Total', value: 'locked' })
})

test('facts of a locked table have what can be read, and say what another session keeps from being read', async () => {
	await using other = await open(server.settings)
	await using stack = new AsyncDisposableStack()
	const run = await openRunner(connection, stack)
	await run('begin')
	await run('lock table guarded in access exclusive mode')
	const sections = await other.readFacts('public.guarded', call(AbortSignal.timeout(20_000)))
	const titled = (title: string) => sections.find(section => section.title === title)
	expect(titled('Overview')?.facts).toContainEqual({ name: 'Kind', value: 'table' })
	expect(titled('Overview')?.facts).toContainEqual({ name: 'Total', value: 'locked' })
	expect(titled('Overview')?.facts).toContainEqual({
		name: 'Locked by',
		value: expect.stringMatching(/^PID \d+, postgres, Roundhouse/),
	})
	expect(titled('Columns')?.list?.rows.map(({ cells }) => cells.slice(0, 4))).toEqual([
		['id', 'integer', 'yes', ''],
		['amount', 'integer', 'yes', 'locked'],
		['twice', 'integer', '', 'generated always'],
	])
	const cellsOf = (title: string) => titled(title)?.list?.rows.map(({ cells }) => cells.slice(0, 3))
	expect(cellsOf('Indexes')).toEqual([['guarded_pkey', 'locked', 'locked']])
	expect(cellsOf('Constraints')).toEqual(
		expect.arrayContaining([
			['guarded_pkey', 'PRIMARY KEY (id)'],
			['guarded_amount_check', 'locked'],
		]),
	)
	expect(cellsOf('Triggers')).toEqual([['checked', 'locked', 'yes']])
	expect(titled('Policies')?.list?.rows[0]?.cells.slice(3)).toEqual(['locked', 'locked'])
	expect(titled('Definition')?.notice).toMatch(
		/^Another session has locked the table or one that it reads, so this cannot be read\./,
	)
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
	await expect.poll(on).toBe('a row of public.customers (ShareLock)')
	// Who waits to delete a row locks the row alone.
	const third = await connection.openSession(call())
	const deleting = run(third, change.replace("update customers set note = 'locked'", 'delete from customers')).catch(
		() => {},
	)
	await expect
		.poll(() => server.sql("select 1 from pg_locks where locktype = 'tuple' and mode = 'AccessExclusiveLock'"))
		.toHaveLength(1)
	const [about] = await connection.readFacts('public.customers', call())
	expect(about?.facts?.map(({ name }) => name)).not.toContain('Locked by')
	await third.close()
	await deleting
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
