import { batch, createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js'
import type { Column } from '../../../host/api/api.ts'
import type { CellPosition } from '../../cells/selection.ts'
import { rowHeight as usualRowHeight } from '../../state/appearance.ts'
import { mostColumnsInView } from '../columns/column-order.ts'
import type { GridColumns } from '../columns/grid-columns.ts'
import {
	type Extent,
	isScaled,
	maxRowOffset,
	mostRowsInView,
	offsetToReveal,
	type RowBlock,
	rowAt,
	rowOffsetOf,
	rowsInView,
	rowTop,
	scrollTopOf,
	spacerHeight,
} from './row-scale.ts'
import { poolSize, slots } from './slots.ts'

/** The visible part of the rows, in pixels of the whole table. */
export interface VisibleRows {
	readonly left: number
	readonly top: number
	readonly right: number
	readonly bottom: number
}

export const headHeight = 32
/** Rows and columns drawn beyond the view, so that a short scroll shows no edge. */
const rowsBeyond = 6
const columnsBeyond = 2

/** Texts of these kinds may end at the edge of the view, with this room or more. Numbers and dates are whole. */
const shrinking: ReadonlySet<Column['kind']> = new Set(['text', 'json'])
const leastShrunk = 96
/** At the right of a text. */
const cellPadding = 10

/** The offset at which a row has some rows above it. */
export const topOf = (row: number, rowHeight: number = usualRowHeight()) => Math.max(0, row - 8) * rowHeight

/** The visible part of a table, and ways to scroll it. */
export function createScrolling(rowCount: () => number, columns: GridColumns) {
	const [element, setElement] = createSignal<HTMLElement>()
	const [size, setSize] = createSignal({ width: 0, height: 0 })
	const [top, setTop] = createSignal(0)
	const [left, setLeft] = createSignal(0)
	/** The user is about to scroll to the side, which the browser does before it asks. */
	const [isBeginning, setBeginning] = createSignal(false)
	/** The last position set by code; an event for it is no scroll by the user. */
	const [scrollTop, setScrollTop] = createSignal(0)
	/** In pixels; of all rows the same. */
	const rowHeight = () => columns.rowHeight()
	const [block, setBlock] = createSignal<RowBlock>()
	const extent = (): Extent => ({ rows: rowCount(), height: size().height, rowHeight: rowHeight(), block: block() })

	function scrollTo(next: number): void {
		const scroller = element()
		if (!scroller) return
		const clamped = Math.max(0, Math.min(next, maxRowOffset(extent())))
		// A hidden tab does not scroll, and comes back where it was. It scrolls once it is shown.
		if (scroller.clientHeight === 0) return void setTop(Math.round(clamped))
		scroller.scrollTop = scrollTopOf(clamped, extent())
		batch(() => {
			setScrollTop(scroller.scrollTop)
			setTop(isScaled(extent()) ? Math.round(clamped) : scroller.scrollTop)
		})
	}

	function follow(scroller: HTMLElement): void {
		batch(() => {
			setLeft(scroller.scrollLeft)
			if (isScaled(extent()) && Math.abs(scroller.scrollTop - scrollTop()) < 1) return
			setScrollTop(scroller.scrollTop)
			setTop(rowOffsetOf(scroller.scrollTop, extent()))
		})
	}

	/** On a scaled spacer the wheel would skip thousands of rows a step. */
	function onWheel(event: WheelEvent): void {
		if (event.deltaX !== 0 || event.shiftKey) setBeginning(true)
		if (!isScaled(extent()) || event.ctrlKey || event.shiftKey || event.deltaY === 0) return
		event.preventDefault()
		const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? rowHeight() : 1
		const step = event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? size().height : unit
		element()?.scrollBy(event.deltaX * step, 0)
		scrollTo(top() + event.deltaY * step)
	}

	function attach(scroller: HTMLElement): void {
		setElement(scroller)
		let isHidden = false
		// Not by `scroll-snap`, which goes with its element when a header is taken for another column.
		const toStart = () => {
			// Not read from the element, which would be laid out for it.
			const start = columns.nearestStart(left())
			if (!isHidden && start !== left()) scroller.scrollLeft = start
			setBeginning(false)
		}
		// A tab that is shown again scrolls to where it was, which another position may have replaced.
		const onScroll = () => isHidden || follow(scroller)
		scroller.addEventListener('scroll', onScroll, { passive: true })
		scroller.addEventListener('scrollend', toStart, { passive: true })
		scroller.addEventListener('wheel', onWheel, { passive: false })
		// The scrollbar belongs to the scroller, and a finger may go anywhere.
		scroller.addEventListener('pointerdown', ({ target, pointerType }) => {
			if (target === scroller || pointerType !== 'mouse') setBeginning(true)
		})
		const observer = new ResizeObserver(() => {
			const wasHidden = isHidden
			isHidden = scroller.clientHeight === 0
			// A hidden tab keeps its previous size.
			if (isHidden) return
			batch(() => {
				setSize({ width: scroller.clientWidth, height: Math.max(0, scroller.clientHeight - headHeight) })
				columns.setViewWidth(scroller.clientWidth)
			})
			toStart()
			if (wasHidden) scrollTo(top())
		})
		observer.observe(scroller)
		onCleanup(() => observer.disconnect())
	}

	// When the count changes, a position in a scaled table needs another scroll position.
	createEffect(
		on(
			createMemo(rowCount),
			() => {
				const scroller = element()
				if (!scroller || !isScaled(extent())) return
				// The event of a scroll by the user may still be pending.
				follow(scroller)
				scrollTo(top())
			},
			{ defer: true },
		),
	)

	// The first row in view stays when the rows become higher or lower.
	createEffect(
		on(rowHeight, (now, before) => {
			if (before === undefined || before === now) return
			const row = top() / before
			// After the space for all rows has its new height.
			queueMicrotask(() => scrollTo(row * now))
		}),
	)

	const inView = createMemo(() => rowsInView(top(), extent(), rowsBeyond), undefined, {
		equals: (a, b) => a?.[0] === b?.[0] && a?.[1] === b?.[1],
	})
	/** The visible columns that are not pinned. */
	const columnsInView = createMemo(
		() => {
			const pinned = columns.pinnedWidth()
			const first = columns.indexAt(left() + pinned) - columnsBeyond
			const last = columns.indexAt(left() + size().width) + columnsBeyond
			return [Math.max(columns.pinnedCount(), first), Math.min(last, columns.count() - 1)] as const
		},
		undefined,
		{ equals: (a, b) => a?.[0] === b[0] && a[1] === b[1] },
	)

	/** The column that the right edge of the view would leave in the middle of a letter, and the width that is left of it. */
	const endAt = createMemo(() => {
		const index = columns.indexAt(left() + size().width)
		const start = columns.lefts()[index] ?? 0
		const isWhole = start + columns.width(index) - cellPadding <= left() + size().width
		// One that is wider than the view is read by scrolling.
		const isAlone = start <= left() + columns.pinnedWidth()
		return isWhole || isAlone || index < columns.pinnedCount() ? -1 : index
	})
	const endWidth = createMemo(() => {
		const room = left() + size().width - (columns.lefts()[endAt()] ?? 0)
		const canShrink = shrinking.has(columns.at(endAt())?.column.kind ?? 'other')
		return canShrink && room >= leastShrunk ? room : 0
	})

	const rowPool = createMemo<number>(before => poolSize(mostRowsInView(extent(), rowsBeyond), before), 0)
	const columnPool = createMemo(() => {
		const most = mostColumnsInView(columns.lefts(), columns.totalWidth(), size().width - columns.pinnedWidth())
		return Math.min(most + 2 * columnsBeyond, columns.count() - columns.pinnedCount())
	})

	const shift = () => (isScaled(extent()) ? top() - scrollTop() : 0)

	return {
		attach,
		element,
		size,
		top,
		left,
		/**
		 * Whether numbers and pinned cells must stick to the left edge. Each that sticks is a layer of the compositor, which
		 * costs a scroll down a fifth of its time.
		 */
		isSideways: () => left() > 0 || isBeginning(),
		scrollTo,
		/** How far rows are drawn above their nominal position. */
		shift,
		spacer: () => spacerHeight(extent()),
		rowHeight,
		/** The upper edge of a row, where it is drawn. */
		rowTop: (row: number) => rowTop(row, extent()) - shift(),
		/** What is shown below one of the rows. */
		block,
		/** Shows a block below a row, or none. The first row in view stays where it is. */
		setBlock(next: RowBlock | undefined): void {
			const first = rowAt(top(), extent())
			const past = Math.min(top() - rowTop(first, extent()), rowHeight())
			setBlock(next)
			const wanted = rowTop(first, extent()) + past
			// After the space for all rows has its new height.
			if (wanted !== top()) queueMicrotask(() => scrollTo(wanted))
		},
		inView,
		/** The visible part of the rows in pixels of the table; without the pinned columns for a cell that scrolls. */
		visible(isPinned: boolean): VisibleRows {
			const start = top() - shift()
			const { width, height } = size()
			return {
				left: left() + (isPinned ? 0 : columns.pinnedWidth()),
				top: start,
				right: left() + width,
				bottom: start + height,
			}
		},
		/** The scrolling part of the screen. */
		rowsBox() {
			const box = element()?.getBoundingClientRect() ?? new DOMRect()
			const [top, left] = [box.top + headHeight, box.left + columns.pinnedWidth()]
			return { top, left, bottom: box.top + headHeight + size().height, right: box.left + size().width }
		},
		pageRows: () => Math.max(1, Math.floor(size().height / rowHeight()) - 1),
		rowSlots: createMemo(() => {
			const range = inView()
			const size = rowPool()
			return range ? slots(Math.max(0, Math.min(range[0], rowCount() - size)), size) : []
		}),
		/**
		 * The position of a column; hidden while there is none. The last one in view is whole, or its texts end at the
		 * edge, or it is not seen until the view is scrolled to it.
		 */
		columnStyle(index: number) {
			const at = { left: `${columns.lefts()[index] ?? -9999}px`, width: `${columns.width(index)}px`, opacity: '' }
			if (index !== endAt()) return at
			return endWidth() > 0 ? { ...at, width: `${endWidth()}px` } : { ...at, opacity: '0' }
		},
		/** The pinned columns. */
		pinnedSlots: createMemo(() => Array.from({ length: columns.pinnedCount() }, (_, index) => index)),
		columnSlots: createMemo(() => {
			const size = columnPool()
			return slots(Math.min(columnsInView()[0], columns.count() - size), size)
		}),

		hasRow(row: number): boolean {
			const [first, last] = inView() ?? [0, -1]
			return first <= row && row <= last
		},
		hasColumn(column: number): boolean {
			const [first, last] = columnsInView()
			return column < columns.pinnedCount() || (first <= column && column <= last)
		},

		/** Reveals the block below a row with the least movement, from its row on if it is higher than the view. */
		revealBlock(): void {
			const shown = block()
			if (!shown) return
			const above = rowTop(shown.row, extent())
			const past = above + rowHeight() + shown.height - top() - size().height
			if (above < top() || past > 0) scrollTo(Math.min(above, top() + Math.max(0, past)))
		},

		/** Reveals a cell with the least movement after which a column begins beside the pinned ones. */
		reveal({ row, column }: CellPosition): void {
			const next = offsetToReveal(row, top(), extent())
			if (next !== top()) scrollTo(next)
			if (column < columns.pinnedCount()) return
			const start = columns.lefts()[column] ?? 0
			const end = start + columns.width(column)
			const scroller = element()
			if (!scroller) return
			const most = start - columns.pinnedWidth()
			if (most < left()) scroller.scrollLeft = most
			else if (end > left() + size().width) scroller.scrollLeft = Math.min(most, columns.snapped(end - size().width))
			setLeft(scroller.scrollLeft)
		},

		/** The left edge of a column on the screen. */
		screenLeft(column: number): number {
			const own = (columns.lefts()[column] ?? 0) - (column < columns.pinnedCount() ? 0 : left())
			return (element()?.getBoundingClientRect().left ?? 0) + own
		},

		/** The cell at a point of the screen, or the nearest one; column -1 is the row number. */
		placeAt({ clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>): CellPosition {
			const scroller = element()
			// The scroll event may still be pending.
			if (scroller) follow(scroller)
			const box = scroller?.getBoundingClientRect()
			const [x, y] = [clientX - (box?.left ?? 0), clientY - (box?.top ?? 0) - headHeight]
			const row = rowAt(top() + Math.max(0, Math.min(y, size().height - 1)), extent())
			const within = Math.max(0, Math.min(x, size().width - 1))
			const column = columns.indexAt(within < columns.pinnedWidth() ? within : within + left())
			return { row: Math.max(0, Math.min(row, rowCount() - 1)), column }
		},
	}
}
export type Scrolling = ReturnType<typeof createScrolling>
