import {
	type Cell,
	type Column,
	fromCell,
	isJsonObject,
	isUnreadCell,
	type Json,
	type JsonObject,
	stringifyJson,
} from '@roundhouse/kit'
import { answerBytes } from '../framework/fitted.ts'

/** docs/mcp.md, "Results". */
export const defaultRows = 500
export const maxResultRows = 10_000

interface CutCell {
	readonly row: number
	readonly column: string
	/** In characters or bytes; absent for a value that was not read, because it is large. */
	readonly length?: number
}

/** Size limits of a row set: bytes of all rows, characters of each cell. */
interface ResultLimits {
	readonly bytes: number
	readonly cell: number
}

export const resultLimits: ResultLimits = { bytes: answerBytes, cell: 1_000 }

/**
 * Formats rows for a model: the columns once, then arrays of typed values. Long cells are truncated and listed. Rows
 * beyond the size limit are omitted, with a hint how to get the rest.
 */
export function rowSet(
	columns: readonly Pick<Column, 'name' | 'type'>[],
	rows: readonly (readonly Cell[])[],
	limits: ResultLimits = resultLimits,
): JsonObject & RowSet {
	const cut: CutCell[] = []
	const taken: Json[][] = []
	let size = 0
	for (const cells of rows) {
		const values = cells.map((cell, index) => {
			const { value, cutFrom } = readable(cell, limits.cell)
			if (cutFrom !== undefined || isUnreadCell(cell)) {
				const column = columns[index]?.name ?? ''
				cut.push({ row: taken.length, column, ...(cutFrom !== undefined && { length: cutFrom }) })
			}
			return value
		})
		size += Buffer.byteLength(JSON.stringify(values))
		if (size > limits.bytes) break
		taken.push(values)
	}
	const isCut = taken.length < rows.length
	const cutHere = cut.filter(({ row }) => row < taken.length)
	return {
		columns: columns.map(({ name, type }) => ({ name, type })),
		rows: taken,
		row_count: taken.length,
		is_truncated: isCut,
		...(isCut && {
			hint: `${taken.length} of ${rows.length} rows: the answer is full. Ask for fewer columns, filter, or use export_data.`,
		}),
		...(cutHere.length > 0 && { cut_cells: cutHere.map(cell => ({ ...cell })) }),
	}
}

interface RowSet {
	readonly row_count: number
	readonly is_truncated: boolean
}

/** Returns a cell's value, truncated to this length, and its original length if it was truncated. */
function readable(cell: Cell, maxLength: number): { readonly value: Json; readonly cutFrom?: number } {
	const cutFrom = typeof cell === 'object' && cell !== null && 'cutFrom' in cell ? cell.cutFrom : undefined
	const value = fromCell(cell) ?? null
	const text = typeof value === 'string' ? value : isContainer(value) ? stringifyJson(value) : ''
	if (cutFrom === undefined && text.length <= maxLength) return { value }
	// If the driver truncated the cell, its text is already short enough.
	const shown = text.length <= maxLength ? value : `${text.slice(0, maxLength)}...`
	return { value: shown, cutFrom: cutFrom ?? text.length }
}

function isContainer(value: Json): boolean {
	return Array.isArray(value) || isJsonObject(value)
}
