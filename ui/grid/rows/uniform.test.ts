import { expect, test } from 'vitest'
import type { Cell, Column } from '../../../host/api/api.ts'
import { learnUniform } from './uniform.ts'

const column = (name: string, isReadOnly: boolean): Column => ({
	...{ name, type: 'text', kind: 'text', isKey: false, isReadOnly, isSortable: true },
})
const columns = [column('index', true), column('empty', false), column('on', false), column('score', true)]
const row = (...cells: Cell[]) => ({ id: String(cells), cells })
const missing = { missing: true } as const

test('a column with one value in all rows is found once, and is removed when a value differs', () => {
	const known = learnUniform(undefined, {
		columns,
		rows: [row('a', missing, true, 1), row('a', missing, true, 2)],
		isFirstPage: true,
	})
	// An editable column does not count, although it has one value here.
	expect([...(known ?? [])]).toEqual([
		['index', 'a'],
		['empty', missing],
	])
	const later = learnUniform(known, { columns, rows: [row('a', 'now', false, 1)], isFirstPage: false })
	expect([...(later?.keys() ?? [])]).toEqual(['index'])
	expect(learnUniform(later, { columns, rows: [], isFirstPage: false })).toBe(later)
})

test('one row is not enough to find uniform columns', () => {
	expect(learnUniform(undefined, { columns, rows: [row('a', missing, true, 1)], isFirstPage: true })).toBeUndefined()
	const known = learnUniform(undefined, {
		columns,
		rows: [row('a', missing, true, 1), row('a', missing, true, 1)],
		isFirstPage: true,
	})
	// Except for a value where there was none.
	expect(learnUniform(known, { columns, rows: [row('a', 'now', true, 1)], isFirstPage: true })?.has('empty')).toBe(
		false,
	)
})

test('another query may make an engine column uniform, but not a column that had several values', () => {
	const known = learnUniform(undefined, {
		columns,
		rows: [row('a', 'now', true, 1), row('a', missing, true, 2)],
		isFirstPage: true,
	})
	expect([...(known?.keys() ?? [])]).toEqual(['index'])
	const next = learnUniform(known, {
		columns,
		rows: [row('a', missing, true, 1), row('a', missing, true, 1)],
		isFirstPage: true,
	})
	expect([...(next?.keys() ?? [])]).toEqual(['index', 'score'])
})
