import type { Cell, Column, Row } from '../../../host/ui-server/api.ts'
import { cellOf } from '../../cells/cell-text.ts'
import { count } from '../../words/format.ts'
import type { GridColumns } from '../columns/grid-columns.ts'
import type { Edits } from '../edit/edits.ts'
import { type CopyFormat, copyAs } from '../export/copy.ts'
import type { SelectedRows } from '../select/selected-rows.ts'
import { type CellSelection, rectangleOf } from '../select/selection.ts'

/** So many rows stand on the screen; of more the person should be told that they all were copied. */
const seenRows = 100

/** What is done with the selected cells. */
export function createGridActions(
	selected: SelectedRows,
	columns: GridColumns,
	edits: Edits,
	selection: () => CellSelection,
) {
	const shownCell = (row: Row, place: { readonly column: Column; readonly index: number }): Cell => {
		const staged = edits.get(row.id)?.cells.get(place.column.name)
		return staged ? staged.after : cellOf(row, place.index)
	}

	/** The selected columns, with their place in the cells. */
	function selectedColumns() {
		const { left, right } = rectangleOf(selection())
		return Array.from({ length: right - left + 1 }, (_, i) => columns.at(left + i)).filter(place => place !== undefined)
	}

	return {
		async copy(format: CopyFormat): Promise<void> {
			const places = selectedColumns()
			await selected.use('copied', async rows => {
				const copied = {
					columns: places.map(({ column }) => column.name),
					rows: rows.map(row => places.map(place => shownCell(row, place))),
				}
				await navigator.clipboard.writeText(copyAs(format, copied))
				if (rows.length > seenRows) selected.say(`Copied ${count(rows.length)} rows.`)
			})
		},

		/** Stages one value for every selected cell that can be changed, as one step of undo. */
		async setAll(value: Cell): Promise<void> {
			const editable = selectedColumns().filter(({ column }) => !column.isReadOnly)
			await selected.use('changed', rows =>
				edits.setCells(
					rows.flatMap(row =>
						editable.map(({ column, index }) => ({ row, column, before: cellOf(row, index), after: value })),
					),
				),
			)
		},

		/** Strikes the selected rows through, or takes that back where all of them are. */
		async toggleDeleted(): Promise<void> {
			await selected.use('deleted', rows => edits.toggleDeleted(rows))
		},
	}
}
