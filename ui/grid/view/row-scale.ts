import { rowHeight } from '../../state/appearance.ts'

/**
 * Rows have one height, so where they stand is arithmetic and takes no memory. A page of Chromium ends at 33.5 million
 * pixels: a longer table stands on a shorter spacer, and the thumb leads to its rows by proportion.
 */

/** The tallest spacer: well below what any browser draws, and divisible without a remainder that anybody sees. */
const tallest = 15_000_000

/** How many rows there are, and how many pixels of them are in view. */
export interface Extent {
	readonly rows: number
	readonly height: number
}

/** How tall what is scrolled is. */
export const spacerHeight = (rows: number) => Math.min(rows * rowHeight(), tallest)

/** Whether a pixel of the scrollbar is more than one of the rows. */
export const isScaled = (rows: number) => rows * rowHeight() > tallest

/** The farthest top there is. */
export const lastTop = ({ rows, height }: Extent) => Math.max(0, rows * rowHeight() - height)

/** Where in the rows a place of the scrollbar leads, in pixels from the first row. */
export function topOf(scrollTop: number, extent: Extent): number {
	if (!isScaled(extent.rows)) return scrollTop
	const share = scrollTop / (tallest - extent.height)
	return Math.round(Math.min(1, Math.max(0, share)) * lastTop(extent))
}

/** Where the scrollbar stands for a place in the rows. */
export function scrollTopOf(top: number, extent: Extent): number {
	if (!isScaled(extent.rows)) return top
	return Math.round((top / lastTop(extent)) * (tallest - extent.height))
}

/** The first and the last row in view, with some above and below; `undefined` where there is none. */
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

/** The top that brings a row into view with the least movement. */
export function topShowing(row: number, top: number, extent: Extent): number {
	const [above, below] = [row * rowHeight(), (row + 1) * rowHeight()]
	if (above < top) return above
	return below > top + extent.height ? Math.min(below - extent.height, lastTop(extent)) : top
}
