import { expect, test } from 'vitest'
import { shop } from '../servers/schema.ts'
import { call, openForFile, run } from '../test/fixture.ts'

const { connection } = await openForFile({
	schema: `${shop}
	create table "odd ""name" (id int);
	create view seen as select 1 as one;
	create materialized view kept as select 1 as one;
	create table parted (id int, day date) partition by range (day);
	create table parted_1 partition of parted for values from ('2024-01-01') to ('2025-01-01');`,
})

const names = ['public."odd ""name"', 'public.seen', 'public.kept', 'public.parted', 'public.parted_1']
const parse = (text: string) => connection.console.analyse(text, call())

test('every draft is SQL that the console can classify', async () => {
	const drafts = (await Promise.all([[], ...names.map(name => [name])].map(of => connection.tableActions(of, call()))))
		.flat()
		.filter(({ isDraft }) => isDraft)
	expect(drafts.length).toBeGreaterThan(10)
	for (const { text } of drafts)
		for (const { access, fault } of await parse(text)) expect(fault ?? access, text).toBeTypeOf('string')
})

test('the server runs every action on a selection that contains all kinds of tables and views', async () => {
	const actions = await connection.tableActions(names, call())
	expect(actions.map(({ label }) => label)).toEqual([
		'Refresh',
		'Analyze 4 tables',
		'Vacuum 4 tables',
		'Empty 3 tables',
		'Drop 5 tables',
	])
	for (const { text } of actions)
		for (const { start, end } of await parse(text)) await run(connection, text.slice(start, end))
	const left = (await connection.listTables(call())).map(({ name }) => name)
	expect(left.filter(name => names.includes(name))).toEqual([])
})

test('a table of another database has no actions, because the console is not connected to that database', async () => {
	expect(await connection.tableActions(['other.public.t'], call())).toEqual([])
})
