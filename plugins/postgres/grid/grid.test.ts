import type { Socket } from 'node:net'
import { decode, type Filter, type GridQuery, rawText, type Sort } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { describe, expect, test } from 'vitest'
import { Framing } from '../sample/messages.ts'
import { shop } from '../servers/schema.ts'
import { call, everything, open, openForFile, pageOf, run } from '../test/fixture.ts'

const values = `
create domain positive as int check (value > 0);
create table kinds (id int primary key, big int8, exact numeric, real_ float8, flag bool, day date, moment timestamptz,
	j json, b jsonb, bytes bytea, list int[], composite address, range tstzrange, wait interval, kind state, dom positive, text text);
insert into kinds values
	(1, 9223372036854775807, 1.10, 'NaN', true, '0044-03-15 BC', '2024-02-29 12:00:00.123456+00', '{"a": 1, "a": 1.0}', '{"b": null}',
		'\\x00ff', '[2:3]={1,NULL}', '("Main, 1",)', '[2024-01-01 00:00+00,)', '1 year 2 mons', 'new', 5, ''),
	(2, -9223372036854775808, '1e-400', '-0', false, 'infinity', '-infinity', 'null', 'null', '', '{}', null, 'empty', '-1 days', 'sent', null, null),
	(3, null, repeat('9', 400)::numeric, 'Infinity', null, null, null, null, null, null, null, null, null, null, null, null, repeat('ä', 20000));
`
const names = `
create schema "Bad . ""schema""";
create table "Bad . ""schema"""."Ünï ""code"" 🚂" ("A b" int primary key, "c.d" text, "roundhouse" text, "$1" text);
insert into "Bad . ""schema"""."Ünï ""code"" 🚂" values (1, 'x', 'y', 'z'), (2, null, null, null);
create table parted (id int, day date not null, primary key (day, id)) partition by range (day);
create table parted_2024 partition of parted for values from ('2024-01-01') to ('2025-01-01');
insert into parted select n, '2024-05-01' from generate_series(1, 5) n;
create table ties (a int, b text, c int, id int primary key);
insert into ties select case when n % 4 = 0 then null else n % 3 end, case when n % 5 = 0 then null else 'x' || n % 2 end, n % 7, n from generate_series(1, 200) n;
create table many as select n as id, md5(n::text) as what from generate_series(1, 150000) n;
alter table many add primary key (id); analyze many;
`

const { server, connection } = await openForFile({ schema: `${shop}${values}${names}` })

test('the request of a page runs in a console, and has the rows of the page', async () => {
	const filters: readonly Filter[] = [{ column: 'c', operator: 'less', values: ['5'] }]
	const sort: readonly Sort[] = [{ column: 'b', direction: 'desc' }]
	await using other = await open(server.settings)
	const grid = await other.openGrid({ ...everything('public.ties'), filters, sort, raw: "b <> ''" }, call())
	await grid.page({ offset: 0, limit: 10 }, call())
	const page = decode(await grid.page({ offset: 10, limit: 10 }, call()))
	await grid.close()
	expect(page.request).not.toMatch(/\$\d|roundhouse row|xmin/)
	const result = await run(connection, page.request ?? '')
	expect(result.body).toMatchObject({ rows: page.rows.map(({ cells }) => cells) })
})

test('every type of value is exact', async () => {
	const page = await pageOf(connection, everything('public.kinds'))
	const [first = [], second = [], third = []] = page.rows.map(({ cells }) => cells)
	expect(first).toEqual([
		1,
		{ number: '9223372036854775807' },
		{ number: '1.10' },
		'NaN',
		true,
		'0044-03-15 BC',
		'2024-02-29 12:00:00.123456+00',
		{ json: '{"a": 1, "a": 1.0}' },
		{ json: '{"b": null}' },
		{ bytes: 'AP8=' },
		'[2:3]={1,NULL}',
		'("Main, 1",)',
		'["2024-01-01 00:00:00+00",)',
		'1 year 2 mons',
		'new',
		5,
		'',
	])
	expect(second.slice(1, 11)).toEqual([
		{ number: '-9223372036854775808' },
		{ number: `0.${'0'.repeat(399)}1` },
		{ number: '-0' },
		false,
		'infinity',
		'-infinity',
		{ json: 'null' },
		{ json: 'null' },
		{ bytes: '' },
		'{}',
	])
	expect(third.at(-1)).toEqual({ text: 'ä'.repeat(10_000), cutFrom: 20_000 })
	expect(third[7]).toBeNull()
	const whole = decode(await connection.readRow('public.kinds', page.rows[2]?.id ?? '', call()))
	expect(JSON.parse(rawText(whole)).text).toHaveLength(20_000)
})

test('the description knows keys, defaults, choices, computed columns and references', async () => {
	const { columns, references } = await connection.describeTable('public.customers', call())
	const column = (name: string) => columns.find(column => column.name === name)
	expect(column('id')).toMatchObject({ isKey: true, generated: 'default' })
	expect(column('name')).toMatchObject({ isRequired: true })
	expect(column('note')).toMatchObject({ note: 'What the shop knows.' })
	expect(column('full_name')).toMatchObject({ generated: 'always', isReadOnly: true })
	expect(references).toEqual([])
	expect((await connection.describeTable('public.customers', call())).referrers).toEqual([
		{ columns: ['id'], table: 'public.orders', to: ['customer'], onDelete: 'no action' },
	])
	const orders = await connection.describeTable('public.orders', call())
	expect(orders.columns.find(({ name }) => name === 'state')?.choices).toEqual(['new', 'paid', 'sent'])
	expect(orders.referrers).toMatchObject([{ table: 'public.order_lines', onDelete: 'cascade' }])
	expect(orders.references).toEqual([{ columns: ['customer'], table: 'public.customers', to: ['id'] }])
	const lines = await connection.describeTable('public.order_lines', call())
	expect(lines.columns.map(({ keyPosition }) => keyPosition)).toEqual([1, 2, undefined])
})

test('tables are listed with kinds, estimates and what they do not take', async () => {
	const tables = await connection.listTables(call())
	const table = (name: string) => tables.find(table => table.name === name)
	expect(table('public.many')).toMatchObject({ rowCount: 150_000, isRowCountEstimated: true, path: ['public'] })
	const never = (changes: string) => `A view that is defined like this takes no ${changes}.`
	const cannot = { insert: never('new rows'), update: never('changes'), delete: never('deletions') }
	expect(table('public.totals')).toMatchObject({ kind: 'view', cannot })
	expect(table('public.sums')).toMatchObject({ kind: 'materialized view' })
	expect(table('public.parted')).toMatchObject({ kind: 'partitioned table' })
	expect(table('public.parted_2024')).toMatchObject({ kind: 'partition of parted' })
})

test('hostile names are only names', async () => {
	const name = '"Bad . ""schema"""."Ünï ""code"" 🚂"'
	expect((await connection.listTables(call())).map(table => table.name)).toContain(name)
	const query = { ...everything(name), filters: [{ column: 'c.d', operator: 'equals', values: ['x'] }] } as const
	const page = await pageOf(connection, query)
	expect(page.rows.map(({ cells }) => cells)).toEqual([[1, 'x', 'y', 'z']])
	const set = { $1: "it's $1", 'A b': 7 }
	const [first] = page.rows
	const [outcome] = await connection.applyChanges(name, [{ kind: 'update', rowId: first?.id ?? '', set }], call())
	expect(outcome).toMatchObject({ status: 'applied', rowId: '["7"]' })
})

describe('pages', () => {
	const sorts: readonly (readonly Sort[])[] = [
		[],
		[{ column: 'a', direction: 'asc' }],
		[{ column: 'a', direction: 'desc' }],
		[
			{ column: 'a', direction: 'desc' },
			{ column: 'b', direction: 'asc' },
		],
		[
			{ column: 'b', direction: 'asc' },
			{ column: 'c', direction: 'desc' },
			{ column: 'a', direction: 'asc' },
		],
	]
	test.each(sorts.map(sort => [sort]))('add up to what the server sorts: %j', async sort => {
		const order = [
			...sort.map(({ column, direction }) => `${column} ${direction}`),
			`id ${sort.at(-1)?.direction ?? 'asc'}`,
		]
		const expected = await server.sql(`select id from ties order by ${order.join(', ')}`)
		for (const limit of [1, 7, 64]) {
			const query: GridQuery = { ...everything('public.ties'), sort }
			const grid = await connection.openGrid(query, call())
			const ids: unknown[] = []
			for (let isMore = true; isMore; ) {
				const page = decode(await grid.page({ offset: ids.length, limit }, call()))
				ids.push(...page.rows.map(({ cells }) => cells.at(-1)))
				isMore = page.rows.length === limit
			}
			expect(ids).toEqual(expected.map(({ id }) => id))
			const jumped = decode(await grid.page({ offset: 100, limit: 3 }, call()))
			expect(jumped.rows.map(({ cells }) => cells.at(-1))).toEqual(ids.slice(100, 103))
			await grid.close()
		}
	})

	test('a table without a key has pages, versions and edits', async () => {
		const first = await pageOf(connection, everything('public.logs'), { limit: 10 })
		expect(new Set(first.rows.map(({ id }) => id)).size).toBe(10)
		const { id = '', version = '' } = first.rows[3] ?? {}
		const change = { kind: 'update', rowId: id, version, set: { what: 'changed' } } as const
		expect(await connection.applyChanges('public.logs', [change], call())).toMatchObject([{ status: 'applied' }])
		expect(await connection.applyChanges('public.logs', [change], call())).toMatchObject([{ status: 'conflict' }])
	})

	test('partitions, views and materialized views can be read', async () => {
		for (const table of ['public.parted', 'public.parted_2024', 'public.totals', 'public.sums']) {
			const { rows } = await pageOf(connection, everything(table), { limit: 3 })
			const whole = decode(await connection.readRow(table, rows[1]?.id ?? '', call()))
			expect(whole.version, table).toBe(rows[1]?.version)
		}
	})

	test('an estimate that is wrong is corrected where it matters', async () => {
		await server.sql('insert into many select n, null from generate_series(150001, 150010) n')
		const grid = await connection.openGrid(everything('public.many'), call())
		const last = decode(await grid.page({ offset: 149_990, limit: 10 }, call()))
		expect(last.total.value).toBeGreaterThan(150_000)
		expect(decode(await grid.page({ offset: 150_000, limit: 20 }, call())).total).toEqual({
			value: 150_010,
			isExact: true,
		})
		await server.sql('delete from many where id > 150000')
		const other = await connection.openGrid(everything('public.many'), call())
		expect(decode(await other.page({ offset: 151_000, limit: 20 }, call())).total).toEqual({
			value: 150_000,
			isExact: true,
		})
	})

	test('many rows have an estimate, and an exact count on demand', async () => {
		const page = await pageOf(connection, everything('public.many'), { limit: 10 })
		expect(page.total).toMatchObject({ isExact: false, bound: 'about' })
		const { sort, ...query } = everything('public.many')
		expect(await connection.countRows(query, call())).toEqual({ value: 150_000, isExact: true })
	})
})

test.each<readonly [Filter, number]>([
	[{ column: 'big', operator: 'greater', values: ['9223372036854775806'] }, 1],
	[{ column: 'id', operator: 'less', values: ['2.5'] }, 2],
	[{ column: 'real_', operator: 'equals', values: ['NaN'] }, 1],
	[{ column: 'day', operator: 'less', values: ['2000-01-01'] }, 1],
	[{ column: 'kind', operator: 'in', values: ['new', 'sent'] }, 2],
	[{ column: 'kind', operator: 'contains', values: ['EN'] }, 1],
	[{ column: 'text', operator: 'equals', values: [''] }, 1],
	[{ column: 'text', operator: 'missing', values: [] }, 1],
	[{ column: 'text', operator: 'starts_with', values: ['%'] }, 0],
	[{ column: 'b', operator: 'equals', values: ['{"b":null}'] }, 1],
	[{ column: 'b', operator: 'equals', values: ['null'] }, 1],
	[{ column: 'bytes', operator: 'equals', values: ['00 ff'] }, 1],
	[{ column: 'bytes', operator: 'not_equals', values: ['\\x00FF'] }, 1],
	[{ column: 'bytes', operator: 'equals', values: [''] }, 1],
	[{ column: 'wait', operator: 'greater', values: ['1 day'] }, 1],
	[{ column: 'flag', operator: 'not_equals', values: ['true'] }, 1],
])('the filter %j finds %i rows, also as text', async (filter, count) => {
	const { sort, ...query } = { ...everything('public.kinds'), filters: [filter] }
	const found = (await pageOf(connection, { ...query, sort })).rows.map(({ id }) => id)
	expect(found).toHaveLength(count)
	const raw = await connection.filterText(query, call())
	const byText = await pageOf(connection, { ...everything('public.kinds'), raw })
	expect(byText.rows.map(({ id }) => id)).toEqual(found)
})

test('several filters and a condition are one text', async () => {
	const { sort, ...query } = everything('public.kinds')
	const filters = [
		{ column: 'text', operator: 'equals', values: ["it's"] },
		{ column: 'id', operator: 'equals', values: ['3'] },
	] as const
	const text = await connection.filterText({ ...query, filters, match: 'any', raw: 'flag is null' }, call())
	expect((await pageOf(connection, { ...everything('public.kinds'), raw: text })).rows).toHaveLength(1)
	expect(await connection.filterText(query, call())).toBe('true')
	await expect(connection.filterText({ ...query, raw: 'true) or (true' }, call())).rejects.toThrow()
})

test.each(['big', 'id'])('a filter of %s by a text that is no number is refused', async column => {
	const filters = [{ column, operator: 'equals', values: ["1' or true"] }] as const
	await expect(pageOf(connection, { ...everything('public.kinds'), filters })).rejects.toMatchObject({
		code: 'invalid_argument',
	})
})

test.each([
	'1=1) or (1=1',
	'id = $1',
	'true) union select 1 from (select 1',
	'true; drop table kinds',
	'true order by id',
	'true limit 1',
	"pg_terminate_backend(1) and 'x' = 'x'",
	"nextval('orders_id_seq') > 0",
	'true for update',
	'',
])('the condition %j cannot leave its brackets', async raw => {
	const filters = [{ column: 'id', operator: 'equals', values: ['1'] }] as const
	const page = pageOf(connection, { ...everything('public.kinds'), filters, raw })
	if (raw === '') expect((await page).rows).toHaveLength(1)
	else await expect(page).rejects.toMatchObject({ code: 'invalid_argument' })
})

test('a condition may have a comment at its end', async () => {
	const page = await pageOf(connection, { ...everything('public.kinds'), raw: "text is null or text = 'x' -- the end" })
	expect(page.rows).toHaveLength(1)
})

test('the values of a key are those of its casts to text, which may differ from the values of its cells', async () => {
	await server.sql(
		`create table keyed (a bool, b char(5), c inet, d numeric(4,2), e text, primary key (a, b, c, d, e))`,
	)
	await server.sql(`insert into keyed select true, 'x', '10.0.0.1', n * 1.10, 'é' from generate_series(1, 3) n`)
	const grid = await connection.openGrid(everything('public.keyed'), call())
	const first = decode(await grid.page({ offset: 0, limit: 2 }, call()))
	const next = decode(await grid.page({ offset: 2, limit: 2 }, call()))
	const key = (last: string) => JSON.stringify(['true', 'x', '10.0.0.1/32', last, 'é'])
	expect([...first.rows, ...next.rows].map(({ id }) => id)).toEqual(['1.10', '2.20', '3.30'].map(key))
	expect(next.rows[0]?.cells).toEqual([true, 'x    ', '10.0.0.1', { number: '3.30' }, 'é'])
	const whole = decode(await connection.readRow('public.keyed', next.rows[0]?.id ?? '', call()))
	expect(whole.version).toBe(next.rows[0]?.version)
})

test.each([
	['drop column old, add column young int', ['id integer', 'code varchar(5)', 'young integer']],
	['add column young int', ['id integer', 'old integer', 'code varchar(5)', 'young integer']],
	['rename old to new', ['id integer', 'new integer', 'code varchar(5)']],
	['alter old type bigint', ['id integer', 'old bigint', 'code varchar(5)']],
	['alter code type varchar(9)', ['id integer', 'old integer', 'code varchar(9)']],
])('a known table shows its columns after ALTER TABLE … %s of another client', async (change, columns) => {
	await server.sql(
		'drop table if exists changing; create table changing (id int primary key, old int, code varchar(5))',
	)
	await server.sql("insert into changing values (1, 2, 'x')")
	const shown = async () =>
		(await pageOf(connection, everything('public.changing'))).columns.map(({ name, type }) => `${name} ${type}`)
	await connection.describeTable('public.changing', call())
	expect(await shown()).toEqual(['id integer', 'old integer', 'code varchar(5)'])
	await server.sql(`alter table changing ${change}`)
	expect(await shown()).toEqual(columns)
})

test('a column that is new is sorted, filtered and exported at once', async () => {
	await server.sql('create table growing (id int primary key); insert into growing values (1), (2)')
	const query = everything('public.growing')
	await pageOf(connection, query)
	await server.sql('alter table growing add column young int; update growing set young = -id')
	const { rows } = await pageOf(connection, { ...query, sort: [{ column: 'young', direction: 'asc' }] })
	expect(rows.map(({ cells }) => cells)).toEqual([
		[2, -2],
		[1, -1],
	])
	await server.sql('alter table growing add column other int; update growing set other = id')
	const filters = [{ column: 'other', operator: 'equals', values: ['2'] }] as const
	expect((await pageOf(connection, { ...query, filters })).rows).toHaveLength(1)
	await server.sql('alter table growing add column last int')
	const exported = await connection.openExport(query, { format: 'csv' }, call())
	expect(String(Buffer.from((await exported.read(call())) ?? []))).toMatch(/^id,young,other,last\n/)
	await exported.close()
	await server.sql('drop table growing')
	await expect(pageOf(connection, query)).rejects.toMatchObject({ code: 'not_found' })
})

/** Opens a connection whose sockets are known. */
async function openCounted() {
	const sockets: Socket[] = []
	const context = directContext()
	const connection = await open(server.settings, {
		connect: async (...address) => {
			const socket = await context.connect(...address)
			sockets.push(socket)
			return socket
		},
	})
	return { connection, sockets }
}

test('opening a known table, its first page and closing it take one round trip', async () => {
	const { connection, sockets } = await openCounted()
	await using _ = connection
	await pageOf(connection, everything('public.many'))
	const answers = countAnswers(sockets)
	const { total } = await pageOf(connection, everything('public.many'), { limit: 10 })
	expect(total.isExact).toBe(false)
	expect(Math.abs(total.value - 150_000)).toBeLessThan(1_500)
	expect(answers.count).toBe(1)
})

test('a jump sorts the table once, also for the pages beside it', async () => {
	const { connection, sockets } = await openCounted()
	await using _ = connection
	const grid = await connection.openGrid(
		{ ...everything('public.ties'), sort: [{ column: 'a', direction: 'desc' }] },
		call(),
	)
	const idsOf = async (offset: number) =>
		decode(await grid.page({ offset, limit: 10 }, call())).rows.map(({ cells }) => cells.at(-1))
	await idsOf(0)
	const offsets = [110, 100, 120]
	// Sessions are opened before the answers are counted.
	await Promise.all(offsets.map(() => connection.listTables(call())))
	const answers = countAnswers(sockets)
	const pages = await Promise.all(offsets.map(idsOf))
	expect(answers.count).toBe(1 + offsets.length)
	const expected = await server.sql('select id from ties order by a desc, id desc offset 100 limit 30')
	const [second, first, third] = pages
	expect([first, second, third].flat()).toEqual(expected.map(({ id }) => id))
})

/** Counts the ends of answers of the server: its messages ReadyForQuery. */
function countAnswers(sockets: readonly Socket[]): { readonly count: number } {
	const counted = { count: 0 }
	for (const socket of sockets) {
		const framing = new Framing()
		framing.startLogin()
		socket.on('data', (chunk: Buffer) => {
			for (const message of framing.push(chunk)) if (message[0] === 'Z'.charCodeAt(0)) counted.count++
		})
	}
	return counted
}
