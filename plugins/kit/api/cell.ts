import { exactNumber, isExactNumber, type Json, parseJson, stringifyJson } from './json.ts'

/**
 * One value of a grid, in a form that any JSON parser reads without loss.
 *
 * - `null`, booleans, strings and numbers that a double keeps stand for themselves;
 * - `{number}` holds the digits of every other number;
 * - `{json}` holds an array or object as compact JSON; `cutFrom` is its full length in characters when it was cut
 *   (contract, Limits: 10,000 characters, then `...`);
 * - `{missing: true}` is a field that the row does not have, which is not the same as `null`.
 */
export type Cell =
	| null
	| boolean
	| string
	| number
	| { readonly number: string }
	| { readonly json: string; readonly cutFrom?: number }
	| { readonly missing: true }

/** Contract, Limits: "Cell display length", in characters. */
export const cellLimit = 10_000

export const missingCell: Cell = Object.freeze({ missing: true })

/** Encodes a value as a cell; `undefined` is a missing field. */
export function toCell(value: Json | undefined): Cell {
	if (value === undefined) return missingCell
	if (typeof value !== 'object' || value === null) return value
	if (isExactNumber(value)) return { number: value.rawJSON }
	const json = stringifyJson(value)
	return json.length > cellLimit ? { json: `${json.slice(0, cellLimit)}...`, cutFrom: json.length } : { json }
}

/**
 * Decodes a cell to the value it stands for; `undefined` for a missing field.
 * A cut cell comes back as the text that is there: what was cut off is not known here.
 */
export function fromCell(cell: Cell): Json | undefined {
	if (typeof cell !== 'object' || cell === null) return cell
	if ('number' in cell) return exactNumber(cell.number)
	if ('missing' in cell) return undefined
	return cell.cutFrom === undefined ? parseJson(cell.json) : cell.json
}

/** A row's cells, one for each column of its page. Rows of wide tables come with `at`, the columns that they have cells for. */
export function denseCells(
	{ cells, at }: { readonly cells: readonly Cell[]; readonly at?: readonly number[] },
	columnCount: number,
): readonly Cell[] {
	if (at === undefined) return cells
	const all = Array<Cell>(columnCount).fill(missingCell)
	// `null` is a cell of its own.
	for (const [index, column] of at.entries()) if (index < cells.length) all[column] = cells[index] as Cell
	return all
}
