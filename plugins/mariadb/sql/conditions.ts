import { DriverError, type GridQuery } from '@roundhouse/kit'
import { type Bind, type Comparing, conditionOf as conditionBy, typedBytes } from '@roundhouse/sql'
import { columnIn, type Shape, type ShapeColumn } from '../catalog/shape.ts'
import { literal, valueSql } from './literals.ts'
import { quoted } from './names.ts'
import { isBinary, isNumber, isWhole } from './values.ts'

/** Filters as SQL. */

/** Values of conditions are literals: the text protocol has no parameters. */
export const bind: Bind = value => (value === null ? 'null' : literal(value))

/** Returns the condition of a query, or `undefined` for all rows. @throws DriverError `invalid_argument` */
export const conditionOf = (shape: Shape, query: Pick<GridQuery, 'filters' | 'match' | 'raw'>): string | undefined =>
	conditionBy({ ...comparing, columnIn: name => columnIn(shape, name) }, query, bind)

const comparing: Omit<Comparing<ShapeColumn>, 'columnIn'> = {
	valueOf: ({ name }) => quoted(name),
	nullTest: ({ name }, isNull) => `${quoted(name)} is ${isNull ? '' : 'not '}null`,
	operator: (_, sign) => sign,
	typedValue,
	isMoment: ({ base }) => moments.has(base),
	takesLists: () => true,
	// A collation may tell capital letters apart.
	matches: (column, pattern) => `lower(${shownText(column)}) like lower(${literal(pattern)})`,
}

const moments = new Set(['datetime', 'timestamp'])

/** A pattern applies to what a cell shows. */
function shownText({ name, base }: ShapeColumn): string {
	if (base === 'json') return `cast(${quoted(name)} as char)`
	return quoted(name)
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** Filters contain text, as the user types it. */
function typedValue(column: ShapeColumn, typed: string): string {
	const { name, base } = column
	if (isNumber(column)) {
		const text = typed.trim()
		if (!decimal.test(text)) throw new DriverError('invalid_argument', `${name}: ${typed} is not a number.`)
		const number = valueSql({ number: text.replace(/^\+/, '') })
		// The nearest FLOAT is compared: the server would compare the DOUBLE, which no FLOAT equals.
		return base === 'float' && !isWhole(column) ? `cast(${number} as float)` : number
	}
	if (isBinary(column)) return `x'${typedBytes(column, typed)}'`
	if (base === 'bit') {
		const text = typed.trim()
		if (!/^[01]+$/.test(text))
			throw new DriverError('invalid_argument', `${name}: ${typed} is not of the digits 0 and 1.`)
		return `b'${text}'`
	}
	return literal(column.kind === 'text' ? typed : typed.trim())
}
