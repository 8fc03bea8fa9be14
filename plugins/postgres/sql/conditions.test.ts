import type { Filter } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { call, everything, open, openForFile } from '../test/fixture.ts'

/** A filter compares with the value that was typed: nothing cuts it, and nothing is added or left out. */

const { server, connection } = await openForFile({
	schema: `
	create domain short as varchar(3);
	create table lengths (id int primary key, fixed bit(5), bits varbit(3), words varchar(3)[], second timestamp(0), hours interval hour,
		letter "char", tenths numeric(5, 1)[], short short, letters char(2)[], flags bit(2)[], word name, day date, clock time(0));
	insert into lengths values (1, '10000', '101', '{abc}', '2026-03-01 12:00:01', '2 hours', 'x', '{1.2}', 'abc', '{ab}', '{10}', repeat('n', 63), '2026-03-01', '12:00:01');
	create table hosts (id int primary key, address inet, code char(3));
	insert into hosts values (1, '10.0.0.1', 'ab');
	create table moments (id int primary key, at timestamptz, local timestamp);`,
})

const idsOf = async (table: string, filter: Filter, from = connection) => {
	const { sort, ...query } = everything(`public.${table}`)
	return (await from.countRows({ ...query, filters: [filter] }, call())).value
}

test.each<Filter>([
	{ column: 'fixed', operator: 'equals', values: ['1'] },
	{ column: 'bits', operator: 'equals', values: ['10111'] },
	{ column: 'words', operator: 'equals', values: ['{abcd}'] },
	{ column: 'second', operator: 'less_or_equal', values: ['2026-03-01 12:00:00.6'] },
	{ column: 'hours', operator: 'equals', values: ['2 hours 30 minutes'] },
	{ column: 'tenths', operator: 'equals', values: ['{1.24}'] },
	{ column: 'short', operator: 'equals', values: ['abcd'] },
	{ column: 'letters', operator: 'equals', values: ['{abc}'] },
	{ column: 'flags', operator: 'equals', values: ['{101}'] },
	{ column: 'word', operator: 'equals', values: ['n'.repeat(70)] },
	{ column: 'day', operator: 'equals', values: ['2026-03-01 12:00'] },
	{ column: 'clock', operator: 'less_or_equal', values: ['12:00:00.6'] },
])('the value of the filter %j is not cut', async filter => {
	expect(await idsOf('lengths', filter)).toBe(0)
	if (filter.operator !== 'equals') return
	// In a list, the server may give all values another type.
	expect(await idsOf('lengths', { ...filter, operator: 'in', values: [...filter.values, ...filter.values] })).toBe(0)
})

test.each<Filter>([
	{ column: 'address', operator: 'ends_with', values: ['0.1'] },
	{ column: 'address', operator: 'wildcard', values: ['10.?.?.1'] },
	{ column: 'code', operator: 'ends_with', values: ['B'] },
])('the pattern %j applies to what a cell shows', async filter => {
	expect(await idsOf('hosts', filter)).toBe(1)
})

test('a text of several characters is no "char"', async () => {
	expect(await idsOf('lengths', { column: 'letter', operator: 'equals', values: ['x'] })).toBe(1)
	const longer = idsOf('lengths', { column: 'letter', operator: 'equals', values: ['xyz'] })
	await expect(longer).rejects.toMatchObject({ code: 'invalid_argument' })
})

test.each<Filter>([
	{ column: 'id', operator: 'equals', values: ['1', '2'] },
	{ column: 'id', operator: 'not_equals', values: ['1', '2'] },
	{ column: 'id', operator: 'less', values: [] },
	{ column: 'id', operator: 'between', values: ['1'] },
	{ column: 'id', operator: 'between', values: ['1', '2', '3'] },
	{ column: 'id', operator: 'in', values: [] },
	{ column: 'short', operator: 'contains', values: ['a', 'b'] },
])('the filter %j has the wrong number of values, and is refused', async filter => {
	await expect(idsOf('lengths', filter)).rejects.toMatchObject({
		code: 'invalid_argument',
		message: expect.stringContaining('needs'),
	})
})

/** Beginning and end of two days, by the clock of the zone. The second one has 23 hours in Budapest. */
const clocks = ['03-28 00:00', '03-28 23:59:59.999999', '03-29 00:00', '03-29 12:00', '03-29 23:59:59.999999']

test.each(['Europe/Budapest', 'Asia/Kolkata', 'UTC'])('a date means its whole day in %s', async zone => {
	await server.sql(`truncate moments; set timezone = '${zone}'; insert into moments select n, ('2026-' || c)::timestamptz, ('2026-' || c)::timestamp
		from unnest('{${clocks.join(',')}}'::text[]) with ordinality x(c, n)`)
	await server.sql(`alter role current_user set timezone = '${zone}'`)
	await using inZone = await open(server.settings)
	const count = (column: string, operator: Filter['operator'], ...values: string[]) =>
		idsOf('moments', { column, operator, values }, inZone)
	for (const column of ['at', 'local']) {
		expect(await count(column, 'equals', '2026-03-28'), column).toBe(2)
		expect(await count(column, 'equals', ' 2026-03-29 '), column).toBe(3)
		expect(await count(column, 'not_equals', '2026-03-29'), column).toBe(2)
		expect(await count(column, 'between', '2026-03-28', '2026-03-29'), column).toBe(5)
		expect(await count(column, 'between', '2026-03-29', '2026-03-29'), column).toBe(3)
		expect(await count(column, 'less', '2026-03-29'), column).toBe(2)
		expect(await count(column, 'less_or_equal', '2026-03-28'), column).toBe(2)
		expect(await count(column, 'greater', '2026-03-28'), column).toBe(3)
		expect(await count(column, 'greater_or_equal', '2026-03-29'), column).toBe(3)
		expect(await count(column, 'in', '2026-03-28', '2026-03-30'), column).toBe(2)
		expect(await count(column, 'not_in', '2026-03-28', '2026-03-30'), column).toBe(3)
		expect(await count(column, 'equals', '2026-03-29 12:00'), column).toBe(1)
		const none = count(column, 'equals', '2026-02-30')
		await expect(none).rejects.toMatchObject({ code: 'query_failed' })
	}
	await server.sql('alter role current_user reset timezone')
})
