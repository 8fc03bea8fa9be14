import { expect, test } from 'vitest'
import type { TableDefinition } from '../../host/api/api.ts'
import { changesOf, definitionOf, draftOf, indexColumns, keyColumns, moved, rowState } from './draft.ts'

const orders: TableDefinition = {
	path: ['shop'],
	name: 'orders',
	columns: [
		{ id: 'id', name: 'id', type: 'bigint', isNotNull: true, default: 'identity' },
		{ id: 'total', name: 'total', type: 'numeric', isNotNull: false },
	],
	keys: [{ id: 'pk', name: 'pk', kind: 'primary', columns: ['id'] }],
	indexes: [
		{ id: 'i', name: 'i', method: 'btree', isUnique: false, columns: [{ column: 'total', isDescending: true }] },
	],
}
const draft = draftOf(orders)

test('an untouched draft means the table as it was read', () => {
	expect(definitionOf(draft, orders.path)).toEqual(orders)
	expect(changesOf(draft, orders)).toBe(0)
})

test('keys and indexes follow a renamed column', () => {
	const renamed = { ...draft, columns: draft.columns.map(column => ({ ...column, name: `${column.name}_2` })) }
	expect(draft.keys.map(key => keyColumns(key, renamed))).toEqual(['id_2'])
	expect(draft.indexes.map(index => indexColumns(index, renamed))).toEqual(['total_2 desc'])
	expect(definitionOf(renamed, []).keys).toEqual(orders.keys)
})

test('typed columns are those of the form, with the order of an index', () => {
	const typed = { ...draft, indexes: draft.indexes.map(index => ({ ...index, typed: 'total DESC, id' })) }
	expect(definitionOf(typed, []).indexes[0]?.columns).toEqual([
		{ column: 'total', isDescending: true },
		{ column: 'id', isDescending: false },
	])
	const unknown = { ...draft, keys: draft.keys.map(key => ({ ...key, typed: 'nothing' })) }
	expect(() => definitionOf(unknown, [])).toThrow('There is no column nothing.')
})

test('a dropped row is left out, and counts as one change', () => {
	const dropped = { ...draft, indexes: draft.indexes.map(index => ({ ...index, isDropped: true })) }
	expect(definitionOf(dropped, []).indexes).toEqual([])
	expect(changesOf({ ...dropped, name: 'sales' }, orders)).toBe(2)
	expect(rowState({ isDropped: true }, {})).toBe('dropped')
})

test('a reference is a table with its columns', () => {
	const key = {
		id: 'f',
		name: '',
		kind: 'foreign' as const,
		columns: ['id'],
		references: { table: '', columns: [], onDelete: 'a', onUpdate: 'a' },
	}
	const with_ = (typedReference: string) => definitionOf({ ...draft, keys: [{ ...key, typedReference }] }, []).keys[0]
	expect(with_(' crm.people (id, tenant) ')?.references).toMatchObject({
		table: 'crm.people',
		columns: ['id', 'tenant'],
	})
	expect(() => with_('people')).toThrow('people (id)')
})

test('a row that moves stays in the list', () => {
	expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
	expect(moved(['a', 'b'], 1, 1)).toEqual(['a', 'b'])
	expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
})
