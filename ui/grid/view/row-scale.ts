import { rowHeight } from '../../state/appearance.ts'

/**
 * Rows have one height, so positions are arithmetic. A page of Chromium ends at 33.5 million pixels: a longer table
 * gets a shorter spacer, and the scroll bar maps to rows by proportion.
 */

/** The tallest spacer: well below the limit of browsers, and divisible without a visible remainder. */
const tallest = 15_000_000

/** The number of rows, and the height of the view in pixels. */
export interface Extent {
	readonly rows: number
	readonly height: number
}

/** The height of the scrolled content. */
export const spacerHeight = (rows: number) => Math.min(rows * rowHeight(), tallest)

/** Whether a pixel of the scroll bar is more than a pixel of rows. */
export const isScaled = (rows: number) => rows * rowHeight() > tallest

/** The largest scroll position. */
export const lastTop = ({ rows, height }: Extent) => Math.max(0, rows * rowHeight() - height)

/** Converts a scroll position to pixels from the first row. */
export function topOf(scrollTop: number, extent: Extent): number {
	if (!isScaled(extent.rows)) return scrollTop
	const share = scrollTop / (tallest - extent.height)
	return Math.round(Math.min(1, Math.max(0, share)) * lastTop(extent))
}

/** Converts pixels of rows to a scroll position. */
export function scrollTopOf(top: number, extent: Extent): number {
	if (!isScaled(extent.rows)) return top
	return Math.round((top / lastTop(extent)) * (tallest - extent.height))
}

/** Returns the first and last row in view, with some above and below; `undefined` if there is none. */
export function rowsInView(
	top: number,
	{ rows, height }: Extent,
	beyond: number,
): readonly [number, number] | undefined {
	if (rows === 0 || height <= 0) return undefined
	const first = Math.floor(top / rowHeight()) - beyond
	const last = Math.ceil((top + height) / rowHeight()) - 1 + beyond
	return [Math.max(0, Math.min(first, rows - 1)), Math.max(0, Math.min(last, rows - 1))]
}

/** Returns the scroll position that reveals a row with the least movement. */
export function topShowing(row: number, top: number, extent: Extent): number {
	const [above, below] = [row * rowHeight(), (row + 1) * rowHeight()]
	if (above < top) return above
	return below > top + extent.height ? Math.min(below - extent.height, lastTop(extent)) : top
}
