import { type Cell, cellLimit } from '@roundhouse/kit'
import { numberCell } from '@roundhouse/sql'
import type { ShapeColumn } from '../catalog/shape.ts'
import { quoted } from '../sql/names.ts'
import { printed } from '../sql/printed.ts'
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
			return { bytes: bytesIn(text).toString('base64'), ...(cutFrom !== undefined && { cutFrom }) }
		default:
			return cutFrom === undefined ? text : { text, cutFrom }
	}
}

/**
 * Reads bytes as the server writes them: `\x0a1b`, or in a session with `bytea_output = escape` as `\012\033`, where a
 * backslash is `\\`.
 */
export function bytesIn(text: string): Buffer {
	if (text.startsWith('\\x')) return Buffer.from(text.slice(2), 'hex')
	const octal = (_: string, digits: string | undefined) =>
		digits === undefined ? '\\' : String.fromCharCode(Number.parseInt(digits, 8))
	return Buffer.from(text.replace(/\\(?:([0-7]{3})|\\)/g, octal), 'latin1')
}

/** Returns the cell of a value, truncated if it is long. @param length that of the whole value, if the text is truncated */
export function shortCell(
	column: Pick<ShapeColumn, 'kind' | 'base'>,
	text: string | null,
	length = text?.length ?? 0,
): Cell {
	if (text === null || text.length <= cellLimit || column.kind === 'number') return cellOf(column, text)
	if (column.kind !== 'binary') return cellOf(column, text.slice(0, cellLimit), String(length))
	const bytes = bytesIn(text)
	if (bytes.length <= cellLimit) return cellOf(column, text)
	const isCut = length > text.length
	return { bytes: bytes.toString('base64', 0, cellLimit), cutFrom: isCut ? Math.floor(length / 2) - 1 : bytes.length }
}

/** Returns what to select for the columns: the values, and for each that may be long, a cut one with its length. */
export function selectedOf(columns: readonly ShapeColumn[]): readonly string[] {
	return columns.flatMap(column => (column.isUnbounded ? cutOf(column) : [quoted(column.name)]))
}

function cutOf({ name, kind, base }: ShapeColumn): readonly string[] {
	const value = kind === 'binary' ? quoted(name) : printed(quoted(name), base)
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
