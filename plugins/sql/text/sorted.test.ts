import { expect, test } from 'vitest'
import { sortedSql } from './sorted.ts'

test('a query is a table whose rows come in another order', () => {
	const sort = [
		{ at: 2, direction: 'desc' },
		{ at: 0, direction: 'asc' },
	] as const
	expect(sortedSql('select 1 -- one', 'read', sort)).toBe(
		'select * from (\nselect 1 -- one\n) as sorted_rows order by 3 desc, 1 asc',
	)
	expect(sortedSql('delete from a', 'write', [])).toBe('delete from a')
	expect(() => sortedSql('delete from a', 'write', sort)).toThrow('Only a statement that reads')
	expect(() => sortedSql('show tables', 'read', sort)).toThrow('The engine sorts queries alone, and this is SHOW.')
})
