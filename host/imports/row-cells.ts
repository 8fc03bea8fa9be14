import { type Cell, type Column, type Json, missingCell } from '@roundhouse/kit'
import { type InputKind, newValue, readInput, type Typed } from '@roundhouse/kit/cell-input'
import type { FileFormat } from './file-format.ts'
import type { FileRow } from './file-row.ts'

/** A field of the file, and the column that takes its values. */
export interface MappedColumn {
	readonly field: string
	readonly column: Column
}

export type RowCells = { readonly cells: readonly Cell[] } | { readonly fault: string }

/** Returns the cells of a row in the order of the mapping, or why it has none. What the file lacks is missing. */
export function cellsOf(row: FileRow, mapping: readonly MappedColumn[], { format }: FileFormat): RowCells {
	if ('fault' in row) return row
	const cells: Cell[] = []
	for (const { field, column } of mapping) {
		const value = row.values.get(field)
		const read = format === 'csv' && typeof value === 'string' ? cellOfText(column, value) : cellOfJson(column, value)
		if ('fault' in read) return { fault: `${column.name} is ${read.fault}` }
		cells.push(read.cell)
	}
	return { cells }
}

function cellOfText(column: Column, text: string): Typed {
	if (column.kind === 'binary') return bytesOf(text)
	// Spreadsheets write TRUE.
	return readInput(inputKind(column), column.kind === 'boolean' ? text.trim().toLowerCase() : text)
}

function cellOfJson(column: Column, value: Json | undefined): Typed {
	if (value === undefined) return { cell: missingCell }
	return column.kind === 'binary' && typeof value === 'string' ? bytesOf(value) : { cell: newValue(value) }
}

/** Exports write bytes as base64. Text of SQL clients has `\x` before hexadecimal digits. */
function bytesOf(text: string): Typed {
	if (text.startsWith('\\x')) return readInput('bytes', text)
	const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)
	return isBase64 ? { cell: { bytes: text } } : { fault: 'not base64' }
}

const inputKind = ({ kind }: Column): InputKind =>
	kind === 'number' || kind === 'boolean' || kind === 'json' ? kind : 'line'
