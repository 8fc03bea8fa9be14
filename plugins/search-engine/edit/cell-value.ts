import { type Cell, cutText, DriverError, fromCell, isCutCell, type Json, stringifyJson } from '@roundhouse/kit'
import { isMetaColumn } from '../mapping/columns.ts'
import { isNumeric } from '../mapping/field-type.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { typedValue } from '../query/typed-value.ts'
import { named } from '../transport/engine-words.ts'
import { faultOfValue } from './fit.ts'

export interface EditedCell {
	readonly mapping: Mapping
	/** Whether the value belongs to a new document. */
	readonly isNew?: boolean
	/** Index of the document, if the mapping is that of several indices, which may disagree about the field. */
	readonly index?: string
}

/**
 * Returns the JSON value of an edited cell, typed by its column, or `undefined` to remove the field.
 *
 * A cut cell stores its remaining text, as the contract requires (part B, "Saving an edit"). The
 * window warns first.
 *
 * @throws DriverError `invalid_argument` if the column cannot be edited or the value does not match it.
 */
export function valueOfCell(
	column: string,
	cell: Cell,
	{ mapping, isNew = false, index }: EditedCell,
): Json | undefined {
	refuseReadOnly(column, mapping)
	const value = decode(column, cell)
	// A new document has no fields that a whole object would replace, and an array has no separately editable fields.
	if (!isNew && !Array.isArray(value)) refuseWholeObject(column, mapping)
	const known = mapping.fields.get(column)
	const field = known?.variants?.find(({ indices }) => index !== undefined && indices.includes(index))?.field ?? known
	if (value === undefined || field === undefined || isCutCell(cell)) return value
	const isTyped = field.type === 'boolean' || isNumeric(field.type)
	const typed = isTyped ? typedIn(value, field.type, column) : value
	const why = faultOfValue(typed, field)
	if (why === undefined) return typed
	throw refused(`${cutText(stringifyJson(typed), 60)} does not match ${column} (${named(field.type)}): ${why}`)
}

/** Types a text, and the texts in a list: AI clients write long numbers as text. */
function typedIn(value: Json, type: string, column: string): Json {
	if (typeof value === 'string') return typedValue(value, type, column)
	return Array.isArray(value) ? value.map(item => typedIn(item, type, column)) : value
}

function refuseReadOnly(column: string, mapping: Mapping) {
	if (isMetaColumn(column)) throw refused(`${column} is document metadata and cannot be edited`)
	const field = mapping.fields.get(column)
	if (field?.aliasOf !== undefined)
		throw refused(`${column} is another name for ${named(field.aliasOf)}. Edit that column instead`)
	if (field?.isRuntime) throw refused(`${column} is computed when it is read and cannot be edited`)
	const parent = field?.nestedIn.at(-1)
	if (parent !== undefined)
		throw refused(`${column} contains one value for each element. Edit the array in ${named(parent)} instead`)
}

function refuseWholeObject(column: string, { objects, fields }: Mapping) {
	if (objects.has(column) && !fields.has(column)) throw refused(`${column} is an object. Edit its fields instead`)
}

function decode(column: string, cell: Cell): Json | undefined {
	try {
		return fromCell(cell)
	} catch {
		throw refused(`The value of ${column} is not valid JSON`)
	}
}

export function refused(reason: string): DriverError {
	return new DriverError('invalid_argument', `${reason}.`)
}
