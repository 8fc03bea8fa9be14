import { expect, test } from 'vitest'
import { sortedSql } from './sorted.ts'

test('a query is a table whose rows come in another order', () => {
	const by = [
		{ at: 2, direction: 'desc' },
		{ at: 0, direction: 'asc' },
	] as const
	const sort = { columns: 3, by }
	expect(sortedSql('select 1 -- one', 'read', sort)).toBe(
		'with sorted_rows (c1, c2, c3) as (\nselect 1 -- one\n) select * from sorted_rows order by 3 desc, 1 asc',
	)
	expect(sortedSql('delete from a', 'write', { columns: 1, by: [] })).toBe('delete from a')
	expect(() => sortedSql('delete from a', 'write', sort)).toThrow('Only a statement that reads')
	expect(() => sortedSql('show tables', 'read', sort)).toThrow('The engine sorts queries alone, and this is SHOW.')
})
