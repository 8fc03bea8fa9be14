import type { Column } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { complete, type Known } from './complete.ts'

const column = (name: string): Column => ({
	name,
	type: 'text',
	kind: 'text',
	isKey: false,
	isReadOnly: false,
	isSortable: true,
})
const known: Known = {
	tables: async () => [
		{ name: 'public.orders' },
		{ name: 'public.customers' },
		{ name: 'shop."Odd name"', kind: 'view' },
	],
	columns: async table => (table === 'public.orders' ? [column('id'), column('Total')] : [column('name')]),
	functions: async () => [{ name: 'now', result: 'timestamp with time zone' }],
}

/** `|` is the cursor. */
async function at(text: string) {
	const offset = text.indexOf('|')
	const { from, options } = await complete(text.replace('|', ''), offset, known)
	return { typed: text.slice(from, offset), labels: options.map(({ label }) => label), options }
}

test('tables and schemas stand behind FROM, JOIN and a comma between tables', async () => {
	for (const text of [
		'select * from o|',
		'select * from orders join o|',
		'select 1 from orders, o|',
		'insert into o|',
	]) {
		const { labels, typed } = await at(text)
		expect(typed).toBe(text.includes('o|') ? 'o' : '')
		expect(labels).toEqual(['orders', 'customers', 'shop.Odd name', 'public', 'shop'])
	}
})

test('columns of the tables of the statement stand elsewhere, with quotes where they need them', async () => {
	const { labels, options } = await at('select i| from orders o, customers; select 1 from shop.other')
	expect(labels.slice(0, 5)).toEqual(['id', 'Total', 'name', 'o', 'customers'])
	expect(options[1]?.insert).toBe('"Total"')
	expect(labels).toContain('now')
	expect(labels).toContain('where')
})

test('an alias has the columns of its table, and a schema its tables', async () => {
	expect((await at('select o.| from orders as o')).labels).toEqual(['id', 'Total'])
	expect((await at('select * from customers c where c.n|')).labels).toEqual(['name'])
	expect((await at('select * from shop.|')).options).toMatchObject([{ label: 'Odd name', insert: '"Odd name"' }])
})

test.each(["select '|", 'select 1 -- |', 'select /* |', 'select $$ |'])('%s has nothing', async text => {
	expect((await at(text)).labels).toEqual([])
})

test('a statement begins with a keyword', async () => {
	expect((await at('|')).labels).toContain('select')
	expect((await at('select 1; s|')).labels).toContain('select')
})
