import type { Cell } from '../../host/api/api.ts'
import { FakeTable } from './fake-tables.ts'

const authors = [
	['AR', 1899],
	['NG', 1930],
	['AT', 1863],
	['JP', 1867],
	['NG', 1977],
	['DE', 1932],
] as const

/** Returns a table of books with a column of each common kind: number, text, date, boolean and JSON. */
export function fakeBooks(count = 60): FakeTable {
	const rows = Array.from({ length: count }, (_, index): readonly Cell[] => {
		const [country, born] = authors[index % authors.length] ?? authors[0]
		return [
			index + 1,
			`Book ${index + 1}`,
			country,
			born,
			index % 4 === 3 ? null : index % 2 === 0,
			new Date(Date.UTC(2001 + (index % 10), index % 12, 1 + (index % 28))).toISOString(),
			{ json: JSON.stringify({ pages: 100 + index }) },
		]
	})
	return new FakeTable('books', {
		columns: {
			id: { kind: 'number' },
			title: {},
			country: {},
			born: { kind: 'number' },
			in_print: { kind: 'boolean' },
			published: { kind: 'date' },
			details: { kind: 'json', isSortable: false },
		},
		rows,
	})
}
