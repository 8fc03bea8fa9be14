import type { Cell, Json } from '@roundhouse/kit'
import { csvHeader, csvRecord } from '@roundhouse/kit/csv'
import { jsonOf } from '../grid/cells.ts'

/** Rows of whole values in a format of exports. An engine with a faster way, such as COPY, does not need them. */
export interface CellRows {
	/** Before the rows. */
	readonly header: string
	/** Returns a row with its line end. */
	line(cells: readonly Cell[]): string
}

/** Rows as JSON, one a line. Equal names of a result stay apart, as in its text. */
export function jsonRows(names: readonly string[]): CellRows {
	const keys = names.map(name => JSON.stringify(name))
	// Line ends between the parts of a JSON text would end the line.
	const member = (cell: Cell, at: number) => `${keys[at]}:${jsonOf(cell).replace(/[\n\r]/g, ' ')}`
	return { header: '', line: cells => `{${cells.map(member).join(',')}}\n` }
}

/** Rows as CSV with a header. Bytes are hexadecimal digits behind `\x`. @param guardFormulas see `ExportOptions` */
export function csvRows(names: readonly string[], guardFormulas: boolean): CellRows {
	return {
		header: `${csvHeader(names, { guardFormulas })}\n`,
		line: cells =>
			`${cells.map(cell => csvRecord([csvValue(cell)], { guardFormulas: guardFormulas && isText(cell) })).join(',')}\n`,
	}
}

/** A changed number, date or JSON text could not be read again. */
const isText = (cell: Cell) => typeof cell === 'string'

function csvValue(cell: Cell): Json {
	if (typeof cell !== 'object' || cell === null) return cell
	if ('bytes' in cell) return `\\x${Buffer.from(cell.bytes, 'base64').toString('hex')}`
	if ('json' in cell) return cell.json
	if ('text' in cell) return cell.text
	return jsonOf(cell)
}

/** Rows as statements that insert them. @param into `insert into t (a, b)` @param literal writes the value of a column */
export function insertRows(into: string, literal: (at: number, cell: Cell) => string): CellRows {
	return {
		header: '',
		line: cells => `${into} values (${cells.map((cell, at) => literal(at, cell)).join(', ')});\n`,
	}
}
