import { isCutCell } from '@roundhouse/kit/cell'
import { cutText } from '@roundhouse/kit/cut-text'
import type { Cell, Column, ResultOrder, Row } from '../../host/api/api.ts'
import { cellOf, copyText } from '../cells/cell-text.ts'
import type { CellFilterUse } from '../grid/filter-command.ts'
import type { Slices } from '../grid/slices.ts'

type ColumnKind = Column['kind']
type ResultCondition = NonNullable<ResultOrder['where']>[number]

/** A filter of the rows that the window has. All filters of a result must hold. */
export interface ResultFilter {
	/** Index of the column. */
	readonly column: number
	readonly use: CellFilterUse
	/** The compared value, for `for` and `out`. */
	readonly cell: Cell
}

const hasValue = (cell: Cell) => cell !== null && !(typeof cell === 'object' && 'missing' in cell)

/** Whether two cells have the same value: 1 and 1.0 are other texts, so they differ. */
export const isSame = (one: Cell, other: Cell) =>
	hasValue(one) === hasValue(other) && (!hasValue(one) || copyText(one) === copyText(other))

function holds({ column, use, cell }: ResultFilter, row: Row): boolean {
	const found = cellOf(row, column)
	switch (use) {
		case 'for':
			return isSame(found, cell)
		case 'out':
			return !isSame(found, cell)
		case 'exists':
			return hasValue(found)
		case 'missing':
			return !hasValue(found)
	}
}

/** Returns the rows for which all filters hold, without holding the window. */
export async function filteredRows(
	rows: readonly Row[],
	filters: readonly ResultFilter[],
	slices: Slices,
): Promise<readonly Row[]> {
	if (filters.length === 0) return rows
	const left: Row[] = []
	for (const [at, row] of rows.entries()) {
		if (at % stepLength === 0) await slices.pause()
		if (filters.every(filter => holds(filter, row))) left.push(row)
	}
	return left
}
const stepLength = 500

/**
 * Returns a filter as the engine applies it to all rows, or `undefined` if the shown text does not say which value it is: JSON
 * and bytes have several texts, and of a long text a part was read.
 */
export function conditionOf({ column, use, cell }: ResultFilter, kind: ColumnKind): ResultCondition | undefined {
	const is = use === 'for' || use === 'missing' ? 'same' : 'other'
	if (use === 'exists' || use === 'missing' || !hasValue(cell)) return { at: column, is, text: null, kind: 'text' }
	if (kind === 'json' || kind === 'binary' || kind === 'other' || isCutCell(cell)) return undefined
	return { at: column, is, text: copyText(cell), kind }
}

/** Returns the words of a filter: `level is error`. */
export function filterWords({ use, cell }: ResultFilter, name: string): string {
	if (use === 'exists' || use === 'missing') return `${name} has ${use === 'exists' ? 'a' : 'no'} value`
	const text = hasValue(cell) ? copyText(cell) : 'null'
	const shown = text === '' ? '""' : cutText(text, longest)
	return `${name} ${use === 'for' ? 'is' : 'is not'} ${shown}`
}
const longest = 60
