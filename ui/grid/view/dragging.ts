import { onCleanup } from 'solid-js'
import { at, type CellPosition, type CellSelection, isWithin, type Rectangle } from '../../cells/selection.ts'
import { followPointer } from '../../controls/follow-pointer.ts'
import type { Scrolling } from './scrolling.ts'

/** Share of the distance beyond the edge that is scrolled in each frame. */
const pull = 0.4

/** Selects by mouse: cells, or whole rows by their numbers. Beyond the edge the table scrolls. */
export function createDragging(options: {
	readonly scrolling: Scrolling
	selection(): CellSelection
	rectangle(): Rectangle
	onSelect(selection: CellSelection): void
}) {
	const { scrolling } = options
	let stop = () => {}
	onCleanup(() => stop())

	function drag(isRows: boolean, started: MouseEvent): void {
		let pointer: Pick<MouseEvent, 'clientX' | 'clientY'> = started
		let frame = 0
		const extend = () => {
			const { row, column } = scrolling.placeAt(pointer)
			const { anchor, focus, ...span } = options.selection()
			const next = { row, column: isRows ? focus.column : Math.max(0, column) }
			if (next.row === focus.row && next.column === focus.column) return
			options.onSelect({ anchor, focus: next, ...span })
		}
		const follow = () => {
			frame = 0
			const [x, y] = beyond(pointer)
			if (x === 0 && y === 0) return
			scrolling.element()?.scrollBy(x * pull, 0)
			scrolling.scrollTo(scrolling.top() + y * pull)
			extend()
			frame = requestAnimationFrame(follow)
		}
		stop()
		const release = followPointer(event => {
			pointer = event
			extend()
			if (frame === 0) frame = requestAnimationFrame(follow)
		})
		const end = () => {
			cancelAnimationFrame(frame)
			release()
			removeEventListener('mouseup', end)
		}
		addEventListener('mouseup', end)
		stop = end
	}

	/** How far the pointer is beyond the scrolling part. */
	function beyond({ clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>): readonly [x: number, y: number] {
		const rows = scrolling.rowsBox()
		const past = (at: number, low: number, high: number) => (at < low ? at - low : at > high ? at - high : 0)
		return [past(clientX, rows.left, rows.right), past(clientY, rows.top, rows.bottom)]
	}

	return {
		onMouseDown(event: MouseEvent): void {
			const { anchor, focus } = options.selection()
			const clicked = event.target instanceof HTMLElement ? event.target : null
			const target = clicked?.closest<HTMLElement>('[data-row] > *')
			if (event.button === 1) return
			// Beside the last column there is no cell, but a menu there is about the row.
			if (!target && clicked?.dataset.row !== undefined)
				options.onSelect(at({ row: Number(clicked.dataset.row), column: focus.column }))
			if (!target) return
			const { row, column } = placeOf(target)
			const isRows = column < 0
			const place = { row, column: isRows ? focus.column : column }
			// A right click inside the selection applies to the selection.
			if (event.button === 2 && isWithin({ row, column: Math.max(0, column) }, options.rectangle())) return
			const begun = event.shiftKey ? { anchor, focus: place } : at(place)
			options.onSelect(isRows ? { ...begun, span: 'rows' } : begun)
			if (event.button === 0) drag(isRows, event)
		},
	}
}

/** The clicked position, read from the node: this is what the user saw, also during a scroll. */
function placeOf(cell: HTMLElement): CellPosition {
	return { row: Number(cell.parentElement?.dataset.row), column: Number(cell.dataset.column ?? -1) }
}
