import { expect, test } from 'vitest'
import { sortedSql } from './sorted.ts'

const isSame = (column: string, { text }: { readonly text: string }) => `${column} = '${text}'`
const sorted = (sql: string, access: 'read' | 'write', sort: Parameters<typeof sortedSql>[2]) =>
	sortedSql(sql, access, sort, isSame)

test('a query is a table whose rows come in another order', () => {
	const by = [
		{ at: 2, direction: 'desc' },
		{ at: 0, direction: 'asc' },
	] as const
	const sort = { columns: 3, by }
	expect(sorted('select 1 -- one', 'read', sort)).toBe(
		'with sorted_rows (c1, c2, c3) as (\nselect 1 -- one\n) select * from sorted_rows order by 3 desc, 1 asc',
	)
	expect(sorted('delete from a', 'write', { columns: 1, by: [] })).toBe('delete from a')
	expect(() => sorted('delete from a', 'write', sort)).toThrow('Only a statement that reads')
	expect(() => sorted('show tables', 'read', sort)).toThrow('The engine sorts queries alone, and this is SHOW.')
})

test('rows of a query are found by a value that was shown, and another value may be none', () => {
	const where = [
		{ at: 0, is: 'same', text: 'x', kind: 'text' },
		{ at: 1, is: 'other', text: '1', kind: 'number' },
		{ at: 0, is: 'other', text: null, kind: 'text' },
	] as const
	expect(sorted('select 1, 2', 'read', { columns: 2, by: [], where })).toBe(
		"with sorted_rows (c1, c2) as (\nselect 1, 2\n) select * from sorted_rows where c1 = 'x' and (c2 is null or not (c2 = '1')) and c1 is not null",
	)
	expect(() => sorted('delete from a', 'write', { columns: 1, by: [], where })).toThrow('Only a statement that reads')
})
