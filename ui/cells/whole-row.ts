import { isCutCell, isUnreadCell } from '@roundhouse/kit/cell'
import { newValue, readJsonValue } from '@roundhouse/kit/cell-input'
import { rawText, type WithRaw } from '@roundhouse/kit/encoded'
import { type Json, parseJson } from '@roundhouse/kit/json'
import type { Cell, Column } from '../../host/api/api.ts'
import { shownValueAt } from './value-at.ts'

/** Returns the document of a row that was read whole, with every digit. */
export function documentOf(row: WithRaw): Json {
	return parseJson(rawText(row))
}

/**
 * Returns the cell of a column as a page shows it, with the whole value from the document of its row. A key or a computed
 * value that is not in the document stays as shown.
 */
export function wholeCell(document: Json, { name, kind, isReadOnly }: Column, shown: Cell): Cell {
	const value = shownValueAt(document, name)
	// The beginning that is shown is somewhere else in the row.
	const isElsewhere = isReadOnly !== false || isCutCell(shown)
	if (value === undefined) return isElsewhere && !isUnreadCell(shown) ? shown : { missing: true }
	// Bytes are a base64 string in the document of a row.
	const isShownAsBytes = typeof shown === 'object' && shown !== null && 'bytes' in shown
	const isBytes = isShownAsBytes || (isUnreadCell(shown) && kind === 'binary')
	const read = readJsonValue(isBytes ? 'binary' : kind === 'json' ? kind : 'other', value)
	return 'fault' in read ? newValue(value) : read.cell
}
