import type { Move } from './moves.ts'

/** The selected rectangle: anchor and focused cell. Two positions at any size. Pure. */

export interface CellPosition {
	readonly row: number
	readonly column: number
}

export interface CellSelection {
	readonly anchor: CellPosition
	readonly focus: CellPosition
	/** Whole rows or columns, or the whole table, whatever cell has the focus. */
	readonly span?: 'rows' | 'columns' | 'all'
}

export interface Rectangle {
	readonly top: number
	readonly bottom: number
	readonly left: number
	readonly right: number
}

/** The number of rows and columns to select from. */
export interface Size {
	readonly rows: number
	readonly columns: number
}

export const at = (place: CellPosition): CellSelection => ({ anchor: place, focus: place })

export function rectangleOf({ anchor, focus, span }: CellSelection, size: Size): Rectangle {
	const isWide = span === 'rows' || span === 'all'
	const isTall = span === 'columns' || span === 'all'
	return {
		top: isTall ? 0 : Math.min(anchor.row, focus.row),
		bottom: isTall ? Math.max(0, size.rows - 1) : Math.max(anchor.row, focus.row),
		left: isWide ? 0 : Math.min(anchor.column, focus.column),
		right: isWide ? Math.max(0, size.columns - 1) : Math.max(anchor.column, focus.column),
	}
}

/** Number of selected rows. */
export const rowCount = ({ top, bottom }: Rectangle) => bottom - top + 1

/** Number of selected cells. */
export const cellCount = (rectangle: Rectangle) => rowCount(rectangle) * (rectangle.right - rectangle.left + 1)

export const isWithin = ({ row, column }: CellPosition, { top, bottom, left, right }: Rectangle) =>
	row >= top && row <= bottom && column >= left && column <= right

/** Moves the focus within the table. With `isExtending` the anchor stays, and whole rows or columns stay whole. */
export function moved(
	selection: CellSelection,
	step: Move,
	{ size, isExtending }: { readonly size: Size; readonly isExtending: boolean },
): CellSelection {
	const focus = clamped({ row: selection.focus.row + step.rows, column: selection.focus.column + step.columns }, size)
	return isExtending ? { ...selection, focus } : at(focus)
}

/** The selection within a table that may have shrunk. */
export function within(selection: CellSelection, size: Size): CellSelection {
	return { ...selection, anchor: clamped(selection.anchor, size), focus: clamped(selection.focus, size) }
}

function clamped({ row, column }: CellPosition, { rows, columns }: Size): CellPosition {
	const clamp = (value: number, count: number) => Math.max(0, Math.min(value, count - 1))
	return { row: clamp(row, rows), column: clamp(column, columns) }
}
