import { describe, expect, test } from 'vitest'
import { verdictOf } from '../judge/verdict.ts'
import { hasServer } from '../servers/server.ts'
import { open, openForFile, rowsOf, signal } from '../test/fixture.ts'
import { listObjects, readObject } from './objects.ts'
import { serverFacts } from './server-facts.ts'
import { tableFacts } from './table-facts.ts'

const { server, session } = await openForFile({
	schema: `
	create table customers (id int primary key, name varchar(50) not null comment 'Full name', key (name(10))) comment 'People';
	create table orders (id int primary key, customer int, constraint c foreign key (customer) references customers (id) on delete cascade);
	create table parted (id int, day date) partition by range (year(day)) (partition p0 values less than (2024), partition p1 values less than maxvalue);
	create table plain (id int) engine = MyISAM;
	create view seen as select id from customers;
	create function double_it(a int) returns int deterministic comment 'Twice' return a * 2;
	create procedure clean(in a int, out b int) begin select 1; end;
	create trigger before_order before insert on orders for each row set new.customer = 1;
	create event nightly on schedule every 1 day do delete from plain;
	create user reader@'127.0.0.1' identified by 'r';
	grant select on shop.customers to reader@'127.0.0.1';
	create role readers;`,
})

describe.skipIf(!hasServer)('facts', () => {
	test('about a table have its definition, columns, keys, triggers and rights', async () => {
		const sections = await tableFacts(session, { database: 'shop', table: 'orders' }, signal)
		const section = (title: string) => sections.find(section => section.title === title)
		expect(section('Overview')?.facts).toContainEqual({ name: 'Engine', value: 'InnoDB' })
		expect(section('Definition')?.code).toContain('CREATE TABLE `orders`')
		expect(section('Columns')?.list?.rows).toHaveLength(2)
		expect(section('Indexes')?.list?.rows.map(({ cells }) => cells.slice(0, 4))).toEqual([
			['PRIMARY', 'id', 'yes', 'btree'],
			['c', 'customer', '', 'btree'],
		])
		expect(section('Foreign keys')?.list?.rows.map(({ cells }) => cells)).toEqual([
			['c', 'customer', 'shop.customers', 'id', 'restrict', 'cascade'],
		])
		expect(section('Triggers')?.list?.rows[0]?.cells[1]).toBe('before insert')
		const customers = await tableFacts(session, { database: 'shop', table: 'customers' }, signal)
		expect(customers.find(({ title }) => title === 'Overview')?.notice).toBe('People')
		expect(customers.find(({ title }) => title === 'Referred to by')?.list?.rows).toHaveLength(1)
		expect(customers.find(({ title }) => title === 'Rights')?.list?.rows[0]?.cells).toEqual([
			"'reader'@'127.0.0.1'",
			'select',
			'',
		])
	})

	test('about other kinds of tables', async () => {
		const of = async (table: string) => {
			const sections = await tableFacts(session, { database: 'shop', table }, signal)
			expect(sections.filter(({ notice }) => /error|Unknown/i.test(notice ?? ''))).toEqual([])
			return JSON.stringify(sections)
		}
		expect(await of('parted')).toContain('"p0"')
		expect(await of('plain')).toContain('what was changed stays')
		expect(await of('seen')).toContain('VIEW `seen`')
		const missing = tableFacts(session, { database: 'shop', table: 'nonesuch' }, signal)
		await expect(missing).rejects.toMatchObject({ code: 'not_found' })
	})

	test('about the server need no error', async () => {
		using other = await open(server.settings, { use: 'user' })
		await other.query({ sql: 'begin' }, signal)
		await other.query({ sql: 'select * from customers for update' }, signal)
		const sections = await serverFacts(session, signal)
		expect(sections.filter(({ facts, list }) => !facts && !list)).toEqual([])
		const activity = sections.find(({ title }) => title === 'Activity')?.list?.rows ?? []
		const own = activity.find(({ cells }) => cells[0] === String(other.id))
		expect(own?.actions?.map(({ label }) => label)).toEqual(['End session'])
		expect(own?.actions?.map(({ statement }) => verdictOf(statement).access)).toEqual(['destructive'])
		expect(JSON.stringify(sections)).not.toMatch(/IDENTIFIED BY/)
	})

	test('a statement of another session can be cancelled', async () => {
		using other = await open(server.settings, { use: 'user' })
		const running = other.query({ sql: 'select sleep(100) /* slow */' }, signal).catch(error => error)
		const cancel = async () => {
			const sections = await serverFacts(session, signal)
			const rows = sections.find(({ title }) => title === 'Activity')?.list?.rows ?? []
			return rows
				.find(({ cells }) => cells[7]?.includes('slow'))
				?.actions?.find(({ label }) => label === 'Cancel statement')
		}
		await expect.poll(cancel).toBeDefined()
		const statement = (await cancel())?.statement ?? ''
		await session.query({ sql: statement }, signal)
		expect(await running).toMatchObject({ code: 'query_failed', engineCode: '1317' })
	})

	test('list objects, and read each', async () => {
		const objects = await listObjects(session, undefined, signal)
		const names = objects.map(({ name }) => name)
		expect(names).toEqual(
			expect.arrayContaining([
				'function shop.double_it',
				'procedure shop.clean',
				'trigger shop.before_order',
				'event shop.nightly',
				'user `reader`@`127.0.0.1`',
				'role `readers`',
			]),
		)
		// An account of a host name is none for a server that looks up no names.
		for (const name of names.filter(name => !/^user `(?:root|mariadb\.sys|)`@/.test(name))) {
			const sections = await readObject(session, name, signal)
			expect([name, sections.at(-1)?.code]).toEqual([name, expect.any(String)])
			expect(JSON.stringify(sections)).not.toMatch(/IDENTIFIED/)
		}
		const [about, definition] = await readObject(session, 'function shop.double_it', signal)
		expect(about).toMatchObject({
			notice: 'Twice',
			facts: expect.arrayContaining([{ name: 'Parameters', value: 'in a int(11)' }]),
		})
		expect(definition?.code).toContain('RETURNS int')
		for (const name of ['function shop.nonesuch', 'nonsense', 'user x', 'table shop.orders'])
			await expect(readObject(session, name, signal)).rejects.toMatchObject({ code: 'not_found' })
	})

	test('of a role without rights say what it may not see', async () => {
		using reader = await open({ ...server.settings, username: 'reader', password: 'r' })
		expect(await listObjects(reader, undefined, signal)).toEqual([])
		const sections = await serverFacts(reader, signal)
		expect(sections.find(({ title }) => title === 'Open transactions')?.notice).toMatch(/PROCESS/)
		expect(await rowsOf(reader, 'select 1')).toEqual([['1']])
	})
})
