import { type Cell, cellLimit } from '@roundhouse/kit'
import { numberCell, type RawRow, type RawValue } from '@roundhouse/sql'
import { printed, type ShapeColumn } from '../catalog/shape.ts'
import { isSpatial } from '../catalog/types.ts'
import { quoted } from '../sql/names.ts'
import { isBinary } from '../sql/values.ts'

/** Values of the server as cells. */

type CellColumn = Pick<ShapeColumn, 'kind' | 'base'>

/** Returns the cell of a value. @param cutFrom length of the whole value, if it was truncated */
export function cellOf({ kind, base }: CellColumn, value: RawValue, cutFrom?: number): Cell {
	if (value === null) return null
	if (typeof value !== 'string') {
		const bytes = Buffer.from(value).toString('base64')
		return cutFrom === undefined ? { bytes } : { bytes, cutFrom }
	}
	if (kind === 'number') return numberCell(base === 'float' ? floatText(value) : value)
	if (kind === 'json') return cutFrom === undefined ? { json: value } : { json: `${value}...`, cutFrom }
	return cutFrom === undefined ? value : { text: value, cutFrom }
}

/** Returns the fewest digits that mean the same FLOAT. The server prints only six, and all of the nearest DOUBLE. */
function floatText(text: string): string {
	const value = Number(text)
	if (!Number.isFinite(value)) return text
	for (let digits = 1; digits <= 9; digits++) {
		const short = String(Number(value.toPrecision(digits)))
		if (Math.fround(Number(short)) === Math.fround(value)) return short
	}
	return text
}

/** Returns the cell of a value, truncated if it is long. */
export function shortCell(column: CellColumn, value: RawValue): Cell {
	if (value === null || value.length <= cellLimit || column.kind === 'number') return cellOf(column, value)
	return cellOf(column, value.slice(0, cellLimit), value.length)
}

/** Returns what to select for the columns: the values, and for each that may be long, a cut one with its length. */
export const selectedOf = (columns: readonly ShapeColumn[]): readonly string[] =>
	columns.flatMap(column => (isCutThere(column) ? cutOf(column) : [printed(column)]))

/** A shape is written as text here, of which the server knows no part. */
const isCutThere = ({ isUnbounded, base }: ShapeColumn) => isUnbounded && !isSpatial(base)

function cutOf(column: ShapeColumn): readonly string[] {
	const name = quoted(column.name)
	// A document of JSON in MySQL has no length in characters.
	const value = column.base === 'json' ? `cast(${name} as char)` : name
	const length = isBinary(column) ? 'length' : 'char_length'
	const isLong = `${length}(${value}) > ${cellLimit}`
	return [`if(${isLong}, left(${value}, ${cellLimit}), ${value})`, `if(${isLong}, ${length}(${value}), null)`]
}

/** Reads cells where {@link selectedOf} put them. @returns also the place behind them */
export function cellsOf(columns: readonly ShapeColumn[], row: RawRow): readonly [readonly Cell[], number] {
	let at = 0
	const cells = columns.map(column => {
		const value = row[at++] ?? null
		if (!isCutThere(column)) return shortCell(column, value)
		const length = row[at++]
		return cellOf(column, value, typeof length === 'string' ? Number(length) : undefined)
	})
	return [cells, at]
}
