import type { TableDefinition } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { tableStatements } from './statements.ts'

const column = (name: string, type: string, rest: object = {}) => ({ id: name, name, type, isNotNull: false, ...rest })
const index = (name: string, columns: readonly string[]) => ({
	id: name,
	name,
	method: 'btree',
	isUnique: false,
	columns: columns.map(id => ({ column: id, isDescending: false })),
})

const orders: TableDefinition = {
	path: ['shop'],
	name: 'orders',
	columns: [
		column('id', 'bigint', { isNotNull: true, default: 'auto_increment' }),
		column('status', 'varchar(20)', { attributes: 'CHARACTER SET latin1 COLLATE latin1_bin CHECK (`status` <> 1)' }),
		column('total', 'decimal(10,2)', { default: '0.00' }),
		column('legacy_no', 'int'),
	],
	keys: [{ id: 'PRIMARY', name: 'PRIMARY', kind: 'primary', columns: ['id'] }],
	indexes: [index('by_status', ['status'])],
}
const [id, status, total, legacy] = orders.columns
if (!id || !status || !total || !legacy) throw new Error('The table lacks a column.')
const changed = (after: Partial<TableDefinition>) => tableStatements({ before: orders, after: { ...orders, ...after } })

test('a new table is one statement with all of its parts', () => {
	const after = { ...orders, comment: "what's sold", columns: [id, total], indexes: [index('by_total', ['total'])] }
	expect(tableStatements({ after })).toEqual([
		`create table shop.orders (
	id bigint not null auto_increment,
	total decimal(10,2) null default 0.00,
	primary key (id),
	index by_total (total)
) comment = 'what''s sold';`,
	])
})

test('all changes are one statement', () => {
	const columns = [id, { ...total, type: 'decimal(14,2)' }, status, column('channel', 'text')]
	expect(changed({ name: 'sales', columns, indexes: [index('by_total', ['total'])] })).toEqual([
		`alter table shop.orders
	drop index by_status,
	drop column legacy_no,
	modify total decimal(14,2) null default 0.00,
	modify status varchar(20) CHARACTER SET latin1 COLLATE latin1_bin null CHECK (\`status\` <> 1) after total,
	add column channel text null,
	add index by_total (total),
	rename to shop.sales;`,
	])
})

test('a renamed column keeps what the form does not show of it, and its check names it', () => {
	expect(changed({ columns: [id, { ...status, name: 'state' }, total, legacy] })).toEqual([
		`alter table shop.orders
	change status state varchar(20) CHARACTER SET latin1 COLLATE latin1_bin null CHECK (\`state\` <> 1);`,
	])
})

test('a column that becomes a number has no character set', () => {
	const [sql] = changed({ columns: [id, { ...status, type: 'int', attributes: 'COLLATE latin1_bin' }, total, legacy] })
	expect(sql).toBe('alter table shop.orders\n\tmodify status int null;')
})

test('a new column with the name of a renamed one is added by a second statement', () => {
	const columns = [id, { ...status, name: 'state' }, total, legacy, { ...column('status', 'int'), id: 'new' }]
	expect(changed({ columns })).toEqual([
		expect.stringContaining('change status state'),
		'alter table shop.orders\n\tadd column status int null;',
	])
})

test('a column of a foreign key is renamed by a first statement', () => {
	const references = { table: 'other', columns: ['id'], onDelete: 'restrict', onUpdate: 'restrict' }
	const key = { id: 'f', name: 'f', kind: 'foreign' as const, columns: ['legacy_no'], references }
	const before = { ...orders, keys: [...orders.keys, key] }
	const columns = [id, status, { ...total, type: 'decimal(14,2)' }, { ...legacy, name: 'other_id' }]
	expect(tableStatements({ before, after: { ...before, columns } })).toEqual([
		'alter table shop.orders\n\tchange legacy_no other_id int null;',
		'alter table shop.orders\n\tmodify total decimal(14,2) null default 0.00;',
	])
})

test('an unchanged table needs no statement, also if a type has another spelling', () => {
	expect(changed({ columns: [id, status, total, { ...legacy, type: 'INT(11)' }] })).toEqual([])
})

test('a comment that the server would not store is refused', () => {
	expect(() => changed({ comment: '🚂' })).toThrow('such as an emoji')
})
