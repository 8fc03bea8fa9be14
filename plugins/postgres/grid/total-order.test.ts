import { decode, type GridQuery, type PageBorder, type Sort } from '@roundhouse/kit'
import { describe, expect, test } from 'vitest'
import { call, everything, openForFile, pageOf } from '../test/fixture.ts'

/** Pages of an order have each row once, whatever the table is. */

const { server, connection } = await openForFile({
	schema: `
	create table parents (a int, v text);
	create table children () inherits (parents);
	insert into parents select n, 'p' || n from generate_series(1, 5) n;
	insert into children select n, 'c' || n from generate_series(1, 5) n;
	create table keyed (id int primary key, v text);
	create table keyed_children () inherits (keyed);
	insert into keyed select n, 'p' || n from generate_series(1, 4) n;
	insert into keyed_children select n, 'c' || n from generate_series(1, 4) n;
	-- A child does not inherit the index of a key.
	insert into keyed_children select 2, 'again ' || n from generate_series(1, 4) n;
	create table gaps (id int primary key, v int not null, u int unique not null);
	create table gap_children () inherits (gaps);
	alter table gap_children alter id set not null;
	create type pair as (x int, y text);
	create table pairs (id int primary key, p pair);
	insert into pairs values (1, null), (2, '(,)'), (3, '(1,)'), (4, '(1,a)'), (5, null), (6, '(,)'), (7, '(,b)');
	create table addresses (id int primary key, c cidr);
	insert into addresses values (1, '10.0.0.0/8'), (2, '9.0.0.0/8'), (3, null);`,
})

const [{ server_version_num: version } = {}] = await server.sql('show server_version_num')
const major = Math.floor(Number(version) / 10_000)

/** Reads a query in pages of three, as the window does. */
async function paged(query: GridQuery): Promise<readonly unknown[]> {
	const grid = await connection.openGrid(query, call())
	const rows: unknown[] = []
	for (let isMore = true; isMore; ) {
		const page = decode(await grid.page({ offset: rows.length, limit: 3 }, call()))
		rows.push(...page.rows.map(({ cells }) => JSON.stringify(cells)))
		isMore = page.rows.length === 3
	}
	await grid.close()
	return rows
}

const sorts: readonly (readonly Sort[])[] = [
	[],
	...(['asc', 'desc'] as const).map(direction => [{ column: 'v', direction }]),
]

test.each(sorts.map(sort => [sort]))('rows of a table and of its children occur once, sorted by %j', async sort => {
	for (const table of ['public.parents', 'public.keyed']) {
		const { rows } = await pageOf(connection, everything(table))
		const expected = rows.map(({ cells }) => JSON.stringify(cells))
		expect(expected.length).toBeGreaterThan(7)
		expect((await paged({ ...everything(table), sort })).toSorted(), table).toEqual(expected.toSorted())
	}
})

test.each([
	'asc',
	'desc',
] as const)('a NULL that NOT NULL does not rule out is no hole in an order (%s)', async direction => {
	if (major < 18) await server.sql('alter table gap_children alter v drop not null')
	else {
		// Not validated on the parent, and with no effect on the child.
		await server.sql(`
			drop table gap_children; drop table gaps;
			create table gaps (id int primary key, v int, u int unique);
			create table gap_children () inherits (gaps);
			insert into gaps select n, null, nullif(n, 3) from generate_series(1, 4) n;
			alter table gaps add constraint filled not null v no inherit not valid;
			alter table gaps add constraint filled_u not null u not valid;`)
	}
	await server.sql('insert into gap_children select n, nullif(n % 3, 0), n from generate_series(11, 20) n')
	const sort = [{ column: 'v', direction }]
	const [{ count } = {}] = await server.sql('select count(*)::int from gaps')
	expect(new Set(await paged({ ...everything('public.gaps'), sort })).size).toBe(count)
	await server.sql('truncate gaps')
})

test('a composite without values is a value, and NULL is none', async () => {
	const count = async (operator: 'exists' | 'missing') => {
		const { sort, ...query } = everything('public.pairs')
		return (await connection.countRows({ ...query, filters: [{ column: 'p', operator, values: [] }] }, call())).value
	}
	expect([await count('exists'), await count('missing')]).toEqual([5, 2])
	for (const direction of ['asc', 'desc'] as const) {
		const expected = await server.sql(`select id from pairs order by p ${direction}, id ${direction}`)
		const sort = [{ column: 'p', direction }]
		const rows = await paged({ ...everything('public.pairs'), sort })
		expect(rows.map(row => JSON.parse(String(row))[0])).toEqual(expected.map(({ id }) => id))
	}
})

test('networks and multiranges can be sorted and compared', async () => {
	const column = async (table: string, name: string) =>
		(await connection.describeTable(table, call())).columns.find(column => column.name === name)
	expect(await column('public.addresses', 'c')).toMatchObject({ isSortable: true })
	const sort = [{ column: 'c', direction: 'asc' as const }]
	const filters = [{ column: 'c', operator: 'less_or_equal' as const, values: ['10.0.0.0/8'] }]
	const page = await pageOf(connection, { ...everything('public.addresses'), sort, filters })
	expect(page.rows.map(({ cells }) => cells[0])).toEqual([2, 1])
	if (major < 14) return
	await server.sql(
		"create table spans (id int primary key, s int4multirange); insert into spans values (1, '{[5,9)}'), (2, '{[1,3)}')",
	)
	const spans = await pageOf(connection, { ...everything('public.spans'), sort: [{ column: 's', direction: 'asc' }] })
	expect(spans.rows.map(({ cells }) => cells[0])).toEqual([2, 1])
})

describe('another grid continues behind a row', () => {
	const read = async (query: GridQuery, offset: number, limit: number, after?: PageBorder) => {
		const grid = await connection.openGrid({ ...query, givesPositions: true, ...(after && { after }) }, call())
		const page = decode(await grid.page({ offset, limit }, call()))
		await grid.close()
		return page
	}

	test.each(['asc', 'desc'] as const)('although others delete and insert rows before it, %s', async direction => {
		await server.sql(`drop table if exists moving; create table moving (id int primary key, v int);
			insert into moving select n, nullif(n % 3, 0) from generate_series(1, 30) n`)
		for (const sort of [[], [{ column: 'v', direction }]]) {
			const query = { ...everything('public.moving'), sort }
			const before = (await pageOf(connection, query)).rows.map(({ id }) => id)
			const first = await read(query, 0, 10)
			const border = { offset: 10, position: first.rows.at(-1)?.position ?? '' }
			const [gone] = first.rows
			const last = first.rows.at(-1)
			await server.sql(`delete from moving where id in (${gone?.cells[0]}, ${last?.cells[0]})`)
			await server.sql(`insert into moving values (-1, ${first.rows[1]?.cells[1] ?? 'null'})`)
			const next = await read(query, 10, 10, border)
			const expected = before.slice(10, 20)
			expect(next.rows.map(({ id }) => id).filter(id => id !== '["-1"]')).toEqual(
				expected.slice(0, next.rows.some(({ id }) => id === '["-1"]') ? 9 : 10),
			)
			expect(next.total).toEqual({ value: 29, isExact: true })
			await server.sql(
				`delete from moving where id = -1; insert into moving values (${gone?.cells.map(cell => cell ?? 'null').join(', ')}), (${last?.cells.map(cell => cell ?? 'null').join(', ')})`,
			)
		}
	})

	test('but not in another order, and not behind a forged place', async () => {
		const query = everything('public.keyed')
		const { rows } = await read(query, 0, 2)
		const sorted = { ...query, sort: [{ column: 'v', direction: 'asc' as const }] }
		const position = rows.at(-1)?.position ?? ''
		for (const [asked, place] of [
			[sorted, position],
			[query, '[]'],
			[query, 'x'],
			[query, position.replace(/\]$/, ', 1]')],
		] as const)
			await expect(read(asked, 2, 2, { offset: 2, position: place })).rejects.toMatchObject({
				code: 'invalid_argument',
			})
	})

	test('a long position is not given away', async () => {
		await server.sql(
			"create table texts (id int primary key, v text); insert into texts values (1, repeat('x', 5000)), (2, 'y')",
		)
		const query = { ...everything('public.texts'), sort: [{ column: 'v', direction: 'asc' as const }] }
		const { rows } = await read(query, 0, 2)
		expect(rows.map(({ position }) => position)).toEqual([undefined, expect.any(String)])
	})
})
