import {
	type Cell,
	type Column,
	cellLimit,
	fromCell,
	isJsonObject,
	type Json,
	type JsonObject,
	stringifyJson,
} from '@roundhouse/kit'

/** docs/mcp.md, "Results". */
export const defaultRows = 500
export const mostRows = 10_000
export const resultBytes = 1024 * 1024

interface CutCell {
	readonly row: number
	readonly column: string
	readonly length: number
}

/** How much of a row set is sent: bytes of all its rows, characters of each cell. */
interface Room {
	readonly bytes: number
	readonly cell: number
}

/** What a model reads at once without losing the rest of its task: about 8,000 tokens. */
export const answerRoom: Room = { bytes: 24_000, cell: 1_000 }

/**
 * Rows as a model reads them: names of columns once, then arrays of values that keep their types. Cells that are too long
 * (10,000 characters) are cut and listed; rows for which there is no room (1 MB) are left out, and the answer says how to
 * narrow.
 */
export function rowSet(
	columns: readonly Pick<Column, 'name' | 'type'>[],
	rows: readonly (readonly Cell[])[],
	room: Room = { bytes: resultBytes, cell: cellLimit },
): JsonObject & RowSet {
	const cut: CutCell[] = []
	const taken: Json[][] = []
	let size = 0
	for (const cells of rows) {
		const values = cells.map((cell, index) => readable(cell, taken.length, columns[index]?.name ?? '', room.cell, cut))
		size += Buffer.byteLength(JSON.stringify(values))
		if (size > room.bytes) break
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
			hint: `The rows were cut at ${describeBytes(room.bytes)}. Ask for fewer rows or columns, or filter.`,
		}),
		...(cutHere.length > 0 && { cut_cells: cutHere.map(cell => ({ ...cell })) }),
	}
}

interface RowSet {
	readonly row_count: number
	readonly is_truncated: boolean
}

function readable(cell: Cell, row: number, column: string, longest: number, cut: CutCell[]): Json {
	const cutFrom = typeof cell === 'object' && cell !== null && 'cutFrom' in cell ? cell.cutFrom : undefined
	const value = fromCell(cell) ?? null
	const text = typeof value === 'string' ? value : isContainer(value) ? stringifyJson(value) : ''
	if (cutFrom === undefined && text.length <= longest) return value
	cut.push({ row, column, length: cutFrom ?? text.length })
	// One that was cut by the driver is cut in its text already.
	return text.length <= longest ? value : `${text.slice(0, longest)}...`
}

function isContainer(value: Json): boolean {
	return Array.isArray(value) || isJsonObject(value)
}

function describeBytes(bytes: number): string {
	return bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MB` : `${bytes / 1000} kB`
}
