import { expect, test } from 'vitest'
import type { Cell, Column } from '../../../host/api/api.ts'
import { learnUniform, type Uniform } from './uniform.ts'

const column = (name: string, more: Partial<Column> = {}): Column => ({
	name,
	type: 'text',
	kind: 'text',
	isKey: false,
	isReadOnly: false,
	isSortable: true,
	...more,
})
const columns = [
	column('index', { isUniform: true, isReadOnly: true }),
	column('empty'),
	column('on'),
	column('score', { isReadOnly: true }),
	...Array.from({ length: 20 }, (_, n) => column(`full${n}`)),
]
const row = (...cells: Cell[]) => ({ id: String(cells), cells: [...cells, ...Array<Cell>(20).fill('x')] })
const missing = { missing: true } as const

const read = (known: Uniform | undefined, isFirstPage: boolean, ...rows: readonly ReturnType<typeof row>[]) =>
	learnUniform(known, { columns, rows, isFirstPage })
const names = (known: Uniform | undefined) => [...(known?.values.keys() ?? [])]

test('the first page decides which columns are empty, and later pages only which of them differ', () => {
	const known = read(undefined, true, row('a', missing, true, 1), row('a', missing, true, 1))
	// A column with one value here may have another one below, unless the driver says that it has none.
	expect([...(known?.values ?? [])]).toEqual([
		['index', 'a'],
		['empty', missing],
	])
	const later = read(known, false, row('a', 'now', false, 1))
	expect([names(later), [...(later?.differing ?? [])]]).toEqual([['index', 'empty'], ['empty']])
	expect(read(later, false)).toBe(later)
	expect(read(later, false, row('a', 'then', true, 1))).toBe(later)
})

test('one row is not enough to find empty columns', () => {
	expect(read(undefined, true, row('a', missing, true, null))).toBeUndefined()
	const known = read(undefined, true, row('a', missing, true, null), row('a', missing, true, null))
	// Except for a value where there was none.
	expect(names(read(known, true, row('a', 'now', true, null)))).toEqual(['index', 'score'])
})

test('another query may empty a column of the engine, but not fold a column that had values', () => {
	const known = read(undefined, true, row('a', 'now', true, 1), row('a', missing, true, 2))
	expect(names(known)).toEqual(['index'])
	const next = read(known, true, row('a', missing, true, null), row('a', missing, true, null))
	expect(names(next)).toEqual(['index', 'score'])
	const differing = read(
		read(undefined, true, row('a', missing, true, 1), row('a', missing, true, 1)),
		false,
		row('a', 'x', true, 1),
	)
	expect(names(read(differing, true, row('a', missing, true, null), row('a', missing, true, null)))).toEqual([
		'index',
		'score',
	])
})

test('a table with few columns hides none of them because it is empty', () => {
	const few = columns.slice(0, 4)
	const rows = [row('a', missing, true, 1), row('a', missing, true, 1)]
	expect(names(learnUniform(undefined, { columns: few, rows, isFirstPage: true }))).toEqual(['index'])
})
