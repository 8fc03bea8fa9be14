import type { AggregateQuery } from '@roundhouse/kit'
import { decode } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { shop } from '../servers/schema.ts'
import { call, everything, open, openForFile, pageOf, run, statement } from '../test/fixture.ts'

const { server, connection } = await openForFile({
	schema: `${shop} create table big as select n as id, n % 10 as tenth from generate_series(1, 20000) n;
	alter table big add primary key (id); analyze;`,
})

const aggregate = async (query: Partial<AggregateQuery>) => {
	const all = { table: 'public.orders', filters: [], match: 'all', groups: [], measures: [], limit: 10 } as const
	return decode(await connection.aggregate({ ...all, ...query }, call()))
}

test('groups have counts and exact measures, the largest first', async () => {
	const found = await aggregate({
		groups: [{ column: 'state' }],
		measures: [
			{ function: 'sum', column: 'total' },
			{ function: 'median', column: 'id' },
			{ function: 'distinct', column: 'customer' },
		],
	})
	expect(found.columns.map(({ name }) => name)).toEqual([
		'state',
		'count',
		'sum(total)',
		'median(id)',
		'distinct(customer)',
	])
	expect(found.rows).toHaveLength(3)
	expect(found.rows[0]?.slice(0, 3)).toEqual(['new', 100, { number: '16665.00' }])
})

test('intervals of dates and numbers are in order', async () => {
	const logs = await aggregate({ table: 'public.logs', groups: [{ column: 'at', interval: '30m' }] })
	expect(logs.rows).toEqual([
		['2024-01-01 00:00:00+00', 29],
		['2024-01-01 00:30:00+00', 11],
	])
	const newest = { order: { measure: 'group', direction: 'desc' }, limit: 1 } as const
	const months = await aggregate({ table: 'public.logs', groups: [{ column: 'at', interval: 'month' }] })
	expect(
		(await aggregate({ table: 'public.logs', groups: [{ column: 'at', interval: 'month' }], ...newest })).rows,
	).toEqual(months.rows.slice(-1))
	expect((await aggregate({ table: 'public.logs', groups: [{ column: 'at', interval: 'month' }] })).rows).toEqual([
		['2024-01-01 00:00:00+00', 40],
	])
	expect((await aggregate({ groups: [{ column: 'id', interval: '100' }], limit: 2 })).isTruncated).toBe(true)
	await expect(aggregate({ groups: [{ column: 'id', interval: "1'" }] })).rejects.toMatchObject({
		code: 'invalid_argument',
	})
})

test('an AI client may not read a large table whole, and reads a part of it', async () => {
	await using client = await open(server.settings, { costLimitRows: () => 10_000 })
	const denied = { code: 'denied', message: expect.stringContaining('about 20,000 rows of public.big') }
	for (const text of [
		'select count(*) from big',
		'select * from big where tenth = 3',
		'select * from big order by tenth limit 5',
		'(select * from big order by tenth limit 5)',
		'/* of /* all */ */ select count(*) from big',
		// The planner expects no match, so the limit is never reached.
		'select * from big where tenth = 99 limit 5',
		'select * from big limit 20000',
		'explain analyze verbose select count(*) from big',
		'explain (U&"\\0061nalyze", costs off) (select * from big)',
	])
		await expect(run(client, text), text).rejects.toMatchObject(denied)
	for (const text of [
		'select count(*) from generate_series(1, 1000000)',
		'select generate_series(1, 1000000)',
		'select (select count(*) from orders o where o.total > c.id) from customers c',
		'select count(*) from orders a join orders b on a.total < b.total',
		'select * from customers cross join orders order by total limit 1',
		'select c.id, (select count(*) from orders o where o.total > c.id) from customers c order by 2 limit 2',
	])
		await expect(run(client, text), text).rejects.toMatchObject({ code: 'denied' })
	for (const text of [
		'explain select count(*) from big',
		'explain (analyze) select 1',
		'show all',
		'select * from big where tenth = 3 limit 5',
	])
		await expect(run(client, text), text).resolves.toBeDefined()
	// A limit ends a loop and a sorted group early, whatever is inside.
	for (const text of [
		'select * from customers cross join orders limit 1',
		'select c.id, count(o.id) from customers c left join orders o on o.customer = c.id group by c.id limit 2',
		'select c.id, (select count(*) from orders o where o.total > c.id) from customers c limit 2',
	])
		await expect(run(client, text), text).resolves.toBeDefined()
	for (const text of ['select * from big limit 5', 'select * from big where id < 100', 'select count(*) from orders'])
		await expect(run(client, text), text).resolves.toBeDefined()
	expect((await pageOf(client, everything('public.big'), { limit: 5 })).rows).toHaveLength(5)
	const sorted = { ...everything('public.big'), sort: [{ column: 'tenth', direction: 'asc' }] } as const
	await expect(pageOf(client, sorted)).rejects.toMatchObject(denied)
	const counting = await statement(client, 'select count(*) from big')
	expect(await client.explain({ statement: counting }, call())).toMatchObject({
		wasRun: false,
		notices: [expect.stringContaining('more rows than AI clients may read')],
	})
	const { sort, ...query } = everything('public.big')
	expect(await client.countRows(query, call())).toMatchObject({ bound: 'about' })
})
