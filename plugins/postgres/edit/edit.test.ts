import type { Cell, Change } from '@roundhouse/kit'
import { beforeEach, expect, test } from 'vitest'
import { shop } from '../servers/schema.ts'
import { call, everything, open, openForFile, openRunner, pageOf } from '../test/fixture.ts'

const { server, connection } = await openForFile({
	settings: { log_statement: 'all' },
	schema: `${shop}
	create table things (id int primary key, name varchar(5), twice int generated always as (id * 2) stored, made timestamptz default now());
	create table strict (id int primary key, other int references strict deferrable initially deferred);
	insert into strict values (1, 1);`,
})
beforeEach(() => server.sql("truncate things; insert into things (id, name) values (1, 'one'), (2, 'two')"))

const apply = (changes: readonly Change[], table = 'public.things') => connection.applyChanges(table, changes, call())
const things = () => server.sql('select id, name from things order by id')
const rowOf = async (at: number) => {
	const { id = '', version = '' } = (await pageOf(connection, everything('public.things'))).rows[at] ?? {}
	return { rowId: id, version }
}

test('a save is all or nothing', async () => {
	const outcomes = await apply([
		{ kind: 'insert', values: { id: 3, name: 'three' } },
		{ kind: 'insert', values: { id: 1, name: 'again' } },
		{ kind: 'delete', ...(await rowOf(0)) },
	])
	expect(outcomes.map(({ status }) => status)).toEqual(['not_sent', 'failed', 'not_sent'])
	expect(await things()).toEqual([
		{ id: 1, name: 'one' },
		{ id: 2, name: 'two' },
	])
})

test('defaults and computed columns are respected', async () => {
	const [inserted] = await apply([{ kind: 'insert', values: { id: 3 } }])
	expect(inserted).toMatchObject({ status: 'applied', rowId: '["3"]' })
	expect(await server.sql('select twice, made is not null as made from things where id = 3')).toEqual([
		{ twice: 6, made: true },
	])
	const refused = connection.previewChanges('public.things', [{ kind: 'insert', values: { twice: 1 } }], call())
	await expect(refused).rejects.toMatchObject({ code: 'invalid_argument' })
})

test('the outcome of an update has the values that the server stored', async () => {
	const outcomes = await apply([
		{ kind: 'update', ...(await rowOf(0)), set: { id: 21 } },
		{ kind: 'update', ...(await rowOf(1)), set: { made: '2026-02-28 12:34:56.7891234+02' } },
	])
	const stored = (await pageOf(connection, everything('public.things'))).rows
	expect(outcomes[0]).toEqual({
		status: 'applied',
		rowId: '["21"]',
		version: stored[1]?.version,
		values: { id: 21, name: 'one', twice: 42, made: expect.any(String) },
	})
	expect(outcomes[1]).toMatchObject({ values: { made: stored[0]?.cells[3] } })
	expect(stored[0]?.cells[3]).toMatch(/10:34:56.789123/)
})

test('a value that is too long is refused, and not cut', async () => {
	const [outcome] = await apply([{ kind: 'update', ...(await rowOf(0)), set: { name: 'too long' } }])
	expect(outcome).toMatchObject({ status: 'failed', message: expect.stringContaining('too long') })
	expect((await things())[0]).toMatchObject({ name: 'one' })
})

test.each<Cell>([
	{ json: '{' },
	{ json: '[1' },
])('%j is no JSON, so its change fails and nothing is saved', async cell => {
	const customer = [{ kind: 'insert', values: { name: 'Ada', data: cell } }] as const
	expect((await apply(customer, 'public.customers'))[0]).toMatchObject({ status: 'failed' })
	const tags = [{ kind: 'insert', values: { name: 'Ada', tags: cell } }] as const
	expect((await apply(tags, 'public.customers'))[0]).toMatchObject({
		status: 'failed',
		message: expect.stringContaining('not JSON'),
	})
	expect(await server.sql(`select from customers where name = 'Ada'`)).toEqual([])
})

test('a decimal is refused for a column of whole numbers, and not rounded', async () => {
	const [outcome] = await apply([{ kind: 'update', ...(await rowOf(0)), set: { id: 6.5 } }])
	expect(outcome).toMatchObject({ status: 'failed', message: expect.stringContaining('6.5') })
	expect((await things())[0]).toMatchObject({ id: 1 })
	const [whole] = await apply([{ kind: 'update', ...(await rowOf(0)), set: { id: { number: '7.0' } } }])
	expect(whole).toMatchObject({ status: 'applied', rowId: '["7"]' })
})

test('a failure names the column that the server refuses, if it says which', async () => {
	const updated = { kind: 'update', ...(await rowOf(0)) } as const
	const columnOf = async (change: Change) => {
		const [outcome] = await apply([change])
		return outcome?.status === 'failed' ? outcome.column : outcome
	}
	expect(await columnOf({ ...updated, set: { name: 'a, b', made: '2024-13-45' } })).toBe('made')
	expect(await columnOf({ kind: 'insert', values: { id: 'x', name: 'a', made: '2024-01-01' } })).toBe('id')
	expect(await columnOf({ ...updated, set: { name: 'ok', id: null } })).toBe('id')
	expect(await columnOf({ kind: 'insert', values: { name: 'none' } })).toBe('id')
	expect(await columnOf({ ...updated, set: { name: 'too long' } })).toBeUndefined()
})

test('a failure of a domain names its column, unless several columns have it', async () => {
	await server.sql(`create domain positive as int check (value > 0); create domain "Odd one" as int check (value % 2 = 1);
		create table checked (id int primary key, a int, b positive, c "Odd one", d "Odd one")`)
	const failure = async (values: Record<string, number>) =>
		(await apply([{ kind: 'insert', values: { id: 1, ...values } }], 'public.checked'))[0]
	expect(await failure({ a: -1, b: -1, c: 1 })).toMatchObject({ status: 'failed', column: 'b' })
	expect(await failure({ a: 1, b: 1, c: 2 })).toMatchObject({ status: 'failed', column: 'c' })
	const unclear = await failure({ a: 1, c: 1, d: 2 })
	expect(unclear).toMatchObject({ status: 'failed', message: expect.stringContaining('Odd one') })
	expect(unclear).not.toHaveProperty('column')
})

test('a row that was changed or deleted meanwhile is a conflict', async () => {
	const [one, two] = [await rowOf(0), await rowOf(1)]
	await server.sql("update things set name = 'other' where id = 1; delete from things where id = 2")
	expect(await apply([{ kind: 'update', ...one, set: { name: 'mine' } }])).toMatchObject([{ status: 'conflict' }])
	expect(await apply([{ kind: 'delete', ...two }])).toMatchObject([{ status: 'conflict' }])
	expect(await things()).toEqual([{ id: 1, name: 'other' }])
})

test('a changed key returns the new id', async () => {
	const [outcome] = await apply([{ kind: 'update', ...(await rowOf(0)), set: { id: 10 } }])
	expect(outcome).toMatchObject({ status: 'applied', rowId: '["10"]' })
})

test('a constraint that the commit checks fails the save', async () => {
	const outcomes = await apply([{ kind: 'insert', values: { id: 2, other: 99 } }], 'public.strict')
	expect(outcomes).toMatchObject([{ status: 'failed', message: expect.stringContaining('foreign key') }])
	expect(await server.sql('select id from strict')).toEqual([{ id: 1 }])
})

test('the preview is what the server gets', async () => {
	const changes: readonly Change[] = [
		{ kind: 'update', ...(await rowOf(0)), set: { name: "it's" } },
		{ kind: 'insert', values: { id: 5, name: '\\$1' } },
		{ kind: 'delete', ...(await rowOf(1)) },
	]
	const previews = await connection.previewChanges('public.things', changes, call())
	expect((await apply(changes)).map(({ status }) => status)).toEqual(['applied', 'applied', 'applied'])
	for (const preview of previews) await expect.poll(() => server.log()).toContain(preview)
})

test.each([
	['a NUL character', 'a\u0000', 'NUL'],
	['half of a character', 'a\ud83d', 'half of a character'],
])('a text with %s is refused, not altered', async (_, name, message) => {
	const [outcome] = await apply([{ kind: 'insert', values: { id: 9, name } }])
	expect(outcome).toMatchObject({ status: 'failed', message: expect.stringContaining(message) })
})

test('a save does not wait without end for the lock of another session, and says what it waited for', async () => {
	await server.sql("alter role current_user set lock_timeout = '1s'")
	await using impatient = await open(server.settings)
	await server.sql('alter role current_user reset lock_timeout')
	await using stack = new AsyncDisposableStack()
	const run = await openRunner(impatient, stack)
	await run('begin')
	await run("update things set name = 'held' where id = 1 returning *")
	const change = { kind: 'update', ...(await rowOf(0)), set: { name: 'mine' } } as const
	const [outcome] = await impatient.applyChanges('public.things', [change], call())
	expect(outcome).toMatchObject({
		status: 'failed',
		message: expect.stringMatching(
			/^Another session has a lock on the row \(PID \d+, user postgres, .*\(this application\), idle in transaction; its last statement: update things set name = 'held' where id = 1 returning \*\)\. Nothing was saved\./,
		),
	})
	const activity = (await impatient.readFacts(undefined, call())).find(({ title }) => title === 'Activity')?.list?.rows
	expect(activity?.map(({ cells }) => cells.at(-1))).toContain(
		"update things set name = 'held' where id = 1 returning *",
	)
	await run('commit')
	expect(await things()).toContainEqual({ id: 1, name: 'held' })
})

test.each([
	['a row', "update things set name = 'held' where id = 1 returning *"],
	['the table', 'lock table things in access exclusive mode'],
])('a save that is cancelled while it waits for a lock of %s is not made, and says so', async (_, locking) => {
	await using stack = new AsyncDisposableStack()
	const run = await openRunner(connection, stack)
	const change = { kind: 'update', ...(await rowOf(0)), set: { name: 'mine' } } as const
	await run('begin')
	await run(locking)
	const abort = new AbortController()
	const outcomes = connection.applyChanges('public.things', [change, change], call(abort.signal))
	await expect.poll(() => server.sql("select 1 from pg_stat_activity where wait_event_type = 'Lock'")).toHaveLength(1)
	abort.abort()
	expect(await outcomes).toEqual([{ status: 'not_sent' }, { status: 'not_sent' }])
	await run('rollback')
	expect(await things()).toContainEqual({ id: 1, name: 'one' })
})

test.each([
	['is not made', '', { status: 'not_sent' }, 'one'],
	[
		'is committed all the same has the values that the server has stored',
		'exception when query_canceled then return null;',
		{ status: 'applied', values: { id: 1, name: 'mine' } },
		'mine',
	],
])('a save whose commit is cancelled and that %s', async (_, onCancel, outcome, name) => {
	await server.sql(`create function wait() returns trigger language plpgsql as $$begin
		perform pg_sleep(60); return null; ${onCancel} end$$;
		create constraint trigger late after update on things deferrable initially deferred for each row execute function wait()`)
	const change = { kind: 'update', ...(await rowOf(0)), set: { name: 'mine' } } as const
	const abort = new AbortController()
	const outcomes = connection.applyChanges('public.things', [change], call(abort.signal))
	await expect.poll(() => server.sql("select 1 from pg_stat_activity where wait_event = 'PgSleep'")).toHaveLength(1)
	abort.abort()
	expect(await outcomes).toMatchObject([outcome])
	expect(await things()).toContainEqual({ id: 1, name })
	await server.sql("drop function wait cascade; update things set name = 'one' where id = 1")
})

test('without a limit of the role, a save has its own limit for locks', async () => {
	await apply([{ kind: 'update', ...(await rowOf(0)), set: { name: 'new' } }])
	expect(server.log()).toContain("set_config('lock_timeout', '10s', true)")
})

test('a JSON array is a value of an array, and an object shows the form that works', async () => {
	await server.sql(`create type feeling as enum ('sad', 'a,b', 'NULL'); create type street as (name text, city text);
		create table lists (id int primary key, feelings feeling[], grid int[], texts text[], docs jsonb[], home street, homes street[])`)
	const values = {
		feelings: { json: '["sad","a,b",null,"NULL"]' },
		grid: { json: '[[1,2],[3,9]]' },
		texts: { json: '["","\\"\\\\","{x}"]' },
		docs: { json: '[{"a":[1]},"b"]' },
	}
	expect(await apply([{ kind: 'insert', values: { id: 1, ...values } }], 'public.lists')).toMatchObject([
		{ status: 'applied' },
	])
	expect(await server.sql('select feelings::text, grid::text, texts, docs::text from lists')).toEqual([
		{
			feelings: '{sad,"a,b",NULL,"NULL"}',
			grid: '{{1,2},{3,9}}',
			texts: ['', '"\\', '{x}'],
			docs: '{"{\\"a\\": [1]}","\\"b\\""}',
		},
	])
	for (const column of ['home', 'homes']) {
		const json = column === 'home' ? '{"name":"Main"}' : '[{"name":"Main"}]'
		const refused = apply([{ kind: 'insert', values: { id: 2, [column]: { json } } }], 'public.lists')
		const form = expect.stringContaining('Send a text as PostgreSQL writes it, for example')
		expect(await refused).toMatchObject([{ status: 'failed', message: form }])
	}
})

test('an insert that is copied to run elsewhere returns nothing, as the driver has its own do', async () => {
	const insert = [{ kind: 'insert', values: { id: 9, name: 'nine' } }] as const
	const preview = (options?: { isForCopy: boolean }) =>
		connection.previewChanges('public.things', insert, call(), options)
	expect(await preview()).toEqual([expect.stringMatching(/ returning /)])
	expect(await preview({ isForCopy: true })).toEqual(["insert into public.things (id, name) values (9, 'nine');"])
})
