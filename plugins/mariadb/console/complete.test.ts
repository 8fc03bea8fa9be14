import { describe, expect, test } from 'vitest'
import { hasServer } from '../servers/server.ts'
import { call, connectedForFile } from '../test/connection.ts'

const { connection } = await connectedForFile({
	schema: `
	create table customers (id int primary key, name varchar(50), \`Home town\` varchar(50), state enum('new', 'it''s old'));
	create table orders (id int primary key, customer_id int, foreign key (customer_id) references customers (id));
	insert into customers values (1, 'Ada', 'London', 'new');
	create procedure close_month(n int) select n;
	create function tax(n int) returns int deterministic return n;`,
})

/** `|` is the cursor. */
async function at(text: string) {
	const offset = text.indexOf('|')
	const found = await connection.console.complete?.(text.replace('|', ''), offset, call())
	const { from, options } = found ?? { from: -1, options: [] }
	return { typed: text.slice(from, offset), options, labels: options.map(({ label }) => label) }
}

describe.skipIf(!hasServer)('completion', () => {
	test('offers tables, columns, routines and types of the server', async () => {
		expect((await at('select * from |')).labels).toEqual(expect.arrayContaining(['customers', 'orders', 'mysql']))
		expect((await at('select c.| from customers c')).labels).toEqual(['id', 'name', 'Home town', 'state'])
		expect((await at('select | from orders')).labels).toEqual(expect.arrayContaining(['customer_id', 'tax', 'left']))
		expect((await at('select le| from orders')).options).toContainEqual(expect.objectContaining({ insert: 'left()' }))
		expect((await at('call |')).labels).toEqual(['close_month'])
		expect((await at('select cast(id as |')).labels).toContain('unsigned')
		expect((await at('select * from information_schema.|')).labels.map(name => name.toLowerCase())).toContain('columns')
	})

	test('offers foreign keys behind ON, and names and values in their quotes', async () => {
		const condition = 'o.customer_id = c.id'
		expect((await at('select * from orders o join customers c on |')).labels[0]).toBe(condition)
		expect((await at('update orders o join customers c on | set o.id = 1')).labels[0]).toBe(condition)
		expect((await at('select `Ho|` from customers')).options).toContainEqual(
			expect.objectContaining({ label: '`Home town`', insert: '`Home town`', replacesAfter: 1 }),
		)
		expect((await at('select * from customers where state = |')).labels.slice(0, 2)).toEqual(["'new'", "'it''s old'"])
		expect((await at('select * from customers where state = "|"')).labels).toEqual(['"new"', '"it\'s old"'])
	})

	test('completes a condition, with frequent values of the table', async () => {
		const conditionAt = async (text: string) => {
			const [table] = (await connection.listTables(call())).filter(({ title }) => title === 'customers')
			const reading = await connection.readRawQuery(table?.name ?? '', { text, offset: text.length }, call())
			return { ...reading, inserts: reading.completions.options.map(({ label, insert = label }) => insert) }
		}
		expect((await conditionAt('Ho')).inserts).toEqual(['`Home town`'])
		expect((await conditionAt("name = 'A")).inserts).toEqual(["'Ada'"])
		expect(await conditionAt("NAME = 'a'")).toMatchObject({ understood: 'Condition on name.' })
		expect((await conditionAt('name = (')).fault).toContain('a bracket is open')
	})
})
