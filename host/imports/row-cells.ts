import { type Cell, type Column, cutText, type Json, missingCell, stringifyJson } from '@roundhouse/kit'
import { readInput, readJsonValue, readNonFinite, type Typed } from '@roundhouse/kit/cell-input'
import { withoutGuard } from '@roundhouse/kit/csv'
import type { Manifest } from '@roundhouse/kit/manifest'
import { type FileFormat, isGuarded } from './file-format.ts'
import type { FileRow } from './file-row.ts'

/** A field of the file, and the column that takes its values. */
export interface MappedColumn {
	readonly field: string
	readonly column: Column
}

export type RowCells = { readonly cells: readonly Cell[] } | { readonly fault: string }

/** How the text of values is read. */
export interface ValueForm {
	readonly format: FileFormat
	/** How a field of CSV has bytes (the manifest's `csvBytes`). */
	readonly csvBytes: Manifest['csvBytes']
}

/** Returns the cells of a row in the order of the mapping, or why it has none. What the file lacks is missing. */
export function cellsOf(row: FileRow, mapping: readonly MappedColumn[], form: ValueForm): RowCells {
	if ('fault' in row) return row
	const cells: Cell[] = []
	for (const { field, column } of mapping) {
		const value = row.values.get(field)
		const isText = form.format.format === 'csv' && typeof value === 'string'
		const read = isText ? cellOfText(column, value, form) : cellOfJson(column, value)
		if ('fault' in read) return { fault: `${column.name} is ${read.fault}: ${shortText(value)}` }
		cells.push(read.cell)
	}
	return { cells }
}

const longestValue = 60

/** Returns a value as JSON, as long as a line of the report has room for it. */
const shortText = (value: Json | undefined) => cutText(stringifyJson(value ?? null), longestValue)

function cellOfText({ kind }: Column, text: string, { format, csvBytes }: ValueForm): Typed {
	switch (kind) {
		case 'binary':
			return csvBytes === 'hex' ? hexBytes(text) : readJsonValue(kind, text)
		case 'boolean':
			return readInput(kind, text)
		case 'number': {
			// The engine reads numbers that JSON does not have.
			const special = readNonFinite(text)
			return special === undefined ? readInput('number', text) : { cell: special }
		}
		case 'json': {
			const read = readInput('json', text)
			// The text itself: some engines keep its blanks, and `null` and `"a"` are JSON too.
			return 'fault' in read ? read : { cell: { json: text } }
		}
		default:
			return { cell: isGuarded(format) ? withoutGuard(text) : text }
	}
}

const cellOfJson = ({ kind }: Column, value: Json | undefined): Typed =>
	value === undefined ? { cell: missingCell } : readJsonValue(kind, value)

/** Base64 would be read too, but the same text may be bytes in another form of the engine. */
function hexBytes(text: string): Typed {
	const fault = 'not hexadecimal: \\x, then two digits for each byte'
	return text.startsWith('\\x') ? readInput('bytes', text) : { fault }
}
