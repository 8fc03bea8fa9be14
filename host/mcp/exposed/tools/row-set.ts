import { type Cell, type Column, cellLimit, fromCell, type Json, type JsonObject } from '@roundhouse/kit'

/** docs/mcp.md, "Results". */
export const defaultRows = 500
export const mostRows = 10_000
export const resultBytes = 1024 * 1024

interface CutCell {
	readonly row: number
	readonly column: string
	readonly length: number
}

/**
 * Rows as a model reads them: names of columns once, then arrays of values that keep their types. Cells longer than
 * 10,000 characters are cut and listed; rows beyond 1 MB are left out, and the answer says how to narrow.
 */
export function rowSet(columns: readonly Column[], rows: readonly (readonly Cell[])[]): JsonObject & RowSet {
	const cut: CutCell[] = []
	const taken: Json[][] = []
	let size = 0
	for (const cells of rows) {
		const values = cells.map((cell, index) => readable(cell, taken.length, columns[index]?.name ?? '', cut))
		size += Buffer.byteLength(JSON.stringify(values))
		if (size > resultBytes) break
		taken.push(values)
	}
	const isCut = taken.length < rows.length
	const cutHere = cut.filter(({ row }) => row < taken.length)
	return {
		columns: columns.map(({ name, type }) => ({ name, type })),
		rows: taken,
		row_count: taken.length,
		is_truncated: isCut,
		...(isCut && { hint: 'The result was cut at 1 MB. Ask for fewer rows or columns, or filter.' }),
		...(cutHere.length > 0 && { cut_cells: cutHere.map(cell => ({ ...cell })) }),
	}
}

interface RowSet {
	readonly row_count: number
	readonly is_truncated: boolean
}

function readable(cell: Cell, row: number, column: string, cut: CutCell[]): Json {
	const isCut = typeof cell === 'object' && cell !== null && 'cutFrom' in cell && cell.cutFrom !== undefined
	if (isCut) cut.push({ row, column, length: cell.cutFrom })
	const value = fromCell(cell)
	if (isCut || typeof value !== 'string' || value.length <= cellLimit) return value ?? null
	cut.push({ row, column, length: value.length })
	return `${value.slice(0, cellLimit)}...`
}
