/**
 * All rows have the same height, so row positions are calculated, not measured. Chromium limits the height of a page to
 * 33.5 million pixels. A taller table gets a shorter spacer, and scroll positions are scaled to rows.
 */

/**
 * Maximum height of the spacer in pixels. It is well below the limit of browsers and causes no visible rounding errors.
 */
const maxSpacerHeight = 15_000_000

/** The number of rows, and the heights of the view and of a row in pixels. */
export interface Extent {
	readonly rows: number
	readonly height: number
	readonly rowHeight: number
}

/** The height of the scrolled content. */
export const spacerHeight = ({ rows, rowHeight }: Omit<Extent, 'height'>) => Math.min(rows * rowHeight, maxSpacerHeight)

/** Returns whether scroll positions are scaled, so that one scrolled pixel stands for more than one pixel of rows. */
export const isScaled = ({ rows, rowHeight }: Omit<Extent, 'height'>) => rows * rowHeight > maxSpacerHeight

/** The largest scroll position. */
export const maxRowOffset = ({ rows, height, rowHeight }: Extent) => Math.max(0, rows * rowHeight - height)

/** Converts a scroll position to pixels from the first row. */
export function rowOffsetOf(scrollTop: number, extent: Extent): number {
	if (!isScaled(extent)) return scrollTop
	const share = scrollTop / (maxSpacerHeight - extent.height)
	return Math.round(Math.min(1, Math.max(0, share)) * maxRowOffset(extent))
}

/** Converts pixels of rows to a scroll position. */
export function scrollTopOf(top: number, extent: Extent): number {
	if (!isScaled(extent)) return top
	return Math.round((top / maxRowOffset(extent)) * (maxSpacerHeight - extent.height))
}

/** Returns the first and last row in view, with some above and below; `undefined` if there is none. */
export function rowsInView(
	top: number,
	{ rows, height, rowHeight }: Extent,
	overscan: number,
): readonly [number, number] | undefined {
	if (rows === 0 || height <= 0) return undefined
	const first = Math.floor(top / rowHeight) - overscan
	const last = Math.ceil((top + height) / rowHeight) - 1 + overscan
	return [Math.max(0, Math.min(first, rows - 1)), Math.max(0, Math.min(last, rows - 1))]
}

/** The maximum number of rows that {@link rowsInView} returns, wherever the table is scrolled to. */
export const mostRowsInView = ({ rows, height, rowHeight }: Extent, overscan: number) =>
	Math.min(rows, Math.ceil(height / rowHeight) + 1 + 2 * overscan)

/** Returns the scroll position that reveals a row with the least movement. */
export function offsetToReveal(row: number, top: number, extent: Extent): number {
	const [above, below] = [row * extent.rowHeight, (row + 1) * extent.rowHeight]
	if (above < top) return above
	return below > top + extent.height ? Math.min(below - extent.height, maxRowOffset(extent)) : top
}
