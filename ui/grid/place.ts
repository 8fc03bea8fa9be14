import { createEffect, createMemo, createSignal, on } from 'solid-js'
import type { GridColumns } from './columns/grid-columns.ts'
import { at, type CellSelection, rectangleOf, within } from './select/selection.ts'
import type { Sheet } from './sheet/sheet.ts'
import type { Scrolling } from './view/scrolling.ts'

/** Where in a grid the person is: the cell in focus with what is selected around it, and the ways to another place. */
export function createPlace(sheet: Sheet, columns: GridColumns, scrolling: Scrolling) {
	const [selection, setSelection] = createSignal<CellSelection>(at({ row: 0, column: 0 }))
	const size = createMemo(() => ({ rows: sheet.count(), columns: columns.count() }))
	const rectangle = createMemo(() => rectangleOf(selection(), size()))
	createEffect(on(size, now => now.rows > 0 && setSelection(before => within(before, now)), { defer: true }))
	// A new row is shown and chosen; where one goes, the selection stays on the row that it is on.
	createEffect(
		on(
			sheet.insertedCount,
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

	/** The keys are the grid's again. */
	const toGrid = () => scrolling.element()?.focus()

	function choose(focus: CellSelection['focus']): void {
		setSelection(at(focus))
		scrolling.reveal(focus)
		toGrid()
	}

	return {
		selection,
		setSelection,
		size,
		rectangle,
		toGrid,
		/** Chooses a row of the table by its number, which counts from 1. */
		goToRow: (row: number) => choose({ row: sheet.insertedCount() + row - 1, column: selection().focus.column }),
		/** Brings a column into view, wherever it was put away, and chooses its cell. */
		goToColumn(name: string): void {
			columns.show([name], true)
			if (columns.indexOf(name) < 0) columns.fold(false)
			choose({ row: selection().focus.row, column: columns.indexOf(name) })
		},
		/** The row in focus, where it is one that the engine has. */
		currentRow() {
			const { row } = selection().focus
			return row < sheet.insertedCount() ? undefined : sheet.at(row)
		},
	}
}
