import type { ResultBody } from '../../host/api/api.ts'

/** A result that is shown as a table. */
export type ResultRows = Extract<ResultBody, { readonly view: 'rows' }>

/** More keys make bars that cannot be told apart. */
const mostKeys = 200

/**
 * Returns the columns of a chart: those that the driver names, or else both of two columns if the second one has numbers
 * over time or for each of a few keys. A number that is a key measures nothing.
 */
export function chartColumns({ columns, rows, chart, origins = [] }: ResultRows): ResultRows['chart'] {
	if (chart) return chart
	const [by, value, ...others] = columns
	if (!by || value?.kind !== 'number' || value.isKey || others.length > 0 || rows.length < 2) return undefined
	const isKey = origins.some(({ key }) => key.some(({ at }) => at === 1))
	const isTime = by.kind === 'date'
	const isOverKeys = (by.kind === 'text' || by.kind === 'boolean') && rows.length <= mostKeys
	return !isKey && (isTime || isOverKeys) ? { by: by.name, isTime, values: [value.name] } : undefined
}
