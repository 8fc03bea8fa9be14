import { type Cell, DriverError } from '@roundhouse/kit'
import type { ShapeColumn } from '../catalog/shape.ts'
import { isSpatial } from '../catalog/types.ts'
import { bytesLiteral, literal, valueSql } from './literals.ts'
import { quoted } from './names.ts'

/** Values of columns as SQL: how they are read, compared and written. */

const numbers = new Set('tinyint smallint mediumint int bigint decimal float double year'.split(' '))
export const isNumber = ({ base }: Pick<ShapeColumn, 'base'>) => numbers.has(base)

const binaries = new Set('binary varbinary tinyblob blob mediumblob longblob'.split(' '))
export const isBinary = ({ base }: Pick<ShapeColumn, 'base'>) => binaries.has(base)

/** The server orders these by their numbers, and compares them as texts. */
const isListed = ({ base }: ShapeColumn) => base === 'enum' || base === 'set'

/** Returns what orders rows by a column, with the alias of the table. */
export function orderedBy(column: ShapeColumn, alias: string): string {
	const name = `${alias}.${quoted(column.name)}`
	return isListed(column) || column.base === 'bit' ? `(${name} + 0)` : name
}

/** Returns a value as text, by which it is found again: all digits of a FLOAT, and bytes as hexadecimal digits. */
export function textOf(column: ShapeColumn, expression: string): string {
	if (column.base === 'float') return `(${expression} + 0e0)`
	return isBinary(column) ? `hex(${expression})` : expression
}

/** Returns a text of {@link textOf} as SQL, which is compared exactly. A text in quotes would be compared as a DOUBLE. */
export function comparedTo(column: ShapeColumn, text: string): string {
	if (isNumber(column) || isListed(column) || column.base === 'bit') return valueSql({ number: text })
	if (isBinary(column)) return `x'${text}'`
	return literal(text)
}

/** Returns a value as a literal of a change. @throws DriverError `invalid_argument` */
export function changedTo(column: ShapeColumn, cell: Cell): string {
	if (cell === null) return 'null'
	if (typeof cell === 'boolean') return cell ? '1' : '0'
	if (typeof cell === 'object') {
		if ('bytes' in cell) return bytesLiteral(Buffer.from(cell.bytes, 'base64'))
		if ('json' in cell) return literal(cell.json)
		if (!('number' in cell) && !('text' in cell))
			throw new DriverError('invalid_argument', `${column.name}: A missing value cannot be stored.`)
	}
	const text = typeof cell === 'object' ? ('number' in cell ? cell.number : cell.text) : String(cell)
	if (column.base === 'bit' && /^[01]+$/.test(text)) return `b'${text}'`
	if (isSpatial(column.base)) return spatial(text)
	// The server would round a decimal for a column of whole numbers. It refuses one in quotes.
	if (isNumber(column) && plainNumber.test(text) && !(isWhole(column) && /\.\d*[1-9]/.test(text))) return text
	return literal(text)
}

/** Digits without quotes read better, and mean the same. */
const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
export const isWhole = ({ base }: Pick<ShapeColumn, 'base'>) => /int$/.test(base)

function spatial(text: string): string {
	const [, srid, wkt = text] = /^SRID=(\d+);([\s\S]*)$/i.exec(text) ?? []
	return `st_geomfromtext(${literal(wkt)}${srid === undefined ? '' : `, ${srid}`})`
}
