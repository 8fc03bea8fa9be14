import { isCutCell } from '@roundhouse/kit/cell'
import { createSignal } from 'solid-js'
import type { Cell, Row } from '../../../host/api/api.ts'
import { cellOf } from '../../cells/cell-text.ts'
import type { Place } from '../../cells/selection.ts'
import type { GridColumns } from '../columns/grid-columns.ts'
import type { Edits } from '../edit/edits.ts'
import type { ColumnPlace } from '../rows/column-place.ts'
import type { Sheet } from '../sheet/sheet.ts'
import type { WholeRow } from './grid-actions.ts'

export interface Editing {
	readonly place: Place
	readonly row: Row
	readonly at: ColumnPlace
	readonly cell: Cell
	/** The typed character that started editing; it replaces the value. */
	readonly typed?: string
	/** In a dialog. */
	readonly isOpened: boolean
	/** Read-only. */
	readonly isReadOnly: boolean
}

export type CellEditing = ReturnType<typeof createCellEditing>

const isJson = (cell: Cell) => typeof cell === 'object' && cell !== null && 'json' in cell

/** The cell that is being edited, and what becomes of its text. */
export function createCellEditing(options: {
	readonly sheet: Sheet
	readonly columns: GridColumns
	readonly edits: Edits
	focus(): Place
	readonly wholeRow: WholeRow
	/** Why the focused row is not the selected one, if another row took its place. */
	whyLost(): string | undefined
	say(text: string, isTrue?: () => boolean): void
}) {
	const { sheet, columns, edits } = options
	const [editing, setEditing] = createSignal<Editing>()
	/** Counts the starts. A start that waits for a row ends if another one follows. */
	let starts = 0

	async function begin(isOpened: boolean, typed?: string): Promise<void> {
		const start = ++starts
		const place = options.focus()
		const row = sheet.at(place.row)
		const at = columns.at(place.column)
		if (!at) return
		const lost = options.whyLost()
		if (lost !== undefined) return options.say(lost, () => options.whyLost() !== undefined)
		if (!row) return options.say('This row is still loading.')
		const reason = sheet.whyUnchangeable(row, at)
		const isReadOnly = reason !== undefined
		// Any value can be opened, so of a column that is never changed the reason would be no news.
		if (isReadOnly && (!isOpened || sheet.readOnlyReason(row, at))) options.say(reason)
		if (isReadOnly && !isOpened) return
		const shown = sheet.cell(row, at)
		const whole = typed === undefined && isCutCell(shown) ? await options.wholeRow(row) : undefined
		const cell = whole ? whole(at.column.name) : shown
		if (options.focus() !== place || start !== starts) return
		// The contract stores the fragment of a cut array or object. Of a text or of bytes nothing is lost.
		if (typed === undefined && !isReadOnly && isCutCell(cell) && !isJson(cell)) {
			options.say(`${at.column.name} is too long to be shown whole, and cannot be read whole, so it cannot be edited.`)
			return
		}
		setEditing({ place, row, at, cell, isOpened, isReadOnly, ...(typed !== undefined && { typed }) })
	}

	return {
		editing,
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
