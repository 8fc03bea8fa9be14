import { createRoot } from 'solid-js'
import { expect, test } from 'vitest'
import type { Column } from '../../../host/ui-server/api.ts'
import { createTableQuery, emptyFilter } from './table-query.ts'

const column = (name: string, changes: Partial<Column> = {}): Column => ({
	name,
	type: '',
	kind: 'text',
	isKey: false,
	isReadOnly: false,
	isSortable: true,
	...changes,
})
const key = column('key', { isKey: true, isReadOnly: true })

test('a new filter is about the first column that people write, with an operator it has', () => {
	expect(emptyFilter([key, column('tags', { kind: 'json' }), column('name')])).toMatchObject({
		column: 'tags',
		operator: 'exists',
	})
	expect(emptyFilter([key])).toMatchObject({ column: 'key', operator: 'equals' })
	expect(emptyFilter([])).toMatchObject({ column: '' })
})

test('a half-typed filter asks for nothing until it is applied, and taking all away needs no word', () => {
	const table = createRoot(() => createTableQuery('t'))
	table.filters.toggle([key, column('name')])
	table.filters.change(table.filters.rows().map(row => ({ ...row, text: 'x' })))
	expect([table.query().filters, table.isNarrowed()]).toEqual([[], false])
	table.filters.apply()
	expect(table.query().filters).toEqual([{ column: 'name', operator: 'equals', values: ['x'] }])
	table.filters.toggle([])
	expect([table.query().filters, table.filters.isOpen()]).toEqual([[], false])
})
