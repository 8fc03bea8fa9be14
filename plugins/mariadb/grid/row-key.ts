import { DriverError } from '@roundhouse/kit'
import type { Identity, RawRow, TextRow } from '@roundhouse/sql'
import { columnIn, type Shape } from '../catalog/shape.ts'
import { literal } from '../sql/literals.ts'
import { quoted } from '../sql/names.ts'
import { comparedTo, isBinary, orderedBy, textOf } from '../sql/values.ts'

/**
 * How rows are identified: by their key if there is one, otherwise by a digest of their values. The digest is also the
 * version of a row, because the server has none.
 */

/** Alias of the table in queries. */
export const row = '`roundhouse row`'

export const hasKey = ({ key }: Shape) => key.length > 0

/** Returns a digest of all values of a row. The digits of a FLOAT are all in it. */
function digestOf({ columns }: Shape): string {
	const values = columns.map(column => {
		const name = quoted(column.name)
		if (column.isUnbounded) return `ifnull(md5(${name}), '-')`
		return `ifnull(hex(concat(${isBinary(column) ? name : textOf(column, name)})), '-')`
	})
	return `md5(concat_ws(',', ${values.join(', ')}))`
}

/** Expressions that make id and version of a row, in the order in which {@link identityIn} reads them. */
export function identityOf(shape: Shape): readonly string[] {
	const key = shape.key.map(name => textOf(columnIn(shape, name), keyExpression(shape, name)))
	return [...key, digestOf(shape)]
}

const keyExpression = (shape: Shape, name: string) => {
	const column = columnIn(shape, name)
	return orderedBy(column, row).startsWith('(') ? `(${quoted(name)} + 0)` : quoted(name)
}

/** Returns the values of expressions that are all selected as text. */
export const textsIn = (values: RawRow): TextRow => values.map(value => (value === null ? null : String(value)))

/** Returns id and version from the values of {@link identityOf}. */
export function identityIn(values: readonly (string | null)[]): Identity {
	const version = values.at(-1) ?? ''
	const id = JSON.stringify(values.length === 1 ? values : values.slice(0, -1))
	return { id, version }
}

/** Returns the condition of one row. @throws DriverError `not_found` for a text that is no id of this table */
export function isRow(shape: Shape, id: string): string {
	const values = idValues(shape, id)
	if (!hasKey(shape)) return `${digestOf(shape)} = ${literal(values[0] ?? '')}`
	return shape.key
		.map((name, at) => `${keyExpression(shape, name)} = ${comparedTo(columnIn(shape, name), values[at] ?? '')}`)
		.join(' and ')
}

/** Returns the condition that a row has not changed since its version was read. */
export const hasVersion = (shape: Shape, version: string): string => `${digestOf(shape)} = ${literal(version)}`

function idValues(shape: Shape, id: string): readonly string[] {
	// The grid numbers equal rows.
	const plain = hasKey(shape) ? id : id.replace(/#\d+$/, '')
	try {
		const values: unknown = JSON.parse(plain)
		const count = Math.max(1, shape.key.length)
		if (Array.isArray(values) && values.length === count && values.every(value => typeof value === 'string'))
			return values
	} catch {
		// The error below says more.
	}
	const form = shape.key.length === 1 ? `, as ${JSON.stringify([id])}` : ''
	throw new DriverError('not_found', `${id} is no row id of ${shape.name}. Row ids come with the rows${form}.`)
}
