import { DriverError, type Filter, type GridQuery } from '@roundhouse/kit'
import type { Bind } from '@roundhouse/sql'
import { columnIn, comparison, nullTest, patternText, type Shape, type ShapeColumn, textSql } from '../catalog/shape.ts'
import type { SearchPath } from '../wire/session.ts'
import { quoted } from './names.ts'
import { printed } from './printed.ts'

/** Filters as SQL. */

/** Returns where names of a query are looked up: a typed condition is text of the user. */
export const pathFor = ({ raw }: Pick<GridQuery, 'raw'>): SearchPath => (raw?.trim() ? 'user' : 'own')

/** Returns the condition of a query, or `undefined` for all rows. @throws DriverError `invalid_argument` */
export function conditionOf(
	shape: Shape,
	{ filters, match, raw }: Pick<GridQuery, 'filters' | 'match' | 'raw'>,
	bind: Bind,
): string | undefined {
	const parts = filters.map(filter => `(${partOf(columnIn(shape, filter.column), filter, bind)})`)
	const fitting = parts.length > 1 ? [`(${parts.join(match === 'all' ? ' and ' : ' or ')})`] : parts
	// A comment at its end must not hide the bracket. That it is one condition is checked before (console/raw-condition.ts).
	const all = [...fitting, ...(raw?.trim() ? [`(${raw}\n)`] : [])]
	return all.length === 0 ? undefined : all.join(' and ')
}

const comparisons: Readonly<Partial<Record<Filter['operator'], string>>> = {
	equals: '=',
	not_equals: '<>',
	less: '<',
	less_or_equal: '<=',
	greater: '>',
	greater_or_equal: '>=',
}

function partOf(column: ShapeColumn, filter: Filter, bind: Bind): string {
	const { operator, values } = filter
	const name = quoted(column.name)
	if (operator === 'exists') return nullTest(column, name, false)
	if (operator === 'missing') return nullTest(column, name)
	if (!column.filterFields?.[0]?.operators?.includes(operator))
		throw new DriverError('unsupported', `${column.name} (${column.type}) cannot be filtered by ${operator}.`)
	requireCount(column, filter)
	const [first = '', second = ''] = values
	const value = (text: string) => typedValue(column, text, bind)
	const is = (sign: string, text: string) => {
		const end = endOfDay(column, text)
		const plain = (sign: string, text: string) => `${name} ${comparison(column, sign)} ${value(text)}`
		if (end === undefined) return plain(sign, text)
		if (sign === '=') return `(${plain('>=', text)} and ${plain('<', end)})`
		if (sign === '<>') return `(${plain('<', text)} or ${plain('>=', end)})`
		if (sign === '<=') return plain('<', end)
		return sign === '>' ? plain('>=', end) : plain(sign, text)
	}
	const sign = comparisons[operator]
	if (sign !== undefined) return is(sign, first)
	if (operator === 'between') return `${is('>=', first)} and ${is('<=', second)}`
	if (operator === 'in' || operator === 'not_in') {
		const isIn = operator === 'in'
		const isPlain = column.operatorSchema === undefined && values.every(text => endOfDay(column, text) === undefined)
		if (isPlain) return `${name} ${isIn ? 'in' : 'not in'} (${values.map(value).join(', ')})`
		return values.map(text => is(isIn ? '=' : '<>', text)).join(isIn ? ' or ' : ' and ')
	}
	return `${patternText(column, shownText(column))} ilike ${bind(patternOf(operator, first), 'text')}`
}

/** A pattern applies to what a cell shows. The blanks at the end of a `char(10)` are no part of its value. */
const shownText = (column: ShapeColumn) =>
	column.base === 'bpchar' ? textSql(column) : printed(quoted(column.name), column.base)

/** @throws DriverError `invalid_argument` for more or fewer values than the operator compares with */
function requireCount({ name }: ShapeColumn, { operator, values }: Filter): void {
	const isList = operator === 'in' || operator === 'not_in'
	const count = operator === 'between' ? 2 : 1
	if (isList ? values.length > 0 : values.length === count) return
	const needed = isList ? 'a value' : count === 2 ? 'two values' : 'one value'
	throw new DriverError('invalid_argument', `"${operator}" on ${name} needs ${needed}.`)
}

const moments = new Set(['timestamp', 'timestamptz'])

/**
 * Returns the beginning of the next day, if a moment is compared with a date alone. The date then means its whole day, in
 * the zone of the session.
 */
export function endOfDay({ base }: ShapeColumn, typed: string): string | undefined {
	const text = typed.trim()
	if (!moments.has(base) || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
	const day = new Date(`${text}T00:00:00Z`)
	// The server refuses a day that does not exist.
	if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text)) return undefined
	day.setUTCDate(day.getUTCDate() + 1)
	const [next] = day.toISOString().split('T')
	// A year of five digits has a sign, which the server does not read.
	return next?.replace(/^\+0/, '')
}

function patternOf(operator: Filter['operator'], text: string): string {
	const plain = text.replaceAll(/[\\%_]/g, '\\$&')
	if (operator === 'starts_with') return `${plain}%`
	if (operator === 'ends_with') return `%${plain}`
	if (operator === 'wildcard') return plain.replaceAll('*', '%').replaceAll('?', '_')
	return `%${plain}%`
}

const whole = /^[+-]?\d{1,18}$/
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const special = /^(?:nan|[+-]?inf(?:inity)?)$/i

/** Filters contain text, as the user types it. */
function typedValue({ name, kind, base, sqlType }: ShapeColumn, typed: string, bind: Bind): string {
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
		const digits = typed.replace(/^\s*(?:0x|\\x)/i, '').replace(/\s+/g, '')
		if (!/^(?:[0-9a-f]{2})*$/i.test(digits))
			throw new DriverError('invalid_argument', `${name}: ${typed} is not hexadecimal: two digits for each byte.`)
		return bind(`\\x${digits}`, 'bytea')
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
