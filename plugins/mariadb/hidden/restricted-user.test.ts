import { describe, expect, test } from 'vitest'
import { hasServer } from '../servers/server.ts'
import { open, openForFile, rowsOf, signal } from '../test/fixture.ts'
import { userSql } from './restricted-user.ts'

const { server, session } = await openForFile({
	schema: `
	create table people (id int primary key, name varchar(50), email varchar(50), key (email), host varchar(50) as (substring_index(email, '@', -1)) stored);
	create table claims (id int primary key, mail varchar(50), sum int, foreign key (mail) references people (email));
	create table goods (id int primary key, name varchar(50));
	create view contacts as select id, email from people;
	insert into people (id, name, email) values (1, 'Ann', 'ann@example.org');
	insert into claims values (1, 'ann@example.org', 3);
	insert into goods values (1, 'Good')`,
})

describe.skipIf(!hasServer)('the prepared user', () => {
	test('reads free columns, and the server refuses it the hidden ones', async () => {
		const hidden = [{ table: 'shop.people', columns: ['email'] }]
		const text = await userSql(session, { hidden, main: 'shop' }, signal)
		expect(text).toContain('grant select (`id`, `name`) on shop.people')
		expect(text).toContain('grant select (`id`, `sum`) on shop.claims')
		expect(text).toContain('grant select on shop.goods')
		expect(text).toContain('-- Left out: the view shop.contacts')
		await server.sql(text.replace('choose a password', 'correct horse'), 'shop')
		using user = await open({ ...server.settings, username: 'roundhouse_ai', password: 'correct horse' })
		for (const sql of ['select id, name from people', 'select sum from claims', 'select * from goods'])
			expect(await rowsOf(user, sql)).toHaveLength(1)
		for (const sql of [
			'select email from people',
			'select host from people',
			'select * from people',
			'select mail from claims',
			'select * from contacts',
		])
			await expect(rowsOf(user, sql)).rejects.toThrow(/denied/)
	})
})
