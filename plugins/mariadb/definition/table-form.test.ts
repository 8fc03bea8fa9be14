import { expect, test } from 'vitest'
import { hasServer } from '../servers/server.ts'
import { call, connectedForFile, run } from '../test/connection.ts'

const { connection, server } = await connectedForFile({
	schema: `
	create table orders (
		id int unsigned not null auto_increment primary key,
		kind enum('a','it''s, b') default 'a',
		note varchar(20) character set latin1 default 'x''y' comment 'what
people said',
		total decimal(10,2) not null default 0 check (total >= 0),
		doubled decimal(12,2) as (total * 2) stored,
		extra json,
		at timestamp not null default current_timestamp() on update current_timestamp(),
		key (note(5)), fulltext key said (note));
	insert into orders (note) values ('x'), (null), ('y');
	create view seen as select 1 as one;`,
})
const formOf = (table: string) => connection.readTableForm({ table }, call())

test.skipIf(!hasServer)('a form shows columns and keys, and keeps what it does not show', async () => {
	const { definition, untouched } = await formOf('shop.orders')
	expect(definition.columns).toEqual([
		{ id: 'id', name: 'id', type: 'int unsigned', isNotNull: true, default: 'auto_increment' },
		{ id: 'kind', name: 'kind', type: "enum('a','it''s, b')", isNotNull: false, default: "'a'" },
		{
			id: 'note',
			name: 'note',
			type: 'varchar(20)',
			isNotNull: false,
			default: "'x''y'",
			comment: 'what\npeople said',
			attributes: 'CHARACTER SET latin1 COLLATE latin1_swedish_ci',
		},
		{
			id: 'total',
			name: 'total',
			type: 'decimal(10,2)',
			isNotNull: true,
			default: '0.00',
			attributes: 'CHECK (`total` >= 0)',
		},
		{ id: 'doubled', name: 'doubled', type: 'decimal(12,2)', isNotNull: false, default: 'as (`total` * 2) stored' },
		{ id: 'extra', name: 'extra', type: 'json', isNotNull: false },
		{
			id: 'at',
			name: 'at',
			type: 'timestamp',
			isNotNull: true,
			default: 'current_timestamp()',
			attributes: 'ON UPDATE current_timestamp()',
		},
	])
	expect(definition.indexes.map(({ name, method }) => `${name} ${method}`)).toEqual(['said fulltext'])
	expect(untouched).toEqual(['btree index note (note(5))'])
})

test.skipIf(!hasServer)('a changed column keeps its attributes in the server', async () => {
	const { definition: before } = await formOf('shop.orders')
	const columns = before.columns.map(column => ({ ...column, comment: `about ${column.name}` }))
	for (const text of await connection.tableStatements({ before, after: { ...before, columns } }))
		await run(connection, text)
	expect((await formOf('shop.orders')).definition).toEqual({ ...before, columns })
})

test.skipIf(!hasServer)('a change is not tried, and its losses are counted', async () => {
	const { definition: before } = await formOf('shop.orders')
	const after = { ...before, columns: before.columns.filter(({ name }) => name !== 'note'), indexes: [] }
	expect(await connection.tryTableChange({ before, after }, call())).toEqual({
		untried: 'The server commits a change of a table at once, so it was not tried.',
		facts: [{ name: 'Values lost with note', value: '2', state: 'bad' }],
	})
	expect(await server.sql('select count(note) as count from orders', 'shop')).toEqual([{ count: 2 }])
})

test.skipIf(!hasServer)('a view has no form, and a new table is made in the database that the user chose', async () => {
	await expect(formOf('shop.seen')).rejects.toThrow('this is none')
	const { definition } = await connection.readTableForm({ path: ['other'] }, call())
	const after = { ...definition, name: 'fresh', columns: [{ id: '1', name: 'id', type: 'int', isNotNull: true }] }
	expect((await connection.tableStatements({ after }))[0]).toContain('create table other.fresh (')
})
