import { createRoot } from 'solid-js'
import { expect, test } from 'vitest'
import type { Column } from '../../../host/api/api.ts'
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

test('a new filter uses the first editable column, with one of its operators', () => {
	expect(emptyFilter([key, column('tags', { kind: 'json' }), column('name')])).toMatchObject({
		column: 'tags',
		operator: 'exists',
	})
	expect(emptyFilter([key])).toMatchObject({ column: 'key', operator: 'equals' })
	expect(emptyFilter([])).toMatchObject({ column: '' })
})

test('an incomplete filter sends no query until it is applied, and removing all filters applies immediately', () => {
	const table = createRoot(() => createTableQuery('t'))
	table.filters.toggle([key, column('name')])
	table.filters.change(table.filters.rows().map(row => ({ ...row, text: 'x' })))
	expect([table.query().filters, table.isNarrowed()]).toEqual([[], false])
	table.filters.apply()
	expect(table.query().filters).toEqual([{ column: 'name', operator: 'equals', values: ['x'] }])
	// Hiding the bar discards nothing.
	table.filters.toggle([])
	expect([table.filters.chips().length, table.filters.isOpen(), table.isNarrowed()]).toEqual([1, false, true])
	table.filters.change([])
	expect([table.query().filters, table.filters.isOpen()]).toEqual([[], false])
})

test('an applied filter can be removed alone, even if it has unapplied changes', () => {
	const table = createRoot(() => createTableQuery('t'))
	table.filters.add(column('a'))
	table.filters.add(column('b'))
	table.filters.change(table.filters.rows().map(row => ({ ...row, text: 'x' })))
	table.filters.apply()
	table.filters.change(table.filters.rows().map(row => ({ ...row, text: 'y' })))
	const [first] = table.filters.chips()
	if (first) table.filters.drop(first)
	expect(table.query().filters).toEqual([{ column: 'b', operator: 'equals', values: ['x'] }])
	table.widen()
	expect([table.query().filters, table.isNarrowed()]).toEqual([[], false])
})

test('a stored query is restored, and an invalid one is ignored', () => {
	const kept = {
		sort: [{ column: 'name', direction: 'asc' }],
		raw: 'a:1',
		rows: [{ column: 'name', operator: 'equals', text: 'x', isOn: true }],
		match: 'any',
	}
	const table = createRoot(() => createTableQuery('t'))
	table.ask(kept)
	expect(table.asked()).toEqual(kept)
	const [row] = kept.rows
	for (const part of [
		{ sort: [null] },
		{ sort: [{ column: 7, direction: 'asc' }] },
		{ sort: [{ column: 'name', direction: 'up' }] },
		{ rows: [null] },
		{ rows: [{ ...row, column: 7 }] },
		{ rows: [{ ...row, text: undefined }] },
		{ rows: [{ ...row, key: 7 }] },
		{ rows: [{ ...row, operator: 'constructor' }] },
	]) {
		table.ask({ ...kept, raw: 'other', ...part })
		expect(table.asked()).toEqual(kept)
	}
})
