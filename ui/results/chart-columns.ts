import type { Cell, Column, ResultBody } from '../../host/api/api.ts'
import { copyText } from '../cells/cell-text.ts'

/** A result that is shown as a table. */
export type ResultRows = Extract<ResultBody, { readonly view: 'rows' }>

/** More keys make bars that cannot be told apart. */
const mostKeys = 200

/**
 * Returns the columns of a chart: those that the driver names, or else all of them, if numbers follow a time or a few keys,
 * or one number follows these and its series. A number that is a key measures nothing.
 */
export function chartColumns(result: ResultRows): ResultRows['chart'] {
	const { columns, rows, chart, origins = [] } = result
	if (chart) return chart
	const [by, ...others] = columns
	const first = others.findIndex(({ kind }) => kind === 'number')
	const values = others.slice(first)
	if (!by || first < 0 || first > 1 || rows.length < 2) return undefined
	const isKey = ({ isKey }: Column, at: number) => isKey || origins.some(({ key }) => key.some(part => part.at === at))
	const isMeasured = values.every((column, at) => column.kind === 'number' && !isKey(column, 1 + first + at))
	const isTime = by.kind === 'date'
	if (!isMeasured || !(isTime || isOfFewKeys(result, 0))) return undefined
	const drawn = { by: by.name, isTime, values: values.map(({ name }) => name) }
	const [series] = others
	// Each row is a bar.
	if (first === 0 || !series) return isTime || rows.length <= mostKeys ? drawn : undefined
	return values.length === 1 && isSeries(result) ? { ...drawn, stack: series.name } : undefined
}

/** Whether texts have few enough values for bars. */
function isOfFewKeys({ columns, rows }: ResultRows, at: number): boolean {
	const { kind } = columns[at] ?? {}
	if (kind !== 'text' && kind !== 'boolean') return false
	return new Set(rows.map(row => textAt(row, at))).size <= mostKeys
}

/** Whether the second column has the parts of the first one: it is there more than once, and each part of it once. */
function isSeries(result: ResultRows): boolean {
	if (!isOfFewKeys(result, 1)) return false
	const { rows } = result
	const pairs = new Set(rows.map(row => JSON.stringify([textAt(row, 0), textAt(row, 1)])))
	return pairs.size === rows.length && new Set(rows.map(row => textAt(row, 0))).size < rows.length
}

const textAt = (row: readonly Cell[], at: number) => copyText(row[at] ?? null)
