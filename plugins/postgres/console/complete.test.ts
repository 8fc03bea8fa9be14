import type { Column } from '@roundhouse/kit'
import type { CompletionCatalog } from '@roundhouse/sql'
import { expect, test } from 'vitest'
import { complete } from './complete.ts'

const column = (name: string): Column => ({
	name,
	type: 'text',
	kind: 'text',
	isKey: false,
	isReadOnly: false,
	isSortable: true,
})
const known: CompletionCatalog = {
	tables: async () => [
		{ name: 'public.orders' },
		{ name: 'public.customers' },
		{ name: 'shop."Odd name"', kind: 'view' },
	],
	columns: async table =>
		table === 'public.orders'
			? [column('id'), column('Total'), { ...column('status'), type: 'state', choices: ['new', "it's paid"] }]
			: [column('name')],
	functions: async () => [
		{ name: 'now', result: 'timestamp with time zone' },
		{ name: 'tax', result: 'numeric', schema: 'shop' },
	],
	systemTables: async () => [
		{ name: 'pg_catalog.pg_class' },
		{ name: 'information_schema.columns', kind: 'system view' },
	],
	references: async () => [
		{
			from: { schema: 'public', table: 'orders', columns: ['customer', 'Region'] },
			to: { schema: 'public', table: 'customers', columns: ['id', 'region'] },
		},
	],
}

const schemas = ['public', 'shop', 'pg_catalog', 'information_schema']

/** `|` is the cursor. */
async function at(text: string) {
	const offset = text.indexOf('|')
	const { from, options } = await complete(text.replace('|', ''), offset, known)
	return { typed: text.slice(from, offset), labels: options.map(({ label }) => label), options }
}

test('tables and schemas stand behind FROM, JOIN and a comma between tables', async () => {
	for (const text of [
		'select * from o|',
		'select * from elsewhere join o|',
		'select 1 from orders, o|',
		'insert into o|',
	]) {
		const { labels, typed } = await at(text)
		expect(typed).toBe(text.includes('o|') ? 'o' : '')
		expect(labels).toEqual(['orders', 'shop.Odd name', 'customers', ...schemas])
	}
})

test('columns of the tables of the statement stand elsewhere, with quotes where they need them', async () => {
	const { labels, options } = await at('select i| from orders o, customers; select 1 from shop.other')
	expect(labels.slice(0, 6)).toEqual(['id', 'Total', 'status', 'name', 'o', 'customers'])
	expect(options[1]?.insert).toBe('"Total"')
	expect(labels).toContain('now')
	expect(labels).toContain('from')
})

test('an alias has the columns of its table, and a schema its tables', async () => {
	expect((await at('select o.| from orders as o')).labels).toEqual(['id', 'Total', 'status'])
	expect((await at('select * from customers c where c.n|')).labels).toEqual(['name'])
	expect((await at('select * from shop.|')).options).toMatchObject([
		{ label: 'Odd name', insert: '"Odd name"' },
		{ label: 'tax', insert: 'tax()' },
	])
})

test.each([
	"select '|",
	'select 5|',
	'select 1.5|',
	'select 1 -- |',
	'select /* |',
	'select $$ |',
])('%s has nothing', async text => {
	expect((await at(text)).labels).toEqual([])
})

test('a statement begins with a keyword', async () => {
	expect((await at('|')).labels).toContain('select')
	expect((await at('select 1; s|')).labels).toContain('select')
})

test.each([
	['with a as (select id, "Total" as sum, count(*) from orders) select a.| from a', ['id', 'sum', 'count']],
	['with a as (select 1 as one) select a.|', ['one']],
	['with a (x, y) as (select 1, 2) select a.| from a', ['x', 'y']],
	['with a as (select 1 as one), b as (select *, 2 as two from a) select b.| from b', ['two', 'one']],
	['with a as (select o.* from orders o, customers) select a.| from a', ['id', 'Total', 'status']],
	['with recursive a as materialized (select 1 as n union select n + 1 from a) select a.| from a', ['n']],
	['select s.| from (select name, 1 as one from customers) s', ['name', 'one']],
	['select s.| from (select * from (select id as deep from orders) i) as s', ['deep']],
	['select x.| from (select name from customers u where u.id = 1) x', ['name']],
])('queries in the statement have their columns: %s', async (text, expected) => {
	expect((await at(text)).labels.slice(0, expected.length)).toEqual(expected)
})

test('a query of WITH is a table, and brackets without end take no time', async () => {
	expect((await at('with recent as (select 1) select * from |')).labels[0]).toBe('recent')
	await at(`select | ${'from (select * '.repeat(1_500)}`)
	await at(`with a as ${'(with a as '.repeat(20_000)} select |`)
	await at(`select | from (${'select * from ('.repeat(1_000)}select 1 as one${') x'.repeat(1_000)}) y`)
})

test.each([
	['select 1 from orders where status = |', '', ["'new'", "'it''s paid'"]],
	["select 1 from orders where status = 'n|'", "'n", ["'new'", "'it''s paid'"]],
	["select 1 from orders o where o.status not in ('new', 'i|", "'i", ["'new'", "'it''s paid'"]],
	["select 1 from orders where id = 'n|", "'n", []],
])('%s is completed by the values of the enumeration', async (text, typed, values) => {
	const found = await at(text)
	expect(found.typed).toBe(typed)
	expect(found.labels.filter(label => label.startsWith("'"))).toEqual(values)
	expect(found.options[0]?.replacesAfter).toBe(text.includes("|'") ? 1 : undefined)
})

test('a function outside the search path has its schema, and a name in quotes is completed in quotes', async () => {
	expect((await at('select t| from orders')).options).toContainEqual(
		expect.objectContaining({ label: 'shop.tax', insert: 'shop.tax()' }),
	)
	const { typed, options } = await at('select "T|" from orders')
	expect(typed).toBe('"T')
	expect(options.slice(0, 2)).toMatchObject([
		{ label: '"id"' },
		{ label: '"Total"', insert: '"Total"', replacesAfter: 1 },
	])
})

test('keywords are those of the place', async () => {
	const keywordsAt = async (text: string) =>
		(await at(text)).options.filter(({ kind }) => kind === 'keyword').map(({ label }) => label)
	expect(await keywordsAt('|')).toEqual(expect.arrayContaining(['select', 'insert into', 'begin']))
	const inWhere = await keywordsAt('select * from orders o where o.id = 1 |')
	expect(inWhere).toEqual(expect.arrayContaining(['and', 'order by', 'limit', 'union all']))
	for (const word of ['insert into', 'create', 'begin', 'select', 'join']) expect(inWhere).not.toContain(word)
	expect(await keywordsAt('select * from orders |')).toEqual(expect.arrayContaining(['left join', 'where', 'group by']))
	expect(await keywordsAt('select * from orders group |')).toEqual(['by'])
	expect(await keywordsAt('select * from orders where id in (|')).toEqual(expect.arrayContaining(['select']))
	expect(await keywordsAt('select * from orders where id in (select 1) a|')).toEqual(expect.arrayContaining(['and']))
	expect(await keywordsAt('with a as (select 1) |')).toEqual(expect.arrayContaining(['select', 'delete from']))
	expect(await keywordsAt('create table t (id int |')).not.toEqual([])
	expect(await keywordsAt('select 1 union |')).toEqual(['all', 'select', 'with', 'values', 'table'])
	expect(await keywordsAt('update orders |')).toContain('set')
	expect(await keywordsAt('alter table orders a|')).toContain('add column')
})

test('the catalogs are completed by their schema, and by pg_', async () => {
	expect((await at('select * from pg_catalog.|')).labels).toEqual(['pg_class'])
	expect((await at('select * from information_schema.|')).labels).toEqual(['columns'])
	expect((await at('select * from pg_c|')).options).toContainEqual(
		expect.objectContaining({ label: 'pg_class', insert: 'pg_class' }),
	)
	expect((await at('select * from c|')).labels).not.toContain('pg_class')
	expect((await at('select c.| from pg_class c')).labels).toEqual(['name'])
})

test('behind JOIN, tables with a foreign key come first, also with their condition', async () => {
	expect((await at('select * from customers c join |')).labels).toEqual([
		'orders',
		'orders on orders.customer = c.id and orders."Region" = c.region',
		'customers',
		'shop.Odd name',
		...schemas,
	])
	const [, whole] = (await at('select * from orders join cu|')).options
	expect(whole?.insert).toBe('customers on orders.customer = customers.id and orders."Region" = customers.region')
})

test('the condition of a join comes from the foreign key, in both directions', async () => {
	const condition = 'o.customer = c.id and o."Region" = c.region'
	expect((await at('select * from orders o join customers c on |')).labels[0]).toBe(condition)
	expect((await at('select * from public.customers c left join orders o on |')).labels[0]).toBe(condition)
	expect((await at('select * from orders o join shop.customers c on |')).labels[0]).not.toContain('=')
	// Enter accepts the one condition, and no column.
	const { options } = await at('select * from orders o join customers c on |')
	expect(options.filter(({ isCertain }) => isCertain).map(({ label }) => label)).toEqual([condition])
	// With the word itself, and from each side.
	const { labels } = await at('select * from orders o join customers c on|')
	expect(labels).toContain(`on ${condition}`)
	expect(labels).not.toContain('on')
	expect((await at('select * from orders o join customers c on c.|')).labels[0]).toBe(
		'id = o.customer and c.region = o."Region"',
	)
	expect((await at('select * from orders o join customers c on o.|')).labels[0]).toBe(
		'customer = c.id and o."Region" = c.region',
	)
	expect((await at('select * from orders o join customers c on o.id = c.|')).labels[0]).not.toContain('=')
})

test('a join offers the tables of the query at the cursor only', async () => {
	const condition = 'o.customer = c.id and o."Region" = c.region'
	const joins = async (text: string) => (await at(text)).labels.filter(label => label.includes(' = '))
	expect(await joins('with x as (select * from orders o) select * from x join customers c on |')).toEqual([])
	expect(await joins('with x as (select * from orders o) select * from x join customers c on c.|')).toEqual([])
	expect(await joins('with x as (select * from orders o) select * from x join |')).toEqual([])
	expect(await joins('select * from orders o where id in (select 1 from x join customers c on |')).toEqual([])
	expect(await joins('with x as (select * from orders o join customers c on |')).toEqual([condition])
	expect(await joins('with x as (select 1) select * from orders o join customers c on (|')).toEqual([])
	expect(await joins('with x as (select 1) select * from orders o join customers c on |')).toEqual([condition])
})

test('a join inside of a query has the sources of that query', async () => {
	const inner = 'with x as (select c.| from customers c join orders o on o.customer = c.id) select * from x'
	expect((await at(inner)).labels).toEqual(['name'])
	// Outside, only what the query returns is visible.
	expect((await at('with x as (select o.id from orders o) select | from x')).labels.slice(0, 2)).toEqual(['id', 'x'])
	expect((await at('with x as (select o.id from orders o) select o.| from x')).labels).toEqual([])
	expect((await at('select u.| from (select name from customers u where u.id = 1) x')).labels).toEqual([])
})

test('tables behind USING and queries behind LATERAL have their columns', async () => {
	for (const text of [
		'delete from customers c using orders o where o.|',
		'merge into customers c using orders o on o.|',
	])
		expect((await at(text)).labels).toEqual(expect.arrayContaining(['id', 'Total', 'status']))
	for (const text of [
		'select * from customers c join lateral (select id, 1 as one from orders) z on z.|',
		'select z.| from customers c, lateral (select id, 1 as one from orders) z',
	])
		expect((await at(text)).labels).toEqual(['id', 'one'])
	expect((await at('select o.| from customers c join orders o using (id), lateral orders x')).labels).toContain('Total')
})

test('a database with many functions and tables gets a list that the host takes', async () => {
	const names = Array.from({ length: 3_000 }, (_, n) => `n${n}`)
	const functions = async () => names.map(name => ({ name, result: 'int' }))
	const tables = async () => [...names.map(name => ({ name: `public.${name}` })), ...(await known.tables())]
	const many = { ...known, functions, tables }
	const labelsAt = async (text: string) => (await complete(text, text.length, many)).options.map(({ label }) => label)
	const joined = await labelsAt('select * from orders o join customers c on ')
	expect(joined[0]).toBe('o.customer = c.id and o."Region" = c.region')
	expect(joined).toHaveLength(1_000)
	expect(await labelsAt('select n2999')).toEqual(['n2999'])
	expect(await labelsAt('select * from orde')).toEqual(['orders'])
})

test("a user's table whose name begins with pg_ has its columns", async () => {
	const text = 'select m. from public.orders, pg_mine m'
	const own = { ...known, tables: async () => [{ name: 'public.pg_mine' }] }
	const { options } = await complete(text, 'select m.'.length, own)
	expect(options.map(({ label }) => label)).toEqual(['name'])
})
