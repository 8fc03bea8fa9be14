import type { Cell, Column, Row } from '../../host/ui-server/api.ts'
import { cellOf } from './cell-text.ts'
import { type CopyFormat, copyAs } from './copy.ts'
import type { Edits } from './edits.ts'
import type { GridColumns } from './grid-columns.ts'
import type { Rows } from './rows.ts'
import { rectangleOf, type Selection } from './selection.ts'

/** More rows than this at once are for a query or an export. */
const mostRows = 10_000

/** What is done with the selected cells; rows that are not here yet are fetched first. */
export function createGridActions(rows: Rows, columns: GridColumns, edits: Edits, selection: () => Selection) {
	const shownCell = (row: Row, place: { readonly column: Column; readonly index: number }): Cell => {
		const staged = edits.get(row.id)?.cells.get(place.column.name)
		return staged ? staged.after : cellOf(row, place.index)
	}

	/** The selected rows, and the selected columns with their place in the cells. */
	async function selected() {
		const { top, bottom, left, right } = rectangleOf(selection())
		const places = Array.from({ length: right - left + 1 }, (_, i) => columns.at(left + i)).filter(
			place => place !== undefined,
		)
		return { rows: await rows.fetch(top, Math.min(bottom, top + mostRows - 1)), places }
	}

	return {
		async copy(format: CopyFormat): Promise<void> {
			const { rows: found, places } = await selected()
			const copied = {
				columns: places.map(({ column }) => column.name),
				rows: found.map(row => places.map(place => shownCell(row, place))),
			}
			await navigator.clipboard.writeText(copyAs(format, copied))
		},

		/** Stages one value for every selected cell that can be changed, as one step of undo. */
		async setAll(value: Cell): Promise<void> {
			const { rows: found, places } = await selected()
			const editable = places.filter(({ column }) => !column.isReadOnly)
			edits.setCells(
				found.flatMap(row =>
					editable.map(({ column, index }) => ({ row, column, before: cellOf(row, index), after: value })),
				),
			)
		},

		/** Strikes the selected rows through, or takes that back where all of them are. */
		async toggleDeleted(): Promise<void> {
			edits.toggleDeleted((await selected()).rows)
		},
	}
}
