import { createEffect, createRoot } from 'solid-js'
import { expect, test } from 'vitest'
import { createTableQuery } from './table-query.ts'

test('a sort changes the query, and not which rows are chosen', () => {
	const query = createTableQuery('books')
	const seen: unknown[] = []
	const dispose = createRoot(dispose => {
		createEffect(() => seen.push(query.chosen()))
		return dispose
	})
	query.setSort([{ column: 'title', direction: 'asc' }])
	expect(query.query()).toEqual({
		table: 'books',
		filters: [],
		match: 'all',
		sort: [{ column: 'title', direction: 'asc' }],
	})
	expect(seen).toEqual([{ table: 'books', filters: [], match: 'all' }])
	query.setBar({ raw: 'title:x', typed: 'title : x' })
	expect(query.query()).toMatchObject({ raw: 'title:x' })
	expect(seen).toHaveLength(2)
	// The same query, typed in another way, is not another one.
	query.setBar({ raw: 'title:x' })
	expect(seen).toHaveLength(2)
	dispose()
})

test('a filter that is put replaces its opposite', () => {
	const query = createTableQuery('books')
	const row = (operator: 'equals' | 'not_equals' | 'exists', text: string) =>
		({ column: 'genres', operator, text, isOn: true }) as const
	query.filters.put([row('equals', 'a'), row('equals', 'b')])
	query.filters.put([row('exists', '')])
	query.filters.put([row('not_equals', 'a'), row('not_equals', 'b')])
	expect(query.query().filters.map(({ operator, values }) => `${operator} ${values.join()}`)).toEqual([
		'exists ',
		'not_equals a',
		'not_equals b',
	])
})
