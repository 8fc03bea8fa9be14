import { expect, test } from 'vitest'
import { testedBinaries } from '../servers/binaries.ts'
import { startServer } from '../servers/server.ts'
import { call, open, statement } from '../test/fixture.ts'

/** The server computes constants in the expressions of an index when it makes one, whatever label a function has. */
const schema = `
create table log (what text);
create function act() returns int language plpgsql as $$begin insert into public.log values ('ran'); return 1; end$$;
create function spend(int) returns int language plpgsql immutable as $$begin return public.act(); end$$;
create table hostile (id int);
create index on hostile (id) where spend(1) = 1;
create table parted (id int) partition by range (id);
create index on parted ((spend(1) + id));
create table plain (id int primary key, name text default upper('a'));
create domain small as int;
create table kept (v small);
insert into kept values (1);
alter domain small add constraint fresh check (spend(value) = 1) not valid;
create foreign data wrapper far;
create server far foreign data wrapper far;
create table parent (id int) partition by list (id);
create table other (id int) partition by list (id);`

const binaries = await testedBinaries()

test('a new table that copies the indexes of another one counts as what they run', async () => {
	await using server = await startServer({ schema, ...(binaries && { binaries }) })
	await using connection = await open(server.settings, { costLimitRows: () => 1_000_000 })
	const acts = async (text: string) => {
		await server.sql('truncate log')
		await server.sql(`begin; ${text}; commit`)
		return (await server.sql('select from log')).length > 0
	}
	const reasonFor = async (text: string) => {
		const assessed = await connection.console.assess(await statement(connection, text), call(), { rehearses: true })
		return assessed.unrehearsed
	}
	for (const text of [
		'create table a (like hostile including all)',
		'create table b (other int, like hostile including indexes)',
		'create table c partition of parted for values from (1) to (2)',
		'create table d (id int) partition by range ((id + spend(1)))',
		'create table e (id int, exclude using btree ((id + spend(1)) with =))',
		'create foreign table k partition of other for values in (spend(1)) server far',
		'create schema f create table f (like public.hostile including all)',
	]) {
		expect(await reasonFor(text), text).toContain('spend')
		expect(await acts(text), text).toBe(true)
	}
	for (const text of [
		'alter domain small validate constraint fresh',
		'alter domain small add check (spend(value) = 1)',
	]) {
		expect(await reasonFor(text), text).toContain('It runs the checks of the domain')
		expect(await acts(text), text).toBe(true)
	}
	for (const text of [
		'create table g (like plain including all)',
		'create table h partition of parent for values in (1)',
		'create table i (id int default spend(1), check (spend(1) = 1))',
		'create table j (id int) inherits (plain)',
		'alter domain small set default 1',
	]) {
		expect(await reasonFor(text), text).toBeUndefined()
		expect(await acts(text), text).toBe(false)
	}
})
