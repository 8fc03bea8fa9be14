import type { Cell, Column, Row } from '../../../host/api/api.ts'
import { cellOf } from '../../cells/cell-text.ts'
import type { Rows } from '../rows/rows.ts'
import { changeIn, type SavedRow, type Settled } from './staged.ts'

/** What of a save changes the rows that are shown. */
export type Saved = Pick<Settled, 'rows' | 'inserted'>

/**
 * Shows saved values in the loaded rows, without reading these again.
 * @returns whether rows came or went, so that all must be read again
 */
export function showSaved(rows: Pick<Rows, 'patch'>, { rows: applied, inserted }: Saved): boolean {
	rows.patch((row, columns) => {
		const change = applied.get(row.id)
		return change && patched(row, columns, change)
	})
	return inserted > 0 || [...applied.values()].some(({ staged }) => staged.isDeleted)
}

/** Returns a row as it is after a save. A change of its key changes its id. */
function patched(
	row: Row,
	columns: readonly Column[],
	{ staged, rowId, version = row.version, values }: SavedRow,
): Row {
	const cells = columns.map(({ name }, index): Cell => {
		const [stored, change] = [values?.[name], changeIn(staged, name)]
		if (stored !== undefined) return stored
		return change ? change.after : cellOf(row, index)
	})
	return { id: rowId ?? row.id, cells, ...(version !== undefined && { version }) }
}
