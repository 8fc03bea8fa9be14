import { expect, test } from 'vitest'
import { effectTitle } from './effect-title.ts'

/** The title of what a statement did when it was tried. */

const table = (name: string, deleted: number, updated: number, inserted: number) => ({
	table: name,
	deleted,
	updated,
	inserted,
})

test('one table is named, and several are summed', () => {
	expect(effectTitle({ place: 'shop', tables: [table('orders', 0, 3, 0)] })).toBe('Change 3 rows of orders')
	const documents = { one: 'Document', many: 'Documents' }
	expect(effectTitle({ place: 'shop', tables: [table('logs', 60_000, 0, 0)] }, documents)).toBe(
		'Delete 60,000 documents of logs',
	)
	const several = [table('customers', 19, 0, 0), table('orders', 95, 1, 0), table('audit', 0, 0, 19)]
	expect(effectTitle({ place: 'shop', tables: several })).toBe('Delete 114, change 1 and add 19 rows in 3 tables')
	expect(effectTitle({ place: 'shop', tables: several.slice(0, 2) })).toBe('Delete 114 and change 1 row in 2 tables')
	expect(effectTitle({ place: 'shop', tables: [table('a', 0, 0, 0), table('b', 0, 0, 0)] })).toBe('Change no row')
})
