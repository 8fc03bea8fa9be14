import { type Cell, cellLimit } from '@roundhouse/kit'
import type { ShapeColumn } from '../catalog/shape.ts'
import { quoted } from '../sql/names.ts'
import type { TextRow } from '../wire/session.ts'

/** Values of the server, in text format, as cells. */

/** Returns the cell of a value. @param length of the whole value, if it was truncated */
export function cellOf(column: Pick<ShapeColumn, 'kind' | 'base'>, text: string | null, length?: string | null): Cell {
	if (text === null) return null
	const cutFrom = length === undefined || length === null ? undefined : Number(length)
	switch (column.kind) {
		case 'number':
			return numberCell(text)
		case 'boolean':
			return text === 't'
		case 'json':
			return cutFrom === undefined ? { json: text } : { json: `${text}...`, cutFrom }
		case 'binary':
			return { bytes: base64Of(text), ...(cutFrom !== undefined && { cutFrom }) }
		default:
			return cutFrom === undefined ? text : { text, cutFrom }
	}
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i

/** NaN and infinity are no numbers of JSON, so they stay text. */
function numberCell(text: string): Cell {
	const value = Number(text)
	if (String(value) === text && Number.isFinite(value)) return value
	return jsonNumber.test(text) ? { number: text } : text
}

/** Bytes are written as `\x0a1b`. */
const base64Of = (hex: string) => Buffer.from(hex.slice(2), 'hex').toString('base64')

/** Returns the cell of a whole value, truncated if it is long. */
export function shortCell(column: Pick<ShapeColumn, 'kind' | 'base'>, text: string | null): Cell {
	if (text === null || text.length <= cellLimit || column.kind === 'number') return cellOf(column, text)
	if (column.kind !== 'binary') return cellOf(column, text.slice(0, cellLimit), String(text.length))
	const size = (text.length - 2) / 2
	return size > cellLimit ? cellOf(column, text.slice(0, 2 + 2 * cellLimit), String(size)) : cellOf(column, text)
}

/** Returns what to select for the columns: the values, and for each that may be long, a cut one with its length. */
export function selectedOf(columns: readonly ShapeColumn[]): readonly string[] {
	return columns.flatMap(column => (column.isUnbounded ? cutOf(column) : [quoted(column.name)]))
}

function cutOf({ name, kind }: ShapeColumn): readonly string[] {
	const value = kind === 'binary' ? quoted(name) : `${quoted(name)}::text`
	const length = kind === 'binary' ? 'octet_length' : 'char_length'
	const isLong = `octet_length(${value}) > ${cellLimit} and ${length}(${value}) > ${cellLimit}`
	return [
		`case when ${isLong} then substring(${value} for ${cellLimit}) else ${value} end`,
		`case when ${isLong} then ${length}(${value}) end`,
	]
}

/** Reads cells where {@link selectedOf} put them. @returns also the place behind them */
export function cellsOf(columns: readonly ShapeColumn[], row: TextRow): readonly [readonly Cell[], number] {
	let at = 0
	const cells = columns.map(column => {
		const text = row[at++] ?? null
		return column.isUnbounded ? cellOf(column, text, row[at++]) : shortCell(column, text)
	})
	return [cells, at]
}
