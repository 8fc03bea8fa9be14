import type { VisibleRows } from '../../grid/view/scrolling.ts'

interface Wanted {
	readonly left: number
	readonly top: number
	readonly width: number
	readonly height: number
}

/** Returns the place of the editor over its cell, moved and narrowed so that all of it is visible. */
export function editorPlace(cell: Wanted, visible: VisibleRows): Omit<Wanted, 'height'> {
	const width = Math.min(cell.width, visible.right - visible.left)
	return {
		width,
		left: Math.max(visible.left, Math.min(cell.left, visible.right - width)),
		top: Math.max(visible.top, Math.min(cell.top, visible.bottom - cell.height)),
	}
}
