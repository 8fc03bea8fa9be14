import { expect, test } from 'vitest'
import { verdictOf } from './verdict.ts'

test.each<readonly [string, ...(readonly string[])]>([
	[
		'read',
		'select * from t',
		'show tables',
		'explain select 1',
		'with a as (select 1) select * from a',
		'table t',
		'values (1)',
	],
	[
		'write',
		'insert into t values (1)',
		'insert into t (id) values (1)',
		'insert into t set a = 1 on duplicate key update a = 2',
	],
	['write', 'update t set a = 1 where id = 1', 'select 1 into @x', 'select * from t for update', 'select @x := 1'],
	[
		'write',
		'create table t (a varchar(10), key k (a))',
		'create index i on t (a)',
		'create view v as select f()',
		'create database d',
	],
	['write', 'create table t as select 1', 'create procedure p() delete from t', 'alter table t add a int, add key (a)'],
	[
		'write',
		'begin',
		'start transaction',
		'commit',
		'rollback',
		'savepoint a',
		'set names utf8mb4',
		'set @x = 1',
		'use shop',
	],
	[
		'write',
		'analyze table t',
		'optimize table t',
		'do 1',
		'lock tables t read',
		'explain analyze update t set a = 1 where id = 1',
	],
	[
		'destructive',
		'delete from t',
		'delete from t where id = 1',
		'update t set a = 1',
		'replace into t values (1)',
		'truncate t',
	],
	[
		'destructive',
		'update t set a = (select 1 from u where id = 1)',
		'with c as (select 1) delete from t',
		'drop table t',
		'drop view v',
	],
	[
		'destructive',
		'alter table t drop a',
		'alter table t add a int, drop b',
		'rename table t to u',
		'call p()',
		'select f()',
	],
	[
		'destructive',
		'insert into t values (f())',
		'insert into f (a) values (f())',
		'update t set a = f() where id = 1',
		'set @x = f()',
	],
	[
		'destructive',
		'create or replace view v as select 1',
		'create trigger a before insert on t for each row set new.a = 1',
	],
	[
		'destructive',
		'create table t as select f()',
		'create user u',
		'grant all on *.* to u',
		"set password = 'x'",
		'set global a = 1',
	],
	[
		'destructive',
		'set @@global.a = 1',
		'kill 5',
		"load data infile 'x' into table t",
		"select 1 into outfile 'x'",
		'nonsense',
		'',
	],
	[
		'destructive',
		'select 1 /*! , f() */',
		"execute immediate 'select 1'",
		'begin not atomic select 1; end',
		'analyze delete from t',
	],
	[
		'destructive',
		'flush tables',
		'reset master',
		'shutdown',
		"install soname 'x'",
		'create event e on schedule every 1 day do select 1',
	],
])('%s: %s', (access, ...statements) => {
	expect(statements.map(sql => [sql, verdictOf(sql).access])).toEqual(statements.map(sql => [sql, access]))
})

test.each([
	['drop table t', 'It destroys the table.'],
	['call p()', 'The procedure can do anything.'],
	['select f()', 'It uses f, which can do anything.'],
	['create or replace view v as select 1', 'It replaces the present definition, if there is one.'],
	["select 1 into outfile 'x'", 'It writes a file of the server.'],
	['delete from t', undefined],
])('%s has a reason', (sql, reason) => {
	expect(verdictOf(sql).reason).toBe(reason)
})

test.each([
	['call p()', true],
	['select f()', true],
	['begin not atomic select 1; end', true],
	['delete from t where f()', undefined],
	['drop table t', undefined],
	["select 1 into outfile 'x'", undefined],
	['select 1 /*! into outfile "x" */', undefined],
])('%s destroys in doubt alone: %s', (sql, isOpaque) => {
	expect(verdictOf(sql).isOpaque).toBe(isOpaque)
})

test.each([
	['delete from t where id = 1', true],
	['delete a from a join b on a.id = b.id where b.gone', true],
	["replace into t values (1, 'a')", true],
	['delete from t', undefined],
	['delete from t where id = 1 /*! or true */', undefined],
	['delete from t limit 5', undefined],
	['delete a from a join (select 1 where true) b', undefined],
	['truncate t', undefined],
	['create or replace table t (id int)', undefined],
	['create procedure p() delete from t where id = 1', undefined],
])('%s deletes selected rows alone: %s', (sql, isSelective) => {
	expect(verdictOf(sql).isSelective).toBe(isSelective)
})

test.each([
	['begin', 'begins'],
	['start transaction read only', 'begins'],
	['commit', 'commits'],
	['rollback', 'rolls_back'],
	['rollback to a', undefined],
	['begin not atomic select 1; end', undefined],
])('%s is %s for a transaction', (sql, transaction) => {
	expect(verdictOf(sql).transaction).toBe(transaction)
})

test.each([
	['create table t (a int)', true],
	['alter table t add a int', true],
	['truncate t', true],
	['begin', true],
	['grant select on t to u', true],
	['create temporary table t (a int)', false],
	['insert into t values (1)', false],
	['select 1', false],
	['set @x = 1', false],
])('%s commits open work: %s', (sql, expected) => {
	expect(verdictOf(sql).commitsOpenWork).toBe(expected)
})

test.each([
	["create user u identified by 'secret'"],
	["create user u@'%' identified via mysql_native_password using 'secret'"],
	["alter user u identified with caching_sha2_password by 'secret'"],
	["set password for u@localhost = password('secret')"],
	["set password = 'secret'"],
	["change master to master_password = 'secret'"],
	["create user 'u'@'%' identified by 'secret'"],
	["create server s foreign data wrapper mysql options (password 'secret')"],
	["grant all on *.* to u identified by password 'secret'"],
])('%s: the secret is found', sql => {
	const { secrets = [] } = verdictOf(sql)
	expect(secrets.map(({ start, end }) => sql.slice(start, end))).toEqual(["'secret'"])
})

test('what the modes of the session make of a text counts', () => {
	const modes = { ansiQuotes: false, noBackslashEscapes: false }
	const accessIn = (sql: string, more: object) => verdictOf(sql, { modes: { ...modes, ...more } }).access
	expect(accessIn('select "f"()', { ansiQuotes: true })).toBe('destructive')
	const hidden = "select '\\', f(), '\\'"
	expect(accessIn(hidden, { noBackslashEscapes: true })).toBe('destructive')
	expect(accessIn('select 1', { isForeign: true })).toBe('destructive')
	expect(accessIn('select 1', {})).toBe('read')
})

test('a long or deep text is read in linear time', () => {
	expect(verdictOf(`select ${'('.repeat(50_000)}1${')'.repeat(50_000)}`).access).toBe('read')
	expect(verdictOf(`select ${'1 + '.repeat(200_000)}1`).access).not.toBe('read')
	expect(verdictOf(`select ${'a('.repeat(20_000)}`).access).toBe('destructive')
	expect(verdictOf(`select json_table${'('.repeat(20_000)}`).access).toBe('destructive')
})
