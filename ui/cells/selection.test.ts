import { expect, test } from 'vitest'
import { at, cellCount, isWithin, moved, rectangleOf, within } from './selection.ts'

const size = { rows: 2_000_000_000, columns: 8 }

test('a rectangle spans its start and the focused cell, in any direction', () => {
	const selection = moved(at({ row: 5, column: 3 }), { rows: -2, columns: 4 }, { size, isExtending: true })
	expect(rectangleOf(selection, size)).toEqual({ top: 3, bottom: 5, left: 3, right: 7 })
	expect(moved(selection, { rows: 1, columns: 0 }, { size, isExtending: false })).toEqual(at({ row: 4, column: 7 }))
})

test('whole rows, columns and tables stay whole wherever the focus is, and while they are extended', () => {
	const focus = { row: 5, column: 3 }
	const rows = moved({ ...at(focus), span: 'rows' }, { rows: 2, columns: 0 }, { size, isExtending: true })
	expect(rectangleOf(rows, size)).toEqual({ top: 5, bottom: 7, left: 0, right: 7 })
	expect(rectangleOf({ ...at(focus), span: 'columns' }, size)).toMatchObject({ top: 0, bottom: 1_999_999_999, left: 3 })
	expect(cellCount(rectangleOf({ ...at(focus), span: 'all' }, size))).toBe(16_000_000_000)
})

test('in a table that became smaller the selection is limited to existing cells', () => {
	const selection = within({ anchor: { row: 9, column: 9 }, focus: { row: 900, column: 2 } }, { rows: 10, columns: 3 })
	expect(rectangleOf(selection, { rows: 10, columns: 3 })).toEqual({ top: 9, bottom: 9, left: 2, right: 2 })
	expect(isWithin({ row: 9, column: 2 }, rectangleOf(selection, size))).toBe(true)
})
