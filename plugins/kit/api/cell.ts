import { exactNumber, isExactNumber, isJsonNumber, type Json, parseJson, stringifyJson } from './json.ts'

/**
 * One value of a grid, in a form that any JSON parser reads without loss.
 *
 * - `null`, booleans, strings and numbers that a double represents exactly are plain values;
 * - `{number}` contains the digits of every other number;
 * - `{json}` contains an array or object as compact JSON; `cutFrom` is its full length in characters if it was truncated
 * (contract, Limits: 10,000 characters, then `...`);
 * - `{text}` contains the beginning of a long text; `cutFrom` is its full length in characters;
 * - `{bytes}` contains bytes as base64; `cutFrom` is their full number if they were truncated;
 * - `{unread: true}` is a value that the page leaves out, because it is large. The row may have it or not; `readRow` reads
 * it;
 * - `{missing: true}` is a field that the row does not have, which differs from `null`.
 */
export type Cell =
	| null
	| boolean
	| string
	| number
	| { readonly number: string }
	| { readonly json: string; readonly cutFrom?: number }
	| { readonly text: string; readonly cutFrom: number }
	| { readonly bytes: string; readonly cutFrom?: number }
	| { readonly unread: true }
	| { readonly missing: true }

/**
 * The number of characters after which `toCell` truncates the JSON of an array or object: 10,000 UTF-16 units. Strings and
 * bytes may have any length. A driver that truncates them must create `{text, cutFrom}` or `{bytes, cutFrom}` itself.
 */
export const cellLimit = 10_000

/** The cell of a field that the row does not have. */
export const missingCell: Cell = Object.freeze({ missing: true })

/** The cell of a large value that the page leaves out. */
export const unreadCell: Cell = Object.freeze({ unread: true })

/**
 * Encodes a JSON value as a cell. Strings, booleans, `null` and numbers that a double represents exactly are unchanged.
 * Other numbers become `{number}`, arrays and objects become `{json}`, and `undefined` becomes `{missing: true}`.
 *
 * `toCell` accepts only JSON. It cannot distinguish base64 from other strings, so create `{bytes}` cells yourself. It
 * does not truncate strings. JSON of more than {@link cellLimit} characters is truncated there, gets `...` at its end, and
 * has its full length in `cutFrom`. Parse numbers with `parseJson`, because `JSON.parse` rounds numbers that a double
 * cannot represent.
 */
export function toCell(value: Json | undefined): Cell {
	if (value === undefined) return missingCell
	if (typeof value !== 'object' || value === null) return value
	if (isExactNumber(value)) return { number: value.rawJSON }
	const json = stringifyJson(value)
	return json.length > cellLimit ? { json: `${json.slice(0, cellLimit)}...`, cutFrom: json.length } : { json }
}

/** Returns whether a value of another process or of a file has the form of a cell. Its text is not checked. */
export function isCell(value: unknown): value is Cell {
	if (value === null || typeof value === 'string' || typeof value === 'boolean' || isJsonNumber(value)) return true
	if (typeof value !== 'object' || Array.isArray(value)) return false
	const { number, json, text, bytes, cutFrom, missing, unread } = value as Readonly<Record<string, unknown>>
	if (typeof text === 'string') return isJsonNumber(cutFrom)
	if (typeof number === 'string' || typeof json === 'string' || typeof bytes === 'string') return true
	return missing === true || unread === true
}

/** Returns whether the cell contains only the beginning of its value, or nothing of it. */
export function isCutCell(cell: Cell): boolean {
	return (
		isUnreadCell(cell) || (typeof cell === 'object' && cell !== null && 'cutFrom' in cell && cell.cutFrom !== undefined)
	)
}

/** Returns whether the page leaves out the value of the cell. */
export function isUnreadCell(cell: Cell): boolean {
	return typeof cell === 'object' && cell !== null && 'unread' in cell
}

/**
 * Decodes a cell to its value: bytes are a base64 string, as in the document of a row. Returns `undefined` for a missing
 * field and for a value that was not read. For a truncated cell, returns the remaining text.
 */
export function fromCell(cell: Cell): Json | undefined {
	if (typeof cell !== 'object' || cell === null) return cell
	if ('number' in cell) return exactNumber(cell.number)
	if ('missing' in cell || 'unread' in cell) return undefined
	if ('bytes' in cell) return cell.bytes
	if ('text' in cell) return cell.text
	return cell.cutFrom === undefined ? parseJson(cell.json) : cell.json
}

/**
 * Returns a row's cells, one for each column of its page. A row of a wide table has `at`, which lists the column index
 * of each of its cells.
 */
export function denseCells(
	{ cells, at }: { readonly cells: readonly Cell[]; readonly at?: readonly number[] },
	columnCount: number,
): readonly Cell[] {
	if (at === undefined) return cells
	const all = Array<Cell>(columnCount).fill(missingCell)
	// Checks the index, not the value, because `null` is a valid cell.
	for (const [index, column] of at.entries()) if (index < cells.length) all[column] = cells[index] as Cell
	return all
}

/** Returns a row of a page with a cell for each column, and without `at`. */
export function denseRow<R extends Parameters<typeof denseCells>[0]>(row: R, columnCount: number): Omit<R, 'at'> {
	const { at, ...rest } = row
	return at === undefined ? rest : { ...rest, cells: denseCells(row, columnCount) }
}
