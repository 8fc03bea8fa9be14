import {
	type Access,
	type Cell,
	type ConsoleResult,
	decode,
	type ResultCondition,
	type ResultOrder,
} from '@roundhouse/kit'
import { describe, expect, test } from 'vitest'
import { shop } from '../servers/schema.ts'
import { call, everything, open, openForFile, pageOf, run, statement } from '../test/fixture.ts'

const { server, connection } = await openForFile({
	schema: `${shop}
	create function spend() returns int language sql volatile as 'insert into logs values (now(), null); select 1';
	create domain costly as int check (spend() > 0);
	analyze;`,
})

const accessOf = async (text: string): Promise<Access | undefined> =>
	(await connection.console.analyse(text, call())).map(({ access }) => access).join(' ') as Access

/** The text of a cell as the window has it. */
const textOf = (cell: Cell) =>
	typeof cell === 'object' && cell !== null && 'number' in cell ? cell.number : String(cell)

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

	test('rows that are too large together end early, and the transaction stays usable', async () => {
		const session = await connection.openSession?.(call())
		if (!session) throw new Error('no session')
		const ask = async (text: string, maxRows: number) =>
			session.run(await statement(connection, text), { maxRows }, call())
		await ask('begin', 1)
		const wide = await ask("select repeat('x', 9000) from generate_series(1, 12000)", 20_000)
		expect(wide).toMatchObject({ status: 'SELECT', body: { isTruncated: true } })
		expect(wide.notices).toEqual([expect.stringMatching(/^Only the first 5,\d{3} rows are shown/)])
		expect(await ask('select 1', 1)).toMatchObject({ status: 'SELECT 1', body: { rows: [[1]], isTruncated: false } })
		expect(session.transaction()).toBe('open')
		await session.close()
	})

	test('a place in quotes is refused, but says how a value is written there', async () => {
		const [braced, escaped] = await connection.console.analyse("select '{{code}}'; select e'%:name'", call())
		expect(braced).toMatchObject({ fault: { code: 'invalid_argument' }, asks: [{ name: 'code', doubled: "'" }] })
		expect(escaped?.asks).toEqual([{ start: 10, end: 15, name: 'name', doubled: "'\\" }])
	})

	test('come in another order of the engine, also in an open transaction, and no write runs for its order', async () => {
		const session = await connection.openSession?.(call())
		if (!session) throw new Error('no session')
		const sorted = async (text: string, at: number, columns = 1) => {
			const sort = { columns, by: [{ at, direction: 'desc' as const }] }
			return session.run(await statement(connection, text), { maxRows: 1, sort }, call())
		}
		await session.run(await statement(connection, 'begin'), { maxRows: 1 }, call())
		const [{ last } = { last: 0 }] = await server.sql('select max(id)::int as last from orders')
		const { body } = await sorted('select id as one, id as one from orders order by id -- the first', 1, 2)
		expect(body).toMatchObject({ rows: [[last, last]], isTruncated: true, origins: [{ columns: [0, 1] }] })
		await expect(sorted("select '{}'::json", 0)).rejects.toMatchObject({ engineCode: '42883' })
		await expect(sorted('show work_mem', 0)).rejects.toThrow('The engine sorts queries alone, and this is SHOW.')
		await expect(sorted('delete from orders returning id', 0)).rejects.toThrow('Only a statement that reads')
		expect(session.transaction()).toBe('open')
		await session.close()
	})

	test('are found by each value as it was shown, in a session that reads backslashes in another way too', async () => {
		const session = await connection.openSession?.(call())
		if (!session) throw new Error('no session')
		const run = async (text: string, sort?: ResultOrder) => {
			const { body } = await session.run(await statement(connection, text), { maxRows: 10, sort }, call())
			if (body.view !== 'rows') throw new Error('no rows')
			return body
		}
		await session.run(await statement(connection, 'set standard_conforming_strings = off'), { maxRows: 1 }, call())
		const values = [
			'null::text',
			'9007199254740993::int8',
			'1.10::numeric',
			'0.1::float4',
			'1e20::float8',
			"'NaN'::float8",
			'true',
			"date '2024-02-29'",
			"timestamp '2024-02-29 12:30:00.123'",
			"timestamptz '2024-02-29 12:30:00+00'",
			"time '24:00'",
			"E'it''s \\\\ a \\n line '::text",
			"'ab'::char(5)",
			"'{}'::text",
			"'5 days'::interval",
			"inet '10.0.0.1'",
			"'Ä'::text",
		]
		for (const value of values) {
			const text = `select * from (values (1, ${value}), (2, null)) as v`
			const { rows, columns } = await run(text)
			const [, cell] = rows[0] ?? []
			const kind = columns[1]?.kind === 'other' ? 'text' : (columns[1]?.kind as ResultCondition['kind'])
			const shown = cell === null || cell === undefined ? null : textOf(cell)
			const where = (is: ResultCondition['is']) => ({ columns: 2, by: [], where: [{ at: 1, is, text: shown, kind }] })
			const same = await run(text, where('same'))
			expect([value, same.rows.map(([id]) => id)]).toEqual([value, shown === null ? [1, 2] : [1]])
			const other = await run(text, where('other'))
			expect([value, other.rows.map(([id]) => id)]).toEqual([value, shown === null ? [] : [2]])
		}
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

test('a typed EXPLAIN of a user is one text, and one in JSON has its steps as rows beside the answer', async () => {
	const session = await connection.openSession?.(call())
	if (!session) throw new Error('no session')
	const ask = async (text: string, maxRows = 100) => session.run(await statement(connection, text), { maxRows }, call())
	const joined = 'select * from orders o join customers c on c.id = o.customer'
	for (const options of ['', 'analyze', '(analyze)', '(format yaml)'])
		expect((await ask(`explain ${options} ${joined}`)).body, options).toEqual({
			view: 'text',
			text: expect.stringMatching(/Hash Join(?:.|\n)*\n +/),
		})
	const names = ({ body }: Pick<ConsoleResult, 'body'>) => body.view === 'rows' && body.columns.map(({ name }) => name)
	const planned = await ask(`explain (format json) ${joined}`)
	expect(names(planned)).toEqual(['Step', 'Expected rows', 'Cost', 'Detail'])
	expect(JSON.parse(new TextDecoder().decode(planned.raw))).toMatchObject([{ Plan: { 'Node Type': 'Hash Join' } }])
	const run = await ask(`explain (analyze, format json) ${joined}`)
	expect(names(run)).toEqual(['Step', 'Time with its parts (ms)', 'Loops', 'Rows', 'Expected rows', 'Detail'])
	const steps = run.body.view === 'rows' ? run.body.rows : []
	expect(steps[0]).toEqual(['Hash Join', expect.any(Number), 1, 300, 300, expect.any(String)])
	expect(steps.map(([name]) => name)).toEqual(['Hash Join', '    Seq Scan', '    Hash', '        Seq Scan'])
	expect(names(await ask(`explain (analyze, costs off, timing off, format json) ${joined}`))).toEqual([
		'Step',
		'Loops',
		'Rows',
		'Detail',
	])
	expect((await ask('explain (format json) create table made as select 1')).body).toMatchObject({ view: 'rows' })
	expect((await ask('explain (format json) refresh materialized view nowhere')).body).toEqual({ view: 'json' })
	// A part of a plan stays rows, of which more can be read.
	expect((await ask(`explain ${joined}`, 2)).body).toMatchObject({ view: 'rows', isTruncated: true })
	await session.close()
})

test('an EXPLAIN is explained as the statement behind it, which runs only after ANALYZE', async () => {
	const session = await connection.openSession?.(call())
	const explain = async (text: string) => session?.explain?.({ statement: await statement(connection, text) }, call())
	expect(await explain('explain analyze select * from orders')).toMatchObject({ wasRun: true, steps: [{ rows: 300 }] })
	expect(await explain('explain (analyze, verbose) select * from orders')).toMatchObject({ wasRun: true })
	expect(await explain('explain select * from orders')).toMatchObject({ wasRun: false, steps: [{ name: 'Seq Scan' }] })
	expect(await explain('explain analyze delete from orders')).toMatchObject({ wasRun: false })
	expect(await explain('explain delete from orders')).toMatchObject({ wasRun: false, steps: [{ name: 'Delete' }, {}] })
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

test('what a definition loses is looked up before it runs', async () => {
	const assess = async (text: string, rehearses = false) =>
		connection.console.assess(await statement(connection, text), call(), { rehearses })
	expect(await assess('delete from orders')).toEqual({
		destroys: 'all rows of orders, about 300 rows',
	})
	const held = { identity: expect.any(String), rows: expect.any(Number) }
	expect(await assess('truncate orders, "logs"')).toEqual({
		destroys: expect.stringMatching(/^all rows of orders; all rows of logs, \d+ rows$/),
		held,
	})
	expect(await assess('truncate customers cascade')).toEqual({
		destroys: expect.stringMatching(/^all rows of customers, \d+ rows; with all rows of .*public\.orders/),
		held,
	})
	expect(await assess('drop table customers cascade')).toEqual({
		destroys: expect.stringMatching(/^the table customers, \d+ rows; and all that depends on it, in other tables too$/),
		held,
	})
	await server.sql(`create schema "Old stock"; create table "Old stock".parts (id int); create view "Old stock".seen as select 1;
		insert into "Old stock".parts select generate_series(1, 20); analyze "Old stock".parts; create schema empty`)
	expect(await assess('drop schema "Old stock", empty cascade')).toEqual({
		destroys:
			'the schema "Old stock", 1 table with about 20 rows, 1 view; the schema empty; and all that depends on it, in other schemas too',
	})
	expect(await assess('drop schema empty')).toEqual({})
	expect(await assess("insert into logs values (now(), 'a')", true)).toMatchObject({
		scope: expect.stringContaining(' public.logs'),
	})
})

test('an error of a read of an AI client has its place in the statement', async () => {
	await using client = await open(server.settings, { costLimitRows: () => 10_000 })
	const text = 'select custmer_id from orders where id = {{id}} order by 1 limit 1'
	const asked = { ...(await statement(client, text)), parameters: { id: 1 } }
	await expect(client.console.run(asked, { maxRows: 1 }, call())).rejects.toMatchObject({
		at: text.indexOf('custmer_id'),
	})
})

test('a statement with a place without a value is refused, and its connection stays', async () => {
	const refused = {
		code: 'invalid_argument',
		message: expect.stringMatching(/^\$1 has no value here\. Write \{\{name\}\}/),
	}
	await expect(run(connection, 'select $1::int')).rejects.toMatchObject({ ...refused, at: 7 })
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
	expect(await labels('select id::')).toEqual(expect.arrayContaining(['integer', 'timestamptz', 'varchar', 'jsonb']))
	expect(await labels('select * from generate_s')).toEqual(expect.arrayContaining(['generate_series', 'orders']))
	await run(connection, 'create procedure close_month(n int) language sql as $$ select n $$')
	expect(await labels('call ')).toContain('close_month')
})

test('a result says from which tables it has rows with their keys', async () => {
	await using stack = new AsyncDisposableStack()
	const session = await connection.openSession?.(call())
	stack.defer(() => session?.close())
	const originsOf = async (text: string) => {
		const result = await session?.run(await statement(connection, text), { maxRows: 100 }, call())
		const body = result?.body ?? { view: 'json' }
		return body.view === 'rows' ? body.origins : undefined
	}
	expect(await originsOf('select name, id from customers')).toEqual([
		{ table: 'public.customers', key: [{ column: 'id', at: 1 }], columns: [0, 1], names: ['name', 'id'] },
	])
	expect((await originsOf('select id as a, name as id from customers'))?.[0]?.names).toEqual(['id', 'name'])
	expect((await originsOf('select full_name, id from customers'))?.[0]?.names).toEqual(['', 'id'])
	const joined = 'select c.name, o.id, c.id from orders o left join customers c on c.id = o.customer'
	expect((await originsOf(joined))?.map(({ table, key }) => [table, key[0]?.at])).toEqual([
		['public.customers', 2],
		['public.orders', 1],
	])
	const twice = await originsOf(
		'select a.id, a.name, b.name, b.id as other from customers a join customers b on a.id = b.id',
	)
	expect(twice?.map(({ key, columns }) => [key[0]?.at, columns])).toEqual([
		[0, [0, 1]],
		[3, [2, 3]],
	])
	const unnamed = 'select c.id, d.name from customers c join (select * from customers) d using (id)'
	expect((await originsOf(unnamed))?.map(({ key, columns }) => [key[0]?.at, columns])).toEqual([
		[0, [0]],
		[undefined, [1]],
	])
	for (const ambiguous of [
		'select a.*, b.name from customers a, customers b',
		'select a.name, b.id from customers a, customers b',
		'with c as (select * from customers) select a.id, b.name from c a, c b',
		'with c as (select id from customers) select c.id, customers.name from c join customers using (id)',
	]) {
		const named = (await originsOf(ambiguous))?.filter(({ key }) => key.length > 0) ?? []
		expect(named.filter(({ columns }) => columns.length > 1)).toEqual([])
	}
	expect(await originsOf('with c as (select * from customers) select id, name from c')).toHaveLength(1)
	for (const setting of ["datestyle = 'German'", 'intervalstyle = iso_8601', 'extra_float_digits = 0']) {
		await session?.run(await statement(connection, `set ${setting}`), { maxRows: 1 }, call())
		expect(await originsOf('select name, id from customers')).toBeUndefined()
		await session?.run(await statement(connection, 'discard all'), { maxRows: 1 }, call())
	}
	const referencesOf = async (text: string) => {
		const result = await session?.run(await statement(connection, text), { maxRows: 100 }, call())
		const body = result?.body ?? { view: 'json' }
		return body.view === 'rows' ? body.references : undefined
	}
	expect(await referencesOf('select total, customer from orders')).toEqual([
		{ table: 'public.customers', key: [{ column: 'id', at: 1 }], columns: [1] },
	])
	expect(await referencesOf('select a.customer, b.customer from orders a, orders b')).toMatchObject([
		{ columns: [0] },
		{ columns: [1] },
	])
	expect(await referencesOf('select name from customers')).toBeUndefined()
	expect(await referencesOf('select customer + 0 from orders')).toBeUndefined()
	expect(await originsOf('select name from customers')).toBeUndefined()
	expect(await originsOf('select id + 0 as id from customers')).toBeUndefined()
	expect(await originsOf('select * from totals')).toBeUndefined()
})

test('rows of a result are read by their keys with the same values, and a version with which they are saved', async () => {
	await server.sql(`create table typed (
		a int, b text, n numeric(20, 4), f float8, t timestamptz, d date, i interval, j jsonb, s text[], x bytea, o bool,
		c char(5), primary key (a, b))`)
	await server.sql(`insert into typed values
		(1, 'it''s', 1.5000, 0.1, '2026-01-02 03:04:05.678901+00', '2026-01-02', '1 day 02:03', '{"k": [1]}', '{a,"b c"}', '\\x0102', true, 'ab'),
		(2, '', null, null, null, null, null, null, null, null, null, null)`)
	await using stack = new AsyncDisposableStack()
	const session = await connection.openSession?.(call())
	stack.defer(() => session?.close())
	const sent = await statement(connection, 'select * from typed order by a')
	const body = (await session?.run(sent, { maxRows: 10 }, call()))?.body
	if (body?.view !== 'rows') throw new Error('no rows')
	const [{ table, key, names } = { table: '', key: [], names: [] }] = body.origins ?? []
	for (const shown of body.rows) {
		const filters = key.map(({ column, at }) => ({ column, operator: 'equals' as const, values: [String(shown[at])] }))
		const { rows, columns } = await pageOf(connection, { ...everything(table), filters })
		const [row, ...others] = rows
		expect(others).toEqual([])
		expect(columns.map(({ name }, at) => [name, row?.cells[at]])).toEqual(names?.map((name, at) => [name, shown[at]]))
		const change = { kind: 'update', rowId: row?.id ?? '', set: { n: { number: '2.0000' } } } as const
		const versioned = { ...change, ...(row?.version !== undefined && { version: row.version }) }
		expect(row?.version).toBeDefined()
		expect(await connection.applyChanges(table, [versioned], call())).toMatchObject([{ status: 'applied' }])
		expect(await connection.applyChanges(table, [versioned], call())).toMatchObject([{ status: 'conflict' }])
	}
})

test('places for values are named, and their values take the types that the server finds', async () => {
	const text = "select :n + 1 as n, '12:30'::time, $1::text, '{1,2,3}'::int[][1:2], $$ :no $$"
	const [verdict] = await connection.console.analyse(text, call())
	expect(verdict?.asks?.map(({ start, end, name }) => [text.slice(start, end), name])).toEqual([
		[':n', 'n'],
		['$1', '_1'],
	])
	const sent = await statement(connection, 'select {{n}} + 1 as n, {{_1}}::text')
	const filled = { ...sent, parameters: { n: '41', _1: "it's" } }
	const { body } = decode(await connection.console.run(filled, { maxRows: 1 }, call()))
	expect(body).toMatchObject({ rows: [[42, "it's"]] })
})

test('bytes and texts are those that are stored, whatever the session sets', async () => {
	await using stack = new AsyncDisposableStack()
	const session = await connection.openSession?.(call())
	stack.defer(() => session?.close())
	const ask = async (text: string) => session?.run(await statement(connection, text), { maxRows: 9 }, call())
	await ask("set bytea_output = 'escape'")
	const stored = "'\\x00ff41deadbeef5c78'::bytea"
	const bytes = Buffer.from('00ff41deadbeef5c78', 'hex').toString('base64')
	const long = "decode(repeat('5c00', 20000), 'hex')"
	const result = await ask(`select ${stored} as a, '\\x5c7834'::bytea as b, ${long} as c, ''::bytea as d`)
	expect(result).toMatchObject({
		body: { rows: [[{ bytes }, { bytes: 'XHg0' }, { cutFrom: 40_000 }, { bytes: '' }]] },
	})
	const exported = await session?.openExport?.(
		await statement(connection, `select ${stored} as a`),
		{ format: 'csv' },
		call(),
	)
	expect(Buffer.from((await exported?.read(call())) ?? '').toString()).toContain('\\x00ff41deadbeef5c78')
	await exported?.close()
	expect(await ask("set client_encoding to 'LATIN1'")).toMatchObject({ notices: [expect.stringContaining('UTF8')] })
	expect(await ask("select 'é€' as e")).toMatchObject({ body: { rows: [['é€']] }, notices: [] })
})
