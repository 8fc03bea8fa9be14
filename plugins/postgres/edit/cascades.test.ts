import { expect, test } from 'vitest'
import { call, openForFile, pageOf } from '../test/fixture.ts'

/** The review of deletions says what else goes with them. */

const { server, connection } = await openForFile({
	schema: `
create table customers (id int primary key, parent int references customers on delete cascade);
create table orders (id int primary key, customer int references customers on delete cascade);
create table notes (id int primary key, customer int references customers on delete set null);
create table barred (id int primary key references customers);
create table areas (id int primary key) partition by range (id);
create table some_areas partition of areas for values from (0) to (10);
create table shops (id int primary key, area int references areas on delete cascade);
insert into areas values (1);
insert into customers values (1, null), (2, 1), (3, null), (4, null), (5, null);
insert into orders select i, 1 + i % 2 from generate_series(1, 20) i;
insert into notes values (1, 1), (2, 3);
insert into barred values (5);`,
})

const review = (...ids: readonly number[]) => reviewOf('public.customers', ids)

async function reviewOf(table: string, ids: readonly number[]): Promise<readonly string[]> {
	const { rows } = await pageOf(connection, { table, filters: [], match: 'all', sort: [] })
	const changes = ids.map(id => {
		const { id: rowId = '', version } = rows.find(({ cells }) => cells[0] === id) ?? {}
		return { kind: 'delete', rowId, ...(version !== undefined && { version }) } as const
	})
	return connection.previewChanges(table, changes, call())
}

test('what cascades delete and change is counted, and nothing has changed', async () => {
	const [one, other] = await review(4, 1)
	expect(one).not.toContain('--')
	expect(other).toMatch(
		/\n-- This also deletes 1 row of public\.customers and 20 rows of public\.orders; changes 1 row of public\.notes\. Undo does not bring that back\.$/,
	)
	expect(await review(3)).toEqual([expect.stringContaining('-- This also changes 1 row of public.notes.')])
	expect(await review(4)).toEqual([expect.not.stringContaining('--')])
	expect(await server.sql('select count(*)::int as n from orders')).toEqual([{ n: 20 }])
})

test('a deletion that cannot be tried says that other rows may go with it', async () => {
	for (const [table, id] of [
		['public.customers', 5],
		['public.areas', 1],
	] as const)
		expect(await reviewOf(table, [id])).toEqual([
			expect.stringMatching(/-- Rows of .+ refer to these rows\. What goes with them could not be tried/),
		])
})
