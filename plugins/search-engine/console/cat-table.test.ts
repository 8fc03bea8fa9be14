import { expect, test } from 'vitest'
import { catTable } from './cat-table.ts'

const rowsOf = (text: string, maxRows = 100) => {
	const table = catTable(text, maxRows)
	return table && [table.columns.map(({ name, kind }) => `${name}:${kind}`), ...table.rows]
}

test('reads aligned columns, numbers with their digits and empty values', () => {
	const text = `health index     docs.count store.size
green  books           3003      1.7mb
red    .internal
`
	expect(rowsOf(text)).toEqual([
		['health:text', 'index:text', 'docs.count:number', 'store.size:text'],
		['green', 'books', 3003, '1.7mb'],
		['red', '.internal', null, null],
	])
})

test('a value may contain spaces', () => {
	const text = `insertOrder timeInQueue priority source
       1685       855ms HIGH     update-mapping [foo] [t]
       1686       843ms HIGH     create index
`
	expect(rowsOf(text)?.slice(1)).toEqual([
		[1685, '855ms', 'HIGH', 'update-mapping [foo] [t]'],
		[1686, '843ms', 'HIGH', 'create index'],
	])
})

test('shows up to the requested number of rows', () => {
	const table = catTable('a b\n1 2\n3 4\n', 1)
	expect(table).toMatchObject({ rows: [[1, 2]], isTruncated: true, rawView: 'text' })
})

test.each([
	['an empty text', ''],
	['names that occur twice', 'a a\n1 2\n'],
])('%s is no table', (_name, text) => {
	expect(catTable(text, 10)).toBeUndefined()
})
