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
		...{ table: 'books', filters: [], match: 'all' },
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
