import type { Move } from './keys.ts'

/** The selected rectangle: where it was begun, and the cell in focus. Pure. */

export interface Place {
	readonly row: number
	readonly column: number
}

export interface CellSelection {
	readonly anchor: Place
	readonly focus: Place
}

export interface Rectangle {
	readonly top: number
	readonly bottom: number
	readonly left: number
	readonly right: number
}

export const at = (place: Place): CellSelection => ({ anchor: place, focus: place })

export function rectangleOf({ anchor, focus }: CellSelection): Rectangle {
	return {
		top: Math.min(anchor.row, focus.row),
		bottom: Math.max(anchor.row, focus.row),
		left: Math.min(anchor.column, focus.column),
		right: Math.max(anchor.column, focus.column),
	}
}

/** How many rows are selected. */
export function rowCount(selection: CellSelection): number {
	const { top, bottom } = rectangleOf(selection)
	return bottom - top + 1
}

/** How many cells are selected. */
export function cellCount(selection: CellSelection): number {
	const { left, right } = rectangleOf(selection)
	return rowCount(selection) * (right - left + 1)
}

/** Moves the focus within the table; with `isExtending` the anchor stays. */
export function moved(
	selection: CellSelection,
	step: Move,
	size: { readonly rows: number; readonly columns: number },
	isExtending: boolean,
): CellSelection {
	const clamp = (value: number, count: number) => Math.max(0, Math.min(value, count - 1))
	const focus = {
		row: clamp(selection.focus.row + step.rows, size.rows),
		column: clamp(selection.focus.column + step.columns, size.columns),
	}
	return { anchor: isExtending ? selection.anchor : focus, focus }
}
