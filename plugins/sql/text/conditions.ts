import { type Column, DriverError, type Filter, type GridQuery } from '@roundhouse/kit'
import type { Bind } from './binding.ts'

/** How an engine compares a column with what a user types. */
export interface Comparing<Shaped extends Column> {
	/** @throws DriverError `invalid_argument` for a column that the table does not have */
	columnIn(name: string): Shaped
	/** Returns the column as SQL. */
	valueOf(column: Shaped): string
	/** Returns the condition that a value is NULL, or that it is not. */
	nullTest(column: Shaped, isNull: boolean): string
	/** Returns a comparison operator for values of the column: `=`, `<>`, `<`, `<=`, `>`, `>=`. */
	operator(column: Shaped, sign: string): string
	/** Returns a typed value as SQL. @throws DriverError `invalid_argument` */
	typedValue(column: Shaped, typed: string, bind: Bind): string
	/** Whether its values are moments, so that a date alone means its whole day. */
	isMoment(column: Shaped): boolean
	/** Whether `in` compares as `=` does. */
	takesLists(column: Shaped): boolean
	/** Returns the condition that what a cell shows fits a pattern of LIKE, regardless of case. */
	matches(column: Shaped, pattern: string, bind: Bind): string
}

type Filtered = Pick<GridQuery, 'filters' | 'match' | 'raw'>

/** Returns the condition of a query, or `undefined` for all rows. @throws DriverError `invalid_argument` */
export function conditionOf<Shaped extends Column>(
	comparing: Comparing<Shaped>,
	{ filters, match, raw }: Filtered,
	bind: Bind,
): string | undefined {
	const parts = filters.map(filter => `(${partOf(comparing, filter, bind)})`)
	const fitting = parts.length > 1 ? [`(${parts.join(match === 'all' ? ' and ' : ' or ')})`] : parts
	// A comment at its end must not hide the bracket. That it is one condition is checked before.
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

function partOf<Shaped extends Column>(comparing: Comparing<Shaped>, filter: Filter, bind: Bind): string {
	const { operator, values } = filter
	const column = comparing.columnIn(filter.column)
	if (operator === 'exists') return comparing.nullTest(column, false)
	if (operator === 'missing') return comparing.nullTest(column, true)
	if (!column.filterFields?.[0]?.operators?.includes(operator))
		throw new DriverError('unsupported', `${column.name} (${column.type}) cannot be filtered by ${operator}.`)
	requireCount(column, filter)
	const [first = '', second = ''] = values
	const name = comparing.valueOf(column)
	const value = (text: string) => comparing.typedValue(column, text, bind)
	const endOf = (text: string) => (comparing.isMoment(column) ? endOfDay(text) : undefined)
	const is = (sign: string, text: string) => {
		const end = endOf(text)
		const plain = (sign: string, text: string) => `${name} ${comparing.operator(column, sign)} ${value(text)}`
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
		const isPlain = comparing.takesLists(column) && values.every(text => endOf(text) === undefined)
		if (isPlain) return `${name} ${isIn ? 'in' : 'not in'} (${values.map(value).join(', ')})`
		return values.map(text => is(isIn ? '=' : '<>', text)).join(isIn ? ' or ' : ' and ')
	}
	return comparing.matches(column, patternOf(operator, first), bind)
}

/** @throws DriverError `invalid_argument` for more or fewer values than the operator compares with */
function requireCount({ name }: Column, { operator, values }: Filter): void {
	const isList = operator === 'in' || operator === 'not_in'
	const count = operator === 'between' ? 2 : 1
	if (isList ? values.length > 0 : values.length === count) return
	const needed = isList ? 'a value' : count === 2 ? 'two values' : 'one value'
	throw new DriverError('invalid_argument', `"${operator}" on ${name} needs ${needed}.`)
}

/**
 * Returns the beginning of the next day, if a moment is compared with a date alone. The date then means its whole day, in
 * the zone of the session.
 */
export function endOfDay(typed: string): string | undefined {
	const text = typed.trim()
	if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
	const day = new Date(`${text}T00:00:00Z`)
	// The server refuses a day that does not exist.
	if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text)) return undefined
	day.setUTCDate(day.getUTCDate() + 1)
	const [next] = day.toISOString().split('T')
	// A year of five digits has a sign, which no server reads.
	return next?.replace(/^\+0/, '')
}

function patternOf(operator: Filter['operator'], text: string): string {
	const plain = text.replaceAll(/[\\%_]/g, '\\$&')
	if (operator === 'starts_with') return `${plain}%`
	if (operator === 'ends_with') return `%${plain}`
	if (operator === 'wildcard') return plain.replaceAll('*', '%').replaceAll('?', '_')
	return `%${plain}%`
}

/** Reads the hexadecimal digits that a user types for bytes. @throws DriverError `invalid_argument` */
export function typedBytes({ name }: Column, typed: string): string {
	const digits = typed.replace(/^\s*(?:0x|\\x)/i, '').replace(/\s+/g, '')
	if (/^(?:[0-9a-f]{2})*$/i.test(digits)) return digits
	throw new DriverError('invalid_argument', `${name}: ${typed} is not hexadecimal: two digits for each byte.`)
}
