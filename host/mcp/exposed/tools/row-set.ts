import {
	type Cell,
	type Column,
	fromCell,
	isJsonObject,
	isUnreadCell,
	type Json,
	type JsonObject,
	parseJson,
	stringifyJson,
} from '@roundhouse/kit'
import { answerBytes } from '../framework/fitted.ts'
import { jsonLosses } from './json-losses.ts'
import { isJsonNumber, isLongNumber, isWholeJson, longestShown } from './long-numbers.ts'

/** docs/mcp.md, "Results". */
export const defaultRows = 500
export const maxResultRows = 10_000

interface CutCell {
	readonly row: number
	readonly column: string
	/** In characters or bytes; absent for a value that was not read, because it is large. */
	readonly length?: number
}

/** Size limits of a row set: bytes of all, characters of each cell. */
interface ResultLimits {
	readonly bytes: number
	readonly cell: number
}

export const resultLimits: ResultLimits = { bytes: answerBytes, cell: longestShown }

/** Limits of a cell that are tried in turn, until the first row fits. */
const shorterCells = [200, 50, 20]

interface RowSetOptions {
	readonly limits?: ResultLimits
	/** Bytes of the columns. Default: a quarter of all */
	readonly columnBytes?: number
	/** Returns what the answer has for each row beside its cells, such as its id. */
	readonly beside?: (row: number) => Json
}

/**
 * Formats rows for a model: the columns once, then arrays of typed values. A column with a number that a double cannot hold
 * has texts. Columns have a quarter of the size, and those
 * that do not fit are omitted with their values. Long cells are truncated and listed. Rows beyond the size are omitted,
 * with a hint how to get the rest; the first one always comes.
 */
export function rowSet(
	columns: readonly (Pick<Column, 'name' | 'type'> & Partial<Pick<Column, 'kind'>>)[],
	rows: readonly (readonly Cell[])[],
	{ limits = resultLimits, columnBytes = limits.bytes / 4, beside = () => '' }: RowSetOptions = {},
): JsonObject & RowSet {
	const all = columns.map(({ name, type }) => ({ name, type }))
	const places = placesThatFit(all, columnBytes)
	const shown = places.flatMap(at => all[at] ?? [])
	const bytes = limits.bytes - bytesOf(shown)
	const stored = rows.map(cells => places.map(at => cells[at] ?? null))
	const isJson = places.map(at => columns[at]?.kind === 'json')
	const inView = withLongNumbersAsText(stored, isJson)
	let taken: TakenRows = { rows: [], cut: [] }
	for (const cell of [limits.cell, ...shorterCells]) {
		taken = rowsThatFit(shown, inView, { limits: { bytes, cell }, beside })
		if (taken.rows.length > 0 || rows.length === 0) break
	}
	if (taken.rows.length === 0) {
		const limits = { bytes: Number.POSITIVE_INFINITY, cell: shorterCells.at(-1) ?? 0 }
		taken = rowsThatFit(shown, inView.slice(0, 1), { limits, beside })
	}
	const isCut = taken.rows.length < rows.length
	const hints = [
		...(shown.length < all.length ? [`Only ${shown.length} of ${all.length} columns are shown.`] : []),
		...(isCut
			? [
					`${taken.rows.length} of ${rows.length} rows: the answer is full. Ask for fewer columns, filter, or use export_data.`,
				]
			: []),
		...jsonLosses(
			places.flatMap(at => columns[at] ?? []),
			stored.slice(0, taken.rows.length),
		),
	]
	return {
		columns: shown,
		...(shown.length < all.length && { columns_total: all.length }),
		rows: taken.rows,
		row_count: taken.rows.length,
		is_truncated: isCut,
		...(hints.length > 0 && { hint: hints.join(' ') }),
		...(taken.cut.length > 0 && { cut_cells: taken.cut.map(cell => ({ ...cell })) }),
	}
}

/**
 * Returns rows in which all numbers of a column are texts, if a double cannot hold one of them: a client in JavaScript
 * would round it, and a change could then reach another row. Elements of a list are numbers of the column. In a column
 * of JSON, a text would be another value: a hint says what a client may lose ({@link jsonLosses}).
 */
function withLongNumbersAsText(
	rows: readonly (readonly Cell[])[],
	isJson: readonly boolean[],
): readonly (readonly Cell[])[] {
	const isLong = (cell: Cell, at: number) => !isJson[at] && isLongNumber(cell)
	const long = new Set(rows.flatMap(cells => cells.flatMap((cell, at) => (isLong(cell, at) ? [at] : []))))
	if (long.size === 0) return rows
	return rows.map(cells => cells.map((cell, at) => (long.has(at) ? numberText(cell) : cell)))
}

function numberText(cell: Cell): Cell {
	if (typeof cell === 'number') return String(cell)
	if (isWholeJson(cell)) return { json: stringifyJson(elementsAsText(parseJson(cell.json))) }
	return typeof cell === 'object' && cell !== null && 'number' in cell ? cell.number : cell
}

function elementsAsText(value: Json): Json {
	if (isJsonNumber(value)) return stringifyJson(value)
	return Array.isArray(value) ? value.map(elementsAsText) : value
}

/** Returns the places of the columns that fit, in order. One long name leaves room for those behind it. */
function placesThatFit(columns: readonly object[], bytes: number): readonly number[] {
	let left = bytes
	return columns.flatMap((column, at) => {
		const size = bytesOf(column) + 1
		if (size > left) return []
		left -= size
		return [at]
	})
}

interface TakenRows {
	readonly rows: readonly (readonly Json[])[]
	readonly cut: readonly CutCell[]
}

function rowsThatFit(
	columns: readonly { readonly name: string }[],
	rows: readonly (readonly Cell[])[],
	{ limits, beside }: Required<Pick<RowSetOptions, 'limits' | 'beside'>>,
): TakenRows {
	const taken: Json[][] = []
	const cut: CutCell[] = []
	let size = 0
	for (const [row, cells] of rows.entries()) {
		const cutHere: CutCell[] = []
		const values = cells.map((cell, index) => {
			const { value, cutFrom } = readable(cell, limits.cell)
			if (cutFrom !== undefined || isUnreadCell(cell)) {
				const column = columns[index]?.name ?? ''
				cutHere.push({ row, column, ...(cutFrom !== undefined && { length: cutFrom }) })
			}
			return value
		})
		size += bytesOf(values) + bytesOf(cutHere) + bytesOf(beside(row))
		if (size > limits.bytes) break
		taken.push(values)
		cut.push(...cutHere)
	}
	return { rows: taken, cut }
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

interface RowSet {
	readonly columns: readonly JsonObject[]
	readonly columns_total?: number
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
