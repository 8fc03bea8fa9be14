import { DriverError, type GridQuery } from '@roundhouse/kit'
import { type Bind, type Comparing, conditionOf as conditionBy, typedBytes } from '@roundhouse/sql'
import { columnIn, comparison, nullTest, patternText, type Shape, type ShapeColumn, textSql } from '../catalog/shape.ts'
import type { SearchPath } from '../wire/session.ts'
import { quoted } from './names.ts'
import { printed } from './printed.ts'

/** Filters as SQL. */

/** Returns where names of a query are looked up: a typed condition is text of the user. */
export const pathFor = ({ raw }: Pick<GridQuery, 'raw'>): SearchPath => (raw?.trim() ? 'user' : 'own')

/** Returns the condition of a query, or `undefined` for all rows. @throws DriverError `invalid_argument` */
export const conditionOf = (
	shape: Shape,
	query: Pick<GridQuery, 'filters' | 'match' | 'raw'>,
	bind: Bind,
): string | undefined => conditionBy({ ...comparing, columnIn: name => columnIn(shape, name) }, query, bind)

const comparing: Omit<Comparing<ShapeColumn>, 'columnIn'> = {
	valueOf: ({ name }) => quoted(name),
	nullTest: (column, isNull) => nullTest(column, quoted(column.name), isNull),
	operator: comparison,
	typedValue,
	isMoment: ({ base }) => moments.has(base),
	// In a list, the server turns the texts into names, which cuts them.
	takesLists: ({ operatorSchema, base }) => operatorSchema === undefined && base !== 'name',
	matches: (column, pattern, bind) => `${patternText(column, shownText(column))} ilike ${bind(pattern, 'text')}`,
}

/** A pattern applies to what a cell shows. The blanks at the end of a `char(10)` are no part of its value. */
const shownText = (column: ShapeColumn) =>
	column.base === 'bpchar' ? textSql(column) : printed(quoted(column.name), column.base)

const moments = new Set(['timestamp', 'timestamptz'])

const whole = /^[+-]?\d{1,18}$/
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const special = /^(?:nan|[+-]?inf(?:inity)?)$/i

/** Filters contain text, as the user types it. */
function typedValue(column: ShapeColumn, typed: string, bind: Bind): string {
	const { name, kind, base, sqlType } = column
	if (kind === 'number') {
		const text = typed.trim()
		const isFloat = base === 'float4' || base === 'float8'
		// Whole numbers of any width have the same indices. A number that is no integer compares as it is.
		const isWhole = /^int|^oid/.test(base)
		if (isWhole && whole.test(text)) return bind(text, 'int8')
		if (!decimal.test(text) && !(special.test(text) && !isWhole))
			throw new DriverError('invalid_argument', `${name}: ${typed} is not a number.`)
		return bind(text, base === 'float4' ? 'float4' : isFloat ? 'float8' : 'numeric')
	}
	if (kind === 'binary') {
		return bind(`\\x${typedBytes(column, typed)}`, 'bytea')
	}
	// A cast to `name` cuts the text.
	if (base === 'varchar' || base === 'name') return bind(typed, 'text')
	// A cast to `"char"` keeps the first byte.
	if (base === 'char' && Buffer.byteLength(typed) > 1 && !/^\\[0-3][0-7]{2}$/.test(typed))
		throw new DriverError('invalid_argument', `${name}: ${typed} is longer than one character.`)
	// A cast to `date` drops the time.
	if (base === 'date' && /\d:\d/.test(typed)) return bind(typed.trim(), 'timestamp')
	// Without its length, which would cut the value.
	return bind(kind === 'text' ? typed : typed.trim(), base === 'bpchar' ? 'bpchar' : sqlType)
}
