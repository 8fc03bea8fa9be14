/**
 * All rows have the same height, and at most one has a block below it, so row positions are calculated, not measured. Chromium limits the height of a page to
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
	readonly block?: RowBlock | undefined
}

/** What is shown below a row, and its height in pixels. */
export interface RowBlock {
	readonly row: number
	readonly height: number
}

type Content = Omit<Extent, 'height'>

const contentHeight = ({ rows, rowHeight, block }: Content) => rows * rowHeight + (block?.height ?? 0)

/** The upper edge of a row, in pixels from the first one. */
export const rowTop = (row: number, { rowHeight, block }: Pick<Extent, 'rowHeight' | 'block'>) =>
	row * rowHeight + (block && row > block.row ? block.height : 0)

/** The row at a position in pixels from the first one. A block belongs to its row. */
export function rowAt(y: number, { rowHeight, block }: Pick<Extent, 'rowHeight' | 'block'>): number {
	const row = Math.floor(y / rowHeight)
	return block && row > block.row ? Math.max(block.row, Math.floor((y - block.height) / rowHeight)) : row
}

/** The height of the scrolled content. */
export const spacerHeight = (content: Content) => Math.min(contentHeight(content), maxSpacerHeight)

/** Returns whether scroll positions are scaled, so that one scrolled pixel stands for more than one pixel of rows. */
export const isScaled = (content: Content) => contentHeight(content) > maxSpacerHeight

/** The largest scroll position. */
export const maxRowOffset = (extent: Extent) => Math.max(0, contentHeight(extent) - extent.height)

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
export function rowsInView(top: number, extent: Extent, overscan: number): readonly [number, number] | undefined {
	const { rows, height } = extent
	if (rows === 0 || height <= 0) return undefined
	const first = rowAt(top, extent) - overscan
	const last = rowAt(Math.ceil(top + height) - 1, extent) + overscan
	return [Math.max(0, Math.min(first, rows - 1)), Math.max(0, Math.min(last, rows - 1))]
}

/** The maximum number of rows that {@link rowsInView} returns, wherever the table is scrolled to. */
export const mostRowsInView = ({ rows, height, rowHeight }: Extent, overscan: number) =>
	Math.min(rows, Math.ceil(height / rowHeight) + 1 + 2 * overscan)

/** Returns the scroll position that reveals a row with the least movement. */
export function offsetToReveal(row: number, top: number, extent: Extent): number {
	const above = rowTop(row, extent)
	const below = above + extent.rowHeight
	if (above < top) return above
	return below > top + extent.height ? Math.min(below - extent.height, maxRowOffset(extent)) : top
}
