import type { Column, Filter, FilterField } from '../../../host/api/api.ts'

/** The rows of the filter bar as the user edits them, and the filters they become. Pure. */

export type Operator = Filter['operator']

export interface FilterRow {
	readonly column: string
	/** Typed after the column's name, if the column takes a key. */
	readonly key?: string
	readonly operator: Operator
	/** As typed. Several values are separated by lines, or by commas if there is one line. */
	readonly text: string
	/** An empty text is the value, as that of a cell. Otherwise it is a value that is still to be typed. */
	readonly takesEmpty?: boolean
	readonly isOn: boolean
}

const words: Readonly<Record<Operator, string>> = {
	equals: 'is',
	not_equals: 'is not',
	less: 'is less than',
	less_or_equal: 'is at most',
	greater: 'is greater than',
	greater_or_equal: 'is at least',
	between: 'is between',
	in: 'is one of',
	not_in: 'is none of',
	contains: 'contains',
	starts_with: 'starts with',
	ends_with: 'ends with',
	wildcard: 'matches pattern',
	exists: 'has a value',
	missing: 'has no value',
}

/** Returns whether it is a row of this version. */
export function isFilterRow(row: unknown): row is FilterRow {
	if (typeof row !== 'object' || row === null) return false
	const { column, key, operator, text, isOn } = row as Partial<FilterRow>
	const isKnown = typeof operator === 'string' && Object.hasOwn(words, operator)
	const areTexts = [column, key ?? '', text].every(part => typeof part === 'string')
	return isKnown && areTexts && typeof isOn === 'boolean'
}

const ordered: readonly Operator[] = ['less', 'less_or_equal', 'greater', 'greater_or_equal', 'between']
const textual: readonly Operator[] = ['contains', 'starts_with', 'ends_with', 'wildcard']
const always: readonly Operator[] = ['exists', 'missing']

/** Everything that filters can refer to: columns, each followed by what is below it. */
export function filterTargets(columns: readonly Column[]): readonly FilterField[] {
	return columns.flatMap(column => {
		const fields = column.filterFields ?? []
		const own = fields.find(field => field.name === column.name)
		return [own ?? { name: column.name, kind: column.kind }, ...fields.filter(field => field !== own)].filter(
			// A driver lists no operators for what cannot be filtered.
			({ operators }) => operators?.length !== 0,
		)
	})
}

/** Operators for a column, in the order of use. */
export function operatorsFor(
	target: Pick<FilterField, 'kind' | 'operators'> | undefined,
): readonly (readonly [Operator, string])[] {
	const operators: readonly Operator[] = (() => {
		if (target?.operators) return target.operators
		switch (target?.kind) {
			case 'boolean':
				return ['equals', 'not_equals', ...always]
			case 'number':
			case 'date':
				return ['equals', 'not_equals', ...ordered, 'in', 'not_in', ...always]
			case 'json':
			case 'binary':
				return always
			default:
				return ['equals', 'not_equals', ...textual, 'in', 'not_in', ...ordered, ...always]
		}
	})()
	return operators.map(operator => [operator, words[operator]] as const)
}

/** Returns the row of a filter by a value that is there, as that of a cell: an empty text is the value. */
export function filterRowOf(filter: Pick<FilterRow, 'column' | 'operator' | 'text'>): FilterRow {
	const isValue = filter.operator === 'equals' || filter.operator === 'not_equals'
	return { ...filter, isOn: true, ...(isValue && filter.text === '' && { takesEmpty: true }) }
}

/** Formats a filter as a sentence. */
export function filterWords({ column, key = '', operator, text, takesEmpty }: FilterRow): string {
	const values =
		takesEmpty && text === ''
			? '""'
			: operator === 'between'
				? valuesOf(operator, text).join(' and ')
				: text.trim().replaceAll(/\s*\n\s*/g, ', ')
	return [`${column}${key}`, words[operator], ...(takesNoValue(operator) ? [] : [values])].join(' ')
}

/** Returns whether an operator takes any number of values. */
export const isList = (operator: Operator) => operator === 'in' || operator === 'not_in'

export const takesNoValue = (operator: Operator) => always.includes(operator)

/** Returns the complete rows in the driver's format. */
export function toFilters(rows: readonly FilterRow[]): readonly Filter[] {
	return rows
		.filter(row => row.isOn && row.column !== '' && row.key !== '' && isComplete(row))
		.map(({ column, key = '', operator, text }) => ({
			column: `${column}${key}`,
			operator,
			values: valuesOf(operator, text),
		}))
}

/** Returns whether a filter has the values that its operator takes. */
export function isComplete({ operator, text, takesEmpty }: Omit<FilterRow, 'column' | 'isOn'>): boolean {
	if (operator === 'between') return valuesOf(operator, text).length === 2
	if (isList(operator)) return valuesOf(operator, text).length > 0
	return takesNoValue(operator) || text !== '' || takesEmpty === true
}

function valuesOf(operator: Operator, text: string): readonly string[] {
	if (takesNoValue(operator)) return []
	if (!isList(operator) && operator !== 'between') return [text]
	return present(text.split(separatorOf(text)))
}

/** Pasted lines may contain commas. */
const separatorOf = (text: string) => (text.trim().includes('\n') ? '\n' : /[,\n]/)

const present = (values: readonly string[]) => values.map(value => value.trim()).filter(value => value !== '')

/** The value of a list in which the caret is. */
export interface ValueAt {
	readonly from: number
	readonly to: number
	readonly typed: string
	readonly before: readonly string[]
	readonly after: readonly string[]
}

export function valueAt(text: string, caret: number): ValueAt {
	const before = text.slice(0, caret).split(separatorOf(text))
	const after = text.slice(caret).split(separatorOf(text))
	const from = caret - (before.pop() ?? '').trimStart().length
	const to = caret + (after.shift() ?? '').trimEnd().length
	return { from, to, typed: text.slice(from, to).trim(), before: present(before), after: present(after) }
}

/** Replaces the value at the caret. A value with a comma puts all values on lines. */
export function replaceValue(text: string, caret: number, value: string): { text: string; caret: number } {
	const { from, to, before, after } = valueAt(text, caret)
	if (value.includes(',') && separatorOf(text) !== '\n') {
		return { text: [...before, value, ...after].join('\n'), caret: [...before, value].join('\n').length }
	}
	return { text: `${text.slice(0, from)}${value}${text.slice(to)}`, caret: from + value.length }
}
