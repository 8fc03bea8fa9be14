import { expect, test } from 'vitest'
import { call, open, openForFile } from '../test/fixture.ts'

const { connection, server } = await openForFile({
	schema: `
	create schema shop;
	create table shop.orders (id bigint generated always as identity primary key, total numeric(10,2) default 0, legacy_no text,
		doubled numeric generated always as (total * 2) stored, name text collate "C", check (total >= 0));
	insert into shop.orders (legacy_no) select case when n % 2 = 0 then 'x' end from generate_series(1, 10) n;
	create index on shop.orders (lower(name));
	create unique index on shop.orders (name) where total > 0;
	create view shop.seen as select 1 as one;
	create table shop.parted (id int) partition by list (id);
	create table shop.part partition of shop.parted for values in (1);`,
})

const formOf = (table: string) => connection.readTableForm({ table }, call())

test('a form shows columns and keys, and lists what it leaves as it is', async () => {
	const { definition, untouched } = await formOf('shop.orders')
	expect(definition.columns).toMatchObject([
		{ name: 'id', type: 'bigint', isNotNull: true, default: 'identity always' },
		{ name: 'total', type: 'numeric(10,2)', default: '0' },
		{ name: 'legacy_no', type: 'text' },
		{ name: 'doubled', default: 'as (total * 2::numeric) stored' },
		{ name: 'name', attributes: 'collate "C"' },
	])
	expect(definition.keys.map(({ kind }) => kind)).toEqual(['primary', 'check'])
	expect(definition.indexes).toEqual([])
	expect(untouched).toEqual([
		'CREATE INDEX orders_lower_idx ON shop.orders USING btree (lower(name))',
		'CREATE UNIQUE INDEX orders_name_idx ON shop.orders USING btree (name) WHERE (total > (0)::numeric)',
	])
})

test('a view and a partition have no form', async () => {
	await expect(formOf('shop.seen')).rejects.toThrow('this is none')
	await expect(formOf('shop.part')).rejects.toThrow('Open the form of that table')
	await expect(formOf('shop.none')).rejects.toThrow('There is no table shop.none.')
})

test('a new table is made where the user stands', async () => {
	const { definition } = await connection.readTableForm({ path: ['shop'] }, call())
	const column = { id: '1', name: 'id', type: 'bigint', isNotNull: true }
	const after = { ...definition, name: 'fresh', columns: [column] }
	expect((await connection.tableStatements({ after }))[0]).toContain('create table shop.fresh (')
})

test('a form of another database says where its statements run', async () => {
	await server.sql('create database other')
	await using all = await open({ ...server.settings, allDatabases: true })
	const { definition, database } = await all.readTableForm({ path: ['other'] }, call())
	expect([definition.path, database]).toEqual([['other', 'public'], 'other'])
	const after = { ...definition, name: 'fresh', columns: [{ id: '1', name: 'id', type: 'bigint', isNotNull: true }] }
	const console = all.consoleOf({ database: 'other' })
	for (const text of await all.tableStatements({ after })) {
		const [verdict] = await console.analyse(text, call())
		if (verdict) await console.run({ ...verdict, text }, { maxRows: 1 }, call())
	}
	const made = await all.readTableForm({ table: 'other.public.fresh' }, call())
	expect([made.definition.path, made.definition.columns.map(({ name }) => name), made.database]).toEqual([
		['other', 'public'],
		['id'],
		'other',
	])
	const changed = { ...made.definition, comment: 'new' }
	expect(await all.tryTableChange({ before: made.definition, after: changed }, call())).toMatchObject({
		facts: [{ value: '0' }],
	})
})

test('a try of a change that fails says why, and what would be lost', async () => {
	const { definition: before } = await formOf('shop.orders')
	const columns = before.columns.flatMap(column => {
		if (column.name === 'legacy_no') return []
		return [column.name === 'id' ? { ...column, type: 'uuid', default: 'gen_random_uuid()' } : column]
	})
	const { facts, tookMs, fault } = await connection.tryTableChange({ before, after: { ...before, columns } }, call())
	expect(fault).toContain('cannot cast type bigint to uuid')
	expect(tookMs).toBeUndefined()
	expect(facts).toEqual([{ name: 'Values lost with legacy_no', value: '5', state: 'bad' }])
})

test('a try of a change that works tells how long it took, and leaves the table as it was', async () => {
	const { definition: before } = await formOf('shop.orders')
	const columns = before.columns.map(column => (column.name === 'id' ? { ...column, type: 'integer' } : column))
	await server.sql('analyze shop.orders')
	const { facts, tookMs } = await connection.tryTableChange({ before, after: { ...before, columns } }, call())
	expect(tookMs).toBeTypeOf('number')
	expect(facts).toEqual([{ name: 'Rows rewritten, about', value: '10' }])
	expect((await formOf('shop.orders')).definition).toEqual(before)
})
