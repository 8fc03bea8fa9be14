import { batch, createEffect, createMemo, createSignal, on } from 'solid-js'
import { at, type CellSelection, rectangleOf, within } from '../../cells/selection.ts'
import type { GridColumns } from '../columns/grid-columns.ts'
import type { RowSource } from '../source.ts'
import type { Scrolling } from '../view/scrolling.ts'

/** The position in a grid: the focused cell with the selection, and ways to move it. */
export function createPlace(
	source: Pick<RowSource, 'count' | 'unnumbered' | 'at'>,
	columns: GridColumns,
	scrolling: Scrolling,
) {
	const [selection, setSelection] = createSignal<CellSelection>(at({ row: 0, column: 0 }))
	const [moves, setMoves] = createSignal(0)
	function select(next: CellSelection): void {
		batch(() => {
			setMoves(moves => moves + 1)
			setSelection(next)
		})
	}
	const size = createMemo(() => ({ rows: source.count(), columns: columns.count() }))
	const rectangle = createMemo(() => rectangleOf(selection(), size()))
	createEffect(on(size, now => now.rows > 0 && setSelection(before => within(before, now)), { defer: true }))
	// When columns appear, go or move, the focus stays on its column. Other selected columns may be elsewhere then.
	createEffect(
		on(
			columns.visible,
			(_, before = []) => {
				const { row, column } = selection().focus
				const next = columns.indexOf(before[column] ?? '')
				if (next >= 0 && next !== column) setSelection(at({ row, column: next }))
			},
			{ defer: true },
		),
	)
	// A new row at the top is revealed and selected; when one goes, the selection stays on its row.
	createEffect(
		on(
			source.unnumbered,
			(now, before = 0) => {
				if (now === before) return
				const { column, row } = selection().focus
				const focus = { row: now > before ? now - 1 : Math.max(0, row + now - before), column }
				setSelection(at(focus))
				if (now > before) scrolling.reveal(focus)
			},
			{ defer: true },
		),
	)

	// What opens below the grid must not cover the cell that the user works at.
	createEffect(
		on(
			() => scrolling.size().height,
			(height, before = 0) => {
				const { row } = selection().focus
				const end = scrolling.rowTop(row) + scrolling.shift() + scrolling.rowHeight() - scrolling.top()
				if (height < before && end > height && end <= before) scrolling.reveal(selection().focus)
			},
			{ defer: true },
		),
	)

	/** Returns the keys to the grid. */
	const toGrid = () => scrolling.element()?.focus()

	function choose(focus: CellSelection['focus']): void {
		select(at(focus))
		scrolling.reveal(focus)
		toGrid()
	}

	return {
		selection,
		/** Counts what the user selected. A query, or a new row, moves the selection without the user. */
		moves,
		setSelection: select,
		size,
		rectangle,
		toGrid,
		/** Shows the first row, and selects its cell in the same column. */
		toTop(): void {
			setSelection(at({ row: 0, column: selection().focus.column }))
			scrolling.scrollTo(0)
		},
		/** Selects a row by its number, counted from 1. */
		goToRow: (row: number) => choose({ row: source.unnumbered() + row - 1, column: selection().focus.column }),
		/** Reveals a column wherever it was hidden, and selects its cell. */
		goToColumn(name: string): void {
			columns.show([name], true)
			if (columns.indexOf(name) < 0) columns.fold(false)
			choose({ row: selection().focus.row, column: columns.indexOf(name) })
		},
		/** The focused row, if it has a number. */
		currentRow() {
			const { row } = selection().focus
			return row < source.unnumbered() ? undefined : source.at(row)
		},
	}
}
