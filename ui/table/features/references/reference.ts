import { isCutCell } from '@roundhouse/kit/cell'
import type { Reference } from '../../../../host/api/api.ts'
import { cellOf, copyText } from '../../../cells/cell-text.ts'
import type { ShownFilter } from '../../../state/tab.ts'
import type { OpenTable } from '../../open-table.ts'

/** Rows of another table that a cell refers to. */
export interface FoundReference {
	readonly table: string
	readonly filters: readonly ShownFilter[]
}

/** Returns what the focused cell refers to, if its column is part of a reference and its row has all values of it. */
export function referenceAt(table: OpenTable): FoundReference | undefined {
	const { rows, columns, place } = table
	const name = columns.at(place.selection().focus.column)?.column.name
	const reference = rows.references().find(({ columns }) => columns.includes(name ?? ''))
	return reference && found(table, reference)
}

/** Returns the rows of other tables that refer to the focused row, one entry for each reference. */
export function referrersAt(table: OpenTable): readonly FoundReference[] {
	return table.rows
		.referrers()
		.map(reference => found(table, reference))
		.filter(one => one !== undefined)
}

/** Returns the rows of a reference, if the focused row has all of its values. */
function found({ rows, place, sheet }: OpenTable, reference: Reference): FoundReference | undefined {
	const row = sheet.at(place.selection().focus.row)
	if (!row) return undefined
	const filters = reference.columns.map((name, index): ShownFilter | undefined => {
		const at = rows.columns().findIndex(column => column.name === name)
		const cell = cellOf(row, at)
		const isValue = cell !== null && !(typeof cell === 'object' && 'missing' in cell) && !isCutCell(cell)
		return isValue ? { column: reference.to[index] ?? name, operator: 'equals', text: copyText(cell) } : undefined
	})
	const known = filters.filter(filter => filter !== undefined)
	return known.length === filters.length ? { table: reference.table, filters: known } : undefined
}
