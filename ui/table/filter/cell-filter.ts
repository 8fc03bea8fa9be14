import { fromCell, isCutCell } from '@roundhouse/kit/cell'
import { stringifyJson } from '@roundhouse/kit/json'
import type { Cell, Column } from '../../../host/api/api.ts'
import { copyText } from '../../cells/cell-text.ts'
import type { CellFilterUse } from '../../grid/filter-command.ts'
import { type FilterRow, filterRowOf, filterTargets, type Operator, operatorsFor } from './filters.ts'

/**
 * Returns the filters that keep (`for`) or remove (`out`) the rows with the value of a cell, or that ask for any value. A
 * list gives a filter for each of its values. Returns a reason for the user if the column or the value has no filter.
 */
export function cellFilters(column: Column, cell: Cell, use: CellFilterUse): readonly FilterRow[] | string {
	// An engine that has lists in a column of single values has no value for an empty one.
	const isEmptyList =
		column.kind !== 'json' && typeof cell === 'object' && cell !== null && 'json' in cell && cell.json === '[]'
	const isAbsent = cell === null || isEmptyList || (typeof cell === 'object' && 'missing' in cell)
	if (use === 'exists' || use === 'missing') return rowsOf(column, use, [''])
	if (isAbsent) return rowsOf(column, use === 'for' ? 'missing' : 'exists', [''])
	if (isCutCell(cell)) return 'This value is not loaded whole, so no filter can be made of it.'
	const texts = wholeJsonOf(column, cell) ?? textsOf(cell)?.map(text => instantText(column, text))
	if (texts === undefined) return 'A filter takes a single value or a list of single values.'
	return rowsOf(column, use === 'for' ? 'equals' : 'not_equals', texts)
}

function rowsOf(column: Column, operator: Operator, texts: readonly string[]): readonly FilterRow[] | string {
	const targets = filterTargets([column]).filter(({ takesKey }) => !takesKey)
	const target = targets.find(target => operatorsFor(target).some(([known]) => known === operator))
	if (!target) return `${column.name} cannot be filtered by its value.`
	return texts.map(text => filterRowOf({ column: target.name, operator, text }))
}

/** Returns the JSON of a cell, if its column is compared as a whole. */
function wholeJsonOf(column: Column, cell: Cell): readonly string[] | undefined {
	const isCompared = column.filterFields?.some(
		({ name, kind, operators }) => name === column.name && kind === 'json' && operators?.includes('equals'),
	)
	if (!isCompared || typeof cell !== 'object' || cell === null) return undefined
	return 'json' in cell ? [cell.json] : undefined
}

/** A date of a cell in UTC, without its time or its offset, is another day in a filter, which reads it in another zone. */
function instantText({ kind, zone }: Column, text: string): string {
	const [, day, time = 'T00:00:00.000'] = withoutOffset.exec(text) ?? []
	return kind === 'date' && zone === 'UTC' && day !== undefined ? `${day}${time}Z` : text
}

const withoutOffset = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}[\d:.]*)?$/

/** Returns the values of a cell as filters take them; `undefined` for an object. */
function textsOf(cell: Cell): readonly string[] | undefined {
	if (typeof cell !== 'object' || cell === null || !('json' in cell)) return [copyText(cell)]
	const value = fromCell(cell)
	if (!Array.isArray(value) || value.length === 0) return undefined
	const texts = value.map(item => (typeof item === 'string' ? item : stringifyJson(item)))
	return texts.some(text => /^[[{]|^null$/.test(text)) ? undefined : [...new Set(texts)]
}

const inverses: readonly (readonly [Operator, Operator])[] = [
	['equals', 'not_equals'],
	['in', 'not_in'],
	['exists', 'missing'],
	['less', 'greater_or_equal'],
	['greater', 'less_or_equal'],
]

/** Returns the opposite of a filter, or `undefined` if its operator has none. */
export function inverted(row: FilterRow): FilterRow | undefined {
	const pair = inverses.find(pair => pair.includes(row.operator))
	const operator = pair?.find(operator => operator !== row.operator)
	return operator && { ...row, operator }
}
