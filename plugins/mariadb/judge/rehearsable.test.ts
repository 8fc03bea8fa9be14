import { describe, expect, test } from 'vitest'
import { hasServer } from '../servers/server.ts'
import { openForFile, rowsOf, signal } from '../test/fixture.ts'
import { unrehearsable } from './rehearsable.ts'

const { session } = await openForFile({
	schema: `
	create table t (id int primary key, a int);
	insert into t values (1, 1);
	create table parent (id int primary key);
	create table child (id int primary key, parent int, foreign key (parent) references parent (id) on delete set null);
	create table kept (id int) engine = MyISAM;
	create table watched (id int);
	create trigger w before insert on watched for each row set new.id = 1;
	create view v as select * from t;
	create function f() returns int deterministic return 1;`,
})

describe.skipIf(!hasServer)('a rehearsal', () => {
	test.each([
		'insert into t values (2, 2)',
		'insert into shop.t (id, a) values (2, 2) on duplicate key update a = 3',
		'insert into t select id + 1, a from t',
		'update t set a = 2 where id = 1',
		'delete from t',
		'replace into t values (1, 5)',
		'delete from child',
		"update t set a = length('a') where exists (select 1 from child)",
	])('of %s is possible', async sql => {
		expect(await unrehearsable(session, sql, { signal })).toBeUndefined()
	})

	test.each([
		['delete from parent', /changes rows of another table/],
		['/* insert */ delete from parent', /changes rows of another table/],
		['-- insert\n delete from parent', /changes rows of another table/],
		['insert into t select 1, 2 into outfile "x"', /stores its rows/],
		['delete from kept', /has no transactions/],
		['insert into t select * from kept', /has no transactions/],
		['insert into watched values (1)', /has triggers/],
		['update v set a = 1', /no plain table/],
		['update t set a = f()', /calls f/],
		['update t set a = nextval(s)', /a number of a sequence/],
		['truncate t', /no change of rows/],
		['drop table t', /no change of rows/],
		['select 1', /no change of rows/],
		['with c as (select 1) delete from t', /no change of rows/],
		['delete from nonesuch', /No table/],
		['delete from t /*! where f() */', /executes/],
		['update t set a = (@x := 1)', /assigns/],
		['grant all on t to u', /no change of rows/],
	])('of %s is impossible', async (sql, reason) => {
		expect(await unrehearsable(session, sql, { signal })).toMatch(reason)
	})

	test('leaves nothing', async () => {
		const count = await session.trying(signal, async run => {
			await run({ sql: 'delete from t' })
			return (await run({ sql: 'select count(*) from t' })).rows
		})
		expect(count).toEqual([['0']])
		expect(await rowsOf(session, 'select * from t')).toEqual([['1', '1']])
	})
})
