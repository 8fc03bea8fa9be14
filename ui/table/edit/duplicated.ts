import { isJsonObject, type Json, stringifyJson } from '@roundhouse/kit/json'
import type { Column } from '../../../host/api/api.ts'
import { withValueAt } from '../../cells/value-at.ts'
import type { Draft } from './insert-dialog.tsx'

/** A row that was read whole. */
export interface WholeDocument {
	readonly document: Json
	/** The columns whose `null` is a null of JSON. */
	readonly jsonNulls: readonly string[]
}

/**
 * Returns the draft of a new row with the values of another one. It lacks the key, which is another row's, and what only
 * the engine sets.
 */
export function duplicated({ document: row, jsonNulls }: WholeDocument, columns: readonly Column[]): Draft | undefined {
	if (!isJsonObject(row)) return undefined
	const left = columns.filter(
		({ isKey, isReadOnly, generated }) => isKey || isReadOnly === true || generated === 'always',
	)
	const values = left.reduce((rest, { name }) => withValueAt(rest, name, undefined), row)
	return { keys: {}, text: stringifyJson(values, 2), jsonNulls }
}
