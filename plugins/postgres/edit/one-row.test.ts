import type { Change, Row } from '@roundhouse/kit'
import { decode } from '@roundhouse/kit'
import { beforeEach, expect, test } from 'vitest'
import { call, everything, openForFile, pageOf } from '../test/fixture.ts'

/** A change of one row changes exactly that row, or nothing. */

const { server, connection } = await openForFile({
	// A damaged index would hide the twin that it does not have.
	settings: { enable_indexscan: 'off', enable_indexonlyscan: 'off', enable_bitmapscan: 'off' },
	schema: `
	create table parents (id int primary key, v text);
	create table children (extra text) inherits (parents);
	create table keyless (a int);
	create table parts (id int, day date, v text, primary key (id, day)) partition by range (day);
	create table parts_2024 partition of parts for values from ('2024-01-01') to ('2025-01-01');
	create table parts_2025 partition of parts for values from ('2025-01-01') to ('2026-01-01');
	create table keyless_parts (a int) partition by list (a);
	create table keyless_parts_1 partition of keyless_parts for values in (1);
	create table kept (id int primary key, v text);
	create function keep() returns trigger language plpgsql as 'begin return null; end';
	create trigger keeps before update or delete on kept for each row execute function keep();
	insert into kept values (1, 'a');`,
})

beforeEach(() =>
	server.sql(`
	truncate parents, keyless, parts, keyless_parts;
	begin;
	insert into parents values (1, 'parent');
	insert into children values (1, 'child', 'x');
	commit;
	insert into keyless select n from generate_series(1, 3) n;
	insert into parts values (1, '2024-02-29', 'old');`),
)

const apply = (table: string, changes: readonly Change[]) => connection.applyChanges(table, changes, call())
const rowsOf = async (table: string): Promise<readonly Row[]> => (await pageOf(connection, everything(table))).rows
const nameIn = (row: Row | undefined) => row?.cells[1]
const identity = ({ id, version }: Row) => ({ rowId: id, ...(version !== undefined && { version }) })

test.each(['parent', 'child'])('a change of the %s of two rows with one key changes that row alone', async name => {
	const row = (await rowsOf('public.parents')).find(row => nameIn(row) === name)
	if (!row) throw new Error('no row')
	expect(nameIn({ ...row, cells: Object.values(await documentOf('public.parents', row.id)) })).toBe(name)
	const [updated] = await apply('public.parents', [{ kind: 'update', ...identity(row), set: { v: 'new' } }])
	expect(updated).toMatchObject({ status: 'applied', values: { v: 'new' } })
	const left = name === 'parent' ? 'child' : 'parent'
	expect(await server.sql('select v from parents order by v')).toEqual(
		[{ v: left }, { v: 'new' }].sort((a, b) => (a.v < b.v ? -1 : 1)),
	)
	const changed = (await rowsOf('public.parents')).find(row => nameIn(row) === 'new')
	if (!changed) throw new Error('no row')
	await apply('public.parents', [{ kind: 'delete', ...identity(changed) }])
	expect(await server.sql('select v from parents')).toEqual([{ v: left }])
})

async function documentOf(table: string, id: string): Promise<Readonly<Record<string, string>>> {
	const { raw, ...row } = decode(await connection.readRow(table, id, call()))
	// A child's row could not be made again by an insert into its parent.
	expect(row.insertAgain).toBeUndefined()
	return JSON.parse(Buffer.from(raw).toString())
}

test('a change of a child without the key of its parent changes that row alone, also if another has its key', async () => {
	await server.sql(`insert into children values (1, 'twin', 'y'), (1, 'other', 'z')`)
	const row = (await rowsOf('public.parents')).find(row => nameIn(row) === 'twin')
	if (!row) throw new Error('no row')
	expect(await apply('public.parents', [{ kind: 'delete', ...identity(row) }])).toEqual([{ status: 'applied' }])
	expect(await server.sql('select v from parents order by v')).toEqual([
		{ v: 'child' },
		{ v: 'other' },
		{ v: 'parent' },
	])
})

test('an inserted row of a table with children has an id that names it', async () => {
	const [outcome] = await apply('public.parents', [{ kind: 'insert', values: { id: 2, v: 'second' } }])
	const row = (await rowsOf('public.parents')).find(row => nameIn(row) === 'second')
	expect(outcome).toMatchObject({ status: 'applied', rowId: row?.id, version: row?.version })
})

test('a row that is known by its place is not changed without its version, also if the place was reused', async () => {
	const [first] = await rowsOf('public.keyless')
	if (!first) throw new Error('no row')
	await server.sql('delete from keyless where a = 1')
	await server.sql('vacuum keyless')
	await server.sql('insert into keyless values (77)')
	expect((await rowsOf('public.keyless')).find(({ id }) => id === first.id)?.cells).toEqual([77])
	for (const change of [
		{ kind: 'delete', rowId: first.id },
		{ kind: 'update', rowId: first.id, set: { a: 5 } },
	] as const) {
		const refusal = { code: 'invalid_argument', message: expect.stringContaining('version') }
		await expect(connection.previewChanges('public.keyless', [change], call())).rejects.toMatchObject(refusal)
		expect(await apply('public.keyless', [change])).toMatchObject([{ status: 'failed' }])
		const [late] = await apply('public.keyless', [{ ...change, version: first.version ?? '' }])
		expect(late).toMatchObject({ status: 'conflict' })
	}
	expect(await server.sql('select a from keyless order by a')).toEqual([{ a: 2 }, { a: 3 }, { a: 77 }])
})

test('a unique index with another equality than its column is no key', async () => {
	// The test server of old versions may be built without ICU.
	const [icu] = await server.sql("select 1 from pg_collation where collprovider = 'i' limit 1")
	if (!icu) return
	await server.sql(`
		create collation loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
		create table names (name text collate loose not null);
		create unique index on names (name collate "C");
		insert into names values ('a'), ('A'), ('b');`)
	const rows = await rowsOf('public.names')
	expect(new Set(rows.map(({ id }) => id)).size).toBe(3)
	const grid = await connection.openGrid(everything('public.names'), call())
	const paged: unknown[] = []
	for (const offset of [0, 1, 2]) {
		const page = decode(await grid.page({ offset, limit: 1 }, call()))
		paged.push(page.rows[0]?.cells[0])
	}
	await grid.close()
	expect(paged.toSorted()).toEqual(['A', 'a', 'b'])
	const lower = rows.find(({ cells }) => cells[0] === 'a')
	if (!lower) throw new Error('no row')
	expect(await apply('public.names', [{ kind: 'delete', ...identity(lower) }])).toMatchObject([{ status: 'applied' }])
	expect(await server.sql('select name from names order by name')).toEqual([{ name: 'A' }, { name: 'b' }])
})

test('a change that would change several rows is rolled back, and says so', async () => {
	await server.sql('create table once (id int, v text); create unique index unique_once on once (id)')
	await server.sql("alter table once alter id set not null; insert into once values (1, 'a')")
	const [row] = await rowsOf('public.once')
	if (!row) throw new Error('no row')
	// A damaged index, as after an update of the operating system's collations.
	await server.sql(`update pg_index set indisready = false where indexrelid = 'unique_once'::regclass`)
	await server.sql("insert into once values (1, 'twin')")
	await server.sql(`update pg_index set indisready = true where indexrelid = 'unique_once'::regclass`)
	const outcome = await apply('public.once', [{ kind: 'delete', rowId: row.id }])
	expect(outcome).toMatchObject([
		{ status: 'failed', message: expect.stringMatching(/^The change would have reached 2 rows/) },
	])
	expect(await server.sql('select v from once order by v')).toEqual([{ v: 'a' }, { v: 'twin' }])
})

test('a partitioned table takes new rows, and rows that move to another partition', async () => {
	const [inserted] = await apply('public.parts', [{ kind: 'insert', values: { id: 2, day: '2025-01-01', v: 'new' } }])
	const rows = await rowsOf('public.parts')
	const added = rows.find(({ cells }) => cells[2] === 'new')
	expect(inserted).toMatchObject({ status: 'applied', rowId: added?.id, version: added?.version })
	const old = rows.find(({ cells }) => cells[2] === 'old')
	if (!old) throw new Error('no row')
	const set = { day: '2025-06-01' }
	const [moved] = await apply('public.parts', [{ kind: 'update', ...identity(old), set }])
	const after = (await rowsOf('public.parts')).find(({ cells }) => cells[2] === 'old')
	expect(moved).toMatchObject({ status: 'applied', rowId: after?.id, version: after?.version, values: set })
	const [keyless] = await apply('public.keyless_parts', [{ kind: 'insert', values: { a: 1 } }])
	const [row] = await rowsOf('public.keyless_parts')
	expect(keyless).toMatchObject({ status: 'applied', rowId: row?.id, version: row?.version })
})

test('a change that a trigger leaves out is not called a change of another client', async () => {
	const [row] = await rowsOf('public.kept')
	if (!row) throw new Error('no row')
	for (const change of [
		{ kind: 'delete', ...identity(row) },
		{ kind: 'update', ...identity(row), set: { v: 'b' } },
	] as const)
		expect(await apply('public.kept', [change])).toMatchObject([
			{ status: 'failed', message: 'A trigger or rule of the table left the change out.' },
		])
})
