import type { TableDefinition } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { changedParts, checkDefinition, orderedRenames } from './definition-parts.ts'

test('parts are told apart by id: a renamed part is kept', () => {
	const before = [
		{ id: '1', name: 'a' },
		{ id: '2', name: 'b' },
	]
	const after = [
		{ id: '3', name: 'b' },
		{ id: '1', name: 'c' },
	]
	expect(changedParts(before, after)).toEqual({
		added: [{ id: '3', name: 'b' }],
		removed: [{ id: '2', name: 'b' }],
		kept: [{ before: { id: '1', name: 'a' }, after: { id: '1', name: 'c' } }],
	})
})

test('renames free a name before they give it, and swap names by way of a third one', () => {
	const renames = [
		{ from: 'a', to: 'b' },
		{ from: 'b', to: 'c' },
		{ from: 'x', to: 'y' },
		{ from: 'y', to: 'x' },
	]
	const columns = new Set(['a', 'b', 'x', 'y'])
	for (const { from, to } of orderedRenames(renames)) {
		expect(columns.has(to)).toBe(false)
		columns.delete(from)
		columns.add(to)
	}
	expect([...columns].toSorted()).toEqual(['b', 'c', 'x', 'y'])
})

const column = { id: '1', name: 'a', type: 'int', isNotNull: false }
const table: TableDefinition = { path: [], name: 't', columns: [column], keys: [], indexes: [] }
test.for<readonly [string, Partial<TableDefinition>]>([
	['The table has no name.', { name: ' ' }],
	['The table has no column.', { columns: [] }],
	['Two columns have the name a.', { columns: [column, { ...column, id: '2' }] }],
	['The column a has no type.', { columns: [{ ...column, type: '' }] }],
	[
		'The key k has a column that is dropped. Drop the key k too, or keep the column.',
		{ keys: [{ id: 'k', name: 'k', kind: 'unique', columns: ['9'] }] },
	],
	['The index i has no column.', { indexes: [{ id: 'i', name: 'i', method: 'btree', isUnique: false, columns: [] }] }],
	['The key f refers to no table.', { keys: [{ id: 'f', name: 'f', kind: 'foreign', columns: ['1'] }] }],
])('a definition is refused: %s', ([message, part]) => {
	expect(() => checkDefinition({ after: { ...table, ...part } })).toThrow(message)
})
