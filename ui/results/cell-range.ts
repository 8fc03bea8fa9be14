import { createSignal } from 'solid-js'
import { moveOf } from '../cells/moves.ts'
import { at, type CellSelection, isWithin, moved, type Place, rectangleOf, within } from '../cells/selection.ts'
import { followPointer } from '../controls/follow-pointer.ts'

/** Returns the place of a cell, with column -1 for the number of a row; `undefined` elsewhere. */
export function placeOf(element: EventTarget | null): Place | undefined {
	const cell = element instanceof Element ? element.closest<HTMLElement>('tbody tr[data-row] > *') : null
	if (!cell) return undefined
	return { row: Number(cell.parentElement?.dataset.row), column: Number(cell.dataset.column ?? -1) }
}

const origin: CellSelection = at({ row: 0, column: 0 })
const pageRows = 10
/** Share of the distance beyond the edge that each move of the pointer scrolls. */
const pull = 0.4

/** The selected cells of a table, by mouse and by keys as in the grid. The cell with the focus has that of the browser. */
export function createCellRange(options: {
	table(): HTMLTableElement | undefined
	size(): { readonly rows: number; readonly columns: number }
}) {
	const [selected, setSelected] = createSignal(origin)
	const selection = () => within(selected(), options.size())
	const rectangle = () => rectangleOf(selection(), options.size())

	function select(next: CellSelection): void {
		setSelected(next)
		const { row, column } = next.focus
		options.table()?.querySelector<HTMLElement>(`tr[data-row="${row}"] > [data-column="${column}"]`)?.focus()
	}

	/** @returns whether the key selects */
	function onKey(event: KeyboardEvent): boolean {
		const isCommand = event.ctrlKey || event.metaKey
		const { anchor, focus } = selection()
		const step = event.altKey ? undefined : moveOf(event, pageRows)
		if (step) select(moved(selection(), step, { size: options.size(), isExtending: event.shiftKey }))
		else if (isCommand && event.key.toLowerCase() === 'a') select({ anchor, focus, span: 'all' })
		else if (event.key === ' ' && (event.shiftKey || isCommand))
			select({ anchor, focus, span: event.shiftKey ? 'rows' : 'columns' })
		else return false
		return true
	}

	function onMouseDown(event: MouseEvent): void {
		const place = placeOf(event.target)
		if (!place || event.button === 1) return
		// The browser would begin to mark text.
		event.preventDefault()
		const isRows = place.column < 0
		const { anchor, focus } = selection()
		const to = isRows ? { row: place.row, column: focus.column } : place
		// A right click inside the selection applies to the selection.
		if (event.button === 2 && isWithin(to, rectangle())) return
		const begun = event.shiftKey ? { anchor, focus: to } : at(to)
		select(isRows ? { ...begun, span: 'rows' } : begun)
		if (event.button === 0) followPointer(drag)
	}

	function drag({ clientX, clientY }: MouseEvent): void {
		const scroller = options.table()?.parentElement
		const box = scroller?.getBoundingClientRect()
		if (scroller && box) {
			const past = (value: number, low: number, high: number) => (value < low ? value - low : Math.max(0, value - high))
			scroller.scrollBy(past(clientX, box.left, box.right) * pull, past(clientY, box.top, box.bottom) * pull)
		}
		const under = document.elementFromPoint(clientX, clientY)
		const place = scroller?.contains(under) ? placeOf(under) : undefined
		if (!place) return
		const { focus, ...rest } = selection()
		setSelected({ ...rest, focus: { row: place.row, column: place.column < 0 ? focus.column : place.column } })
	}

	return { selection, rectangle, select, onKey, onMouseDown }
}
