import { describe, expect, test } from 'vitest'
import { hasServer } from '../servers/server.ts'
import { open, openForFile, rowsOf, signal } from '../test/fixture.ts'
import { listDatabases } from './databases.ts'
import { columnIn, from, gridColumn, printed, readShape, readSignature } from './shape.ts'
import { columnsNamed, listTables } from './tables.ts'
import { resultColumns } from './types.ts'

const { server, session } = await openForFile({
	schema: `
	create table customers (id bigint unsigned not null auto_increment primary key, name varchar(50) not null comment 'Full name', email varchar(80) character set utf8mb4 collate utf8mb4_bin,
		state enum('new', 'it''s') not null default 'new', parts set('a', 'b'), doc json, total decimal(10,2) default 0.00, ratio float, upper_name varchar(50) as (upper(name)) virtual,
		changed timestamp(3) not null default current_timestamp(3) on update current_timestamp(3), day date, place point, hidden int invisible, unique key (email), key (name(5), state)) comment 'People';
	create table orders (id int primary key, customer bigint unsigned not null, parent int, constraint c foreign key (customer) references customers (id) on delete cascade,
		constraint p foreign key (parent) references orders (id));
	create table pairs (a int not null, b int not null, c int, unique key (c), unique key (a, b));
	create table plain (id int, long_text longtext) engine = MyISAM;
	create view seen as select id from customers;
	create view counted as select count(*) as n from customers;
	create sequence numbers;
	create trigger before_order before insert on orders for each row set new.parent = null;
	insert into customers (name, ratio) values ('Ada', 1.23456789);
	create database \`logged\`;
	create table logged.logs (id int primary key, at datetime(6) not null, message text, key (at));
	create table logged.slow_logs (id int primary key, at datetime(6) not null, message text);
	create table logged.loose_logs (id int primary key, at datetime(6), message text, key (at));
	create table logged.visits (id int primary key, at timestamp not null, page text, key (at));
	create database \`other-shop\`;
	create table \`other-shop\`.t (id int);`,
})

describe.skipIf(!hasServer)('the catalog', () => {
	test('lists databases, those of the server last', async () => {
		expect(await listDatabases(session, signal)).toEqual([
			'logged',
			'other-shop',
			'shop',
			'information_schema',
			'mysql',
			'performance_schema',
			'sys',
		])
	})

	test('lists tables of all databases or of one', async () => {
		const all = await listTables(session, undefined, signal)
		expect(all.map(({ name, kind }) => [name, kind])).toEqual([
			['logged.logs', undefined],
			['logged.loose_logs', undefined],
			['logged.slow_logs', undefined],
			['logged.visits', undefined],
			['`other-shop`.t', undefined],
			['shop.counted', 'view'],
			['shop.customers', undefined],
			['shop.numbers', 'sequence'],
			['shop.orders', undefined],
			['shop.pairs', undefined],
			['shop.plain', undefined],
			['shop.seen', 'view'],
		])
		expect((await listTables(session, 'other-shop', signal)).map(({ title, path }) => [title, path])).toEqual([
			['t', ['other-shop']],
		])
		const cannot = (name: string) => Object.keys(all.find(one => one.name === name)?.cannot ?? {})
		expect(cannot('shop.seen')).toEqual(['update', 'delete'])
		expect(cannot('shop.counted')).toEqual(['update', 'delete', 'insert'])
		expect(cannot('shop.numbers')).toHaveLength(3)
		expect(all.find(({ name }) => name === 'shop.plain')).toMatchObject({ isRowCountEstimated: false, rowCount: 0 })
	})

	test('a log opens newest first where an index has that order', async () => {
		const sorted = (await listTables(session, undefined, signal)).filter(({ sort }) => sort !== undefined)
		expect(sorted.map(({ name, sort }) => [name, sort])).toEqual([
			['logged.logs', [{ column: 'at', direction: 'desc' }]],
		])
	})

	test('reads the shape of a table', async () => {
		const shape = await readShape(session, { database: 'shop', table: 'customers' }, signal)
		expect(shape).toMatchObject({
			key: ['id'],
			engine: 'InnoDB',
			isTransactional: true,
			hasTriggers: false,
			comment: 'People',
			indexes: ['unique btree (email)', 'btree (name(5), state)'],
			referrers: [{ columns: ['id'], table: 'shop.orders', to: ['customer'], onDelete: 'cascade' }],
			cascadesTo: ['shop.orders'],
		})
		const column = (name: string) => columnIn(shape, name)
		expect(column('id')).toMatchObject({
			kind: 'number',
			isUnsigned: true,
			generated: 'default',
			isKey: true,
			type: 'bigint(20) unsigned',
		})
		expect(column('id').isRequired).toBeUndefined()
		expect(column('name')).toMatchObject({ isRequired: true, note: 'Full name' })
		expect(column('email').collation).toBe('utf8mb4_bin')
		expect(column('state')).toMatchObject({ choices: ['new', "it's"], default: "'new'" })
		expect(column('parts').note).toBe('Any of a, b, with commas.')
		expect(column('doc')).toMatchObject({ kind: 'json', type: 'json', base: 'json' })
		expect(column('total')).toMatchObject({ type: 'decimal(10,2)', default: '0.00' })
		expect(column('upper_name')).toMatchObject({ generated: 'always', isReadOnly: true, isComputed: true })
		expect(column('changed')).toMatchObject({ zone: 'UTC', note: 'Set on update current_timestamp(3).' })
		expect(column('day')).toMatchObject({ zone: 'none' })
		expect(column('day').default).toBeUndefined()
		expect(column('place')).toMatchObject({ kind: 'other', isSortable: false })
		expect(column('hidden').isInvisible).toBe(true)
		expect(Object.keys(gridColumn(column('id')))).not.toContain('base')
		expect(() => columnIn(shape, 'nonesuch')).toThrow('has no column nonesuch')
	})

	test('reads all digits of a FLOAT', async () => {
		const shape = await readShape(session, { database: 'shop', table: 'customers' }, signal)
		const value = printed(columnIn(shape, 'ratio'))
		expect(await rowsOf(session, `select ${value} from ${from(shape)}`)).toEqual([['1.2345678806304932']])
		expect(await rowsOf(session, `select 1 from ${from(shape)} where ratio = 1.2345678806304932`)).toHaveLength(1)
	})

	test('finds a key without NULL, or none', async () => {
		const shapes = ['pairs', 'plain', 'orders', 'seen'].map(table =>
			readShape(session, { database: 'shop', table }, signal),
		)
		const [pairs, plain, orders, seen] = await Promise.all(shapes)
		expect(pairs?.key).toEqual(['a', 'b'])
		expect(plain).toMatchObject({ key: [], isTransactional: false })
		expect(orders).toMatchObject({
			hasTriggers: true,
			references: [
				{ columns: ['customer'], table: 'shop.customers', to: ['id'] },
				{ columns: ['parent'], table: 'shop.orders', to: ['id'] },
			],
			referrers: [{ columns: ['id'], table: 'shop.orders', to: ['parent'], onDelete: 'restrict' }],
			cascadesTo: [],
		})
		expect(seen).toMatchObject({ kind: 'view', key: [], comment: undefined })
	})

	test('says that there is no table', async () => {
		const reading = readShape(session, { database: 'shop', table: 'nonesuch' }, signal)
		await expect(reading).rejects.toMatchObject({ code: 'not_found', message: 'There is no table shop.nonesuch.' })
	})

	test('sees that a table has changed', async () => {
		const place = { database: 'other-shop', table: 't' }
		const { signature } = await readShape(session, place, signal)
		expect(await readSignature(session, place, signal)).toBe(signature)
		await server.sql('alter table `other-shop`.t add a int')
		expect(await readSignature(session, place, signal)).not.toBe(signature)
	})

	test('finds columns by a part of their name', async () => {
		const found = await columnsNamed(session, { text: 'STOM', database: undefined }, signal)
		expect(found).toEqual([{ table: 'shop.orders', name: 'customer', type: 'bigint(20) unsigned' }])
	})

	test('shows what a role may read and change', async () => {
		await server.sql(
			"create user reader@'127.0.0.1' identified by 'r'; grant select (id, name), update (name) on shop.customers to reader@'127.0.0.1'",
		)
		using reader = await open({ ...server.settings, username: 'reader', password: 'r' })
		const { columns } = await readShape(reader, { database: 'shop', table: 'customers' }, signal)
		expect(columns.map(({ name, isReadOnly }) => [name, isReadOnly])).toEqual([
			['id', true],
			['name', false],
		])
	})

	test('names the types of a result', async () => {
		const sql = `select id, name, email, state, parts, doc, total, ratio, changed, day, place, x'00' as bytes, cast('1' as char) as name,
			cast('::1' as inet6) as address, bit_count(1) as n from customers`
		const { fields } = await session.read({ sql }, signal)
		expect(resultColumns(fields).map(({ name, type, kind }) => `${name}: ${type}, ${kind}`)).toEqual([
			'id: bigint unsigned, number',
			'name: varchar, text',
			'email: varchar, text',
			'state: enum, text',
			'parts: set, text',
			'doc: json, json',
			'total: decimal, number',
			'ratio: float, number',
			'changed: timestamp, date',
			'day: date, date',
			'place: point, other',
			'bytes: varbinary, binary',
			'name (2): varchar, text',
			'address: inet6, text',
			'n: int, number',
		])
	})
})
