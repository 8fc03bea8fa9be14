import { isCutCell } from '@roundhouse/kit/cell'
import { createSignal } from 'solid-js'
import type { Cell, Row } from '../../../host/api/api.ts'
import { cellOf } from '../../cells/cell-text.ts'
import type { Move } from '../../cells/moves.ts'
import type { CellPosition } from '../../cells/selection.ts'
import type { IndexedColumn } from '../../grid/columns/indexed-column.ts'
import type { GridModel } from '../../grid/model.ts'
import type { CellEdits } from './edits.ts'
import type { EditedRows } from './sheet.ts'

export interface Editing {
	readonly place: CellPosition
	readonly row: Row
	readonly at: IndexedColumn
	readonly cell: Cell
	/** The typed character that started editing; it replaces the value. */
	readonly typed?: string
	/** What is typed ended before the editor could open: it is kept, and the focus moves on. */
	readonly ends?: Move
	/** In a dialog. */
	readonly isOpened: boolean
	readonly isReadOnly: boolean
}

const isJson = (cell: Cell) => typeof cell === 'object' && cell !== null && 'json' in cell

/** The cell that is being edited, and what becomes of its text. */
export function createCellEditing(options: {
	readonly sheet: EditedRows
	readonly edits: Pick<CellEdits, 'setCells'>
	readonly grid: Pick<GridModel, 'columns' | 'place' | 'selected'>
}) {
	const { sheet, edits } = options
	const { columns, place: gridPlace, selected } = options.grid
	const focus = () => gridPlace.selection().focus
	const isAt = ({ row, column }: CellPosition) => focus().row === row && focus().column === column
	const [editing, setEditing] = createSignal<Editing>()
	/** Counts the starts. A start that waits for a row ends if another one follows. */
	let starts = 0

	/** What is typed at a cell while its row is being read. */
	let early: { readonly place: CellPosition; readonly typed: string; readonly ends?: Move } | undefined

	async function begin(isOpened: boolean, key?: string): Promise<void> {
		const start = ++starts
		const place = focus()
		const row = sheet.at(place.row)
		const found = columns.at(place.column)
		if (!found) return
		const typed = early && isAt(early.place) ? `${early.typed}${key ?? ''}` : key
		let ends: Move | undefined
		if (row && sheet.ready) {
			early = typed === undefined ? undefined : { place, typed }
			await sheet.ready([row], [found])
			if (start !== starts || !isAt(place)) return
			ends = early?.ends
			early = undefined
		}
		// What was read may say more of the column.
		const at = columns.at(place.column) ?? found
		const lost = selected.whyLost()
		if (lost !== undefined) return selected.say(lost, () => selected.whyLost() !== undefined)
		if (!row) return selected.say('This row is still loading.')
		const reason = sheet.whyUnchangeable(row, at)
		const isReadOnly = reason !== undefined
		// Any value can be opened, so of a column that is never changed the reason would be no news.
		if (isReadOnly && (!isOpened || sheet.readOnlyReason(row, at))) selected.say(reason)
		if (isReadOnly && !isOpened) return
		const shown = sheet.cell(row, at)
		const whole = typed === undefined && isCutCell(shown) ? await sheet.whole(row) : undefined
		const cell = whole ? whole(at.column.name) : shown
		if (start !== starts || !isAt(place)) return
		// The contract stores the fragment of a cut array or object. Of a text or of bytes nothing is lost.
		if (typed === undefined && !isReadOnly && isCutCell(cell) && !isJson(cell)) {
			selected.say(`${at.column.name} is too long to be shown whole, and cannot be read whole, so it cannot be edited.`)
			return
		}
		setEditing({
			place,
			row,
			at,
			cell,
			isOpened,
			isReadOnly,
			...(typed !== undefined && { typed }),
			...(ends && { ends }),
		})
	}

	return {
		editing,
		/** Ends what is typed while its row is being read, as the key would in the editor. @returns whether anything was */
		endEarly(ends: Move): boolean {
			if (!early || !isAt(early.place)) return false
			early = { ...early, ends }
			return true
		},
		/** Opens the editor. A cut value is loaded whole first, so that saving does not shorten it. */
		start: (typed?: string) => begin(false, typed),
		/** Opens the value in a dialog; one that cannot be changed is read-only. */
		open: () => begin(true),
		/** Closes the editor, and stages typed text. */
		stop(next?: Cell): void {
			const edited = editing()
			setEditing(undefined)
			if (!edited || next === undefined) return
			const { row, at } = edited
			edits.setCells([{ row, column: at.column, before: cellOf(row, at.index), after: next }])
		},
	}
}
