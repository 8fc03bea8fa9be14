import { expect, test } from 'vitest'
import type { Cell, Column } from '../../../host/api/api.ts'
import { learnUniform, type Uniform } from './uniform.ts'

const column = (name: string, isReadOnly: boolean): Column => ({
	...{ name, type: 'text', kind: 'text', isKey: false, isReadOnly, isSortable: true },
})
const columns = [column('index', true), column('empty', false), column('on', false), column('score', true)]
const row = (...cells: Cell[]) => ({ id: String(cells), cells })
const missing = { missing: true } as const

const read = (known: Uniform | undefined, isFirstPage: boolean, ...rows: readonly ReturnType<typeof row>[]) =>
	learnUniform(known, { columns, rows, isFirstPage })
const names = (known: Uniform | undefined) => [...(known?.values.keys() ?? [])]

test('the first page decides which columns are uniform, and later pages only which of them differ', () => {
	const known = read(undefined, true, row('a', missing, true, 1), row('a', missing, true, 2))
	// An editable column does not count, although it has one value here.
	expect([...(known?.values ?? [])]).toEqual([
		['index', 'a'],
		['empty', missing],
	])
	const later = read(known, false, row('a', 'now', false, 1))
	expect([names(later), [...(later?.differing ?? [])]]).toEqual([['index', 'empty'], ['empty']])
	expect(read(later, false)).toBe(later)
	expect(read(later, false, row('a', 'then', true, 1))).toBe(later)
})

test('one row is not enough to find uniform columns', () => {
	expect(read(undefined, true, row('a', missing, true, 1))).toBeUndefined()
	const known = read(undefined, true, row('a', missing, true, 1), row('a', missing, true, 1))
	// Except for a value where there was none.
	expect(names(read(known, true, row('a', 'now', true, 1)))).toEqual(['index', 'score'])
})

test('another query may make an engine column uniform, but not a column that had several values', () => {
	const known = read(undefined, true, row('a', 'now', true, 1), row('a', missing, true, 2))
	expect(names(known)).toEqual(['index'])
	const next = read(known, true, row('a', missing, true, 1), row('a', missing, true, 1))
	expect(names(next)).toEqual(['index', 'score'])
	const differing = read(
		read(undefined, true, row('a', missing, true, 1), row('a', missing, true, 1)),
		false,
		row('a', 'x', true, 1),
	)
	expect(names(read(differing, true, row('a', missing, true, 1), row('a', missing, true, 1)))).toEqual([
		'index',
		'score',
	])
})

test('values that are not read whole are not taken for one value', () => {
	const known = read(undefined, true, row({ unread: true }, missing, true, 1), row({ unread: true }, missing, true, 2))
	expect(names(known)).toEqual(['empty'])
})
