import type { Cell, Column, Filter, FilterOperator } from '@roundhouse/kit'
import { isEmpty, type Rows, scalarOf } from '../rows.ts'

/** Filters with the rows that they must return, computed from the rows themselves. */

export interface FilterExpectation {
	readonly filter: Filter
	/** Cells of the filtered column by row id, as read without the filter. */
	readonly cells: ReadonlyMap<string, Cell | undefined>
	/** Ids of rows that the filter must return. */
	readonly mustMatch: ReadonlySet<string>
	/** Ids of rows that the filter may return, because a collation may ignore case. */
	readonly mayMatch: ReadonlySet<string>
}

type Scalar = NonNullable<ReturnType<typeof scalarOf>>

interface Comparison {
	readonly must: (value: Scalar, wanted: Scalar) => boolean
	readonly may: (value: Scalar, wanted: Scalar) => boolean
}

const exactly = (must: Comparison['must']): Comparison => ({ must, may: must })
const folded = (value: Scalar) => String(value).toLowerCase()

const comparisons: Readonly<Partial<Record<FilterOperator, Comparison>>> = {
	equals: { must: (value, wanted) => value === wanted, may: (value, wanted) => folded(value) === folded(wanted) },
	less: exactly((value, wanted) => value < wanted),
	less_or_equal: exactly((value, wanted) => value <= wanted),
	greater: exactly((value, wanted) => value > wanted),
	greater_or_equal: exactly((value, wanted) => value >= wanted),
}
const operatorsOfKind: Readonly<Partial<Record<Column['kind'], readonly FilterOperator[]>>> = {
	number: ['equals', 'less', 'less_or_equal', 'greater', 'greater_or_equal', 'exists', 'missing'],
	boolean: ['equals', 'exists', 'missing'],
	text: ['equals', 'exists', 'missing'],
}
const longestText = 60

/**
 * Returns one filter for each column and operator whose result can be computed from the rows. Skips volatile columns,
 * because their values may change before the filter runs.
 */
export function filterExpectations({ columns, rows }: Rows): readonly FilterExpectation[] {
	return columns.flatMap((column, at) => {
		if (column.isVolatile) return []
		const cells = rows.map(({ id, cells }) => [id, cells[at]] as const)
		if (!cells.every(([, cell]) => isEmpty(cell) || isComparable(cell, column))) return []
		const values = cells.flatMap(([, cell]) => scalarOf(cell) ?? [])
		// Use the middle value, so that each comparison matches some rows and excludes others.
		const wanted = values[Math.floor(values.length / 2)]
		return operatorsOf(column).flatMap(operator => expectationOf({ column: column.name, operator, cells, wanted }))
	})
}

/**
 * Returns the operators that the column supports and this check can test. A column without its own filter field
 * supports those of its kind.
 */
function operatorsOf({ name, kind, filterFields }: Column): readonly FilterOperator[] {
	const tried = operatorsOfKind[kind] ?? []
	const operators = filterFields?.find(field => field.name === name)?.operators
	return operators ? tried.filter(operator => operators.includes(operator)) : tried
}

/** Numbers that a double cannot represent compare differently here and in an engine. */
function isComparable(cell: Cell | undefined, { kind }: Column): boolean {
	const value = scalarOf(cell)
	if (kind === 'number') return typeof value === 'number' && (!Number.isInteger(value) || Number.isSafeInteger(value))
	if (kind === 'boolean') return typeof value === 'boolean'
	return kind === 'text' && typeof value === 'string' && value.length <= longestText
}

/** An operator of a column, with the cells of the table and the value to compare with. */
interface Operand {
	readonly column: string
	readonly operator: FilterOperator
	readonly cells: readonly (readonly [id: string, cell: Cell | undefined])[]
	readonly wanted: Scalar | undefined
}

function expectationOf({ column, operator, cells, wanted }: Operand): readonly FilterExpectation[] {
	const byId = new Map(cells)
	const idsWhere = (matches: (cell: Cell | undefined) => boolean) =>
		new Set(cells.flatMap(([id, cell]) => (matches(cell) ? [id] : [])))
	if (operator === 'exists' || operator === 'missing') {
		const ids = idsWhere(cell => isEmpty(cell) === (operator === 'missing'))
		return [{ filter: { column, operator, values: [] }, cells: byId, mustMatch: ids, mayMatch: ids }]
	}
	const comparison = comparisons[operator]
	if (!comparison || wanted === undefined || wanted === '') return []
	const { must, may } = comparison
	const idsBy = (compares: Comparison['must']) =>
		idsWhere(cell => {
			const value = scalarOf(cell)
			return value !== undefined && compares(value, wanted)
		})
	const filter = { column, operator, values: [String(wanted)] }
	return [{ filter, cells: byId, mustMatch: idsBy(must), mayMatch: idsBy(may) }]
}
