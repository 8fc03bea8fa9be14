import { fromCell } from '@roundhouse/kit/cell'
import { isExactNumber } from '@roundhouse/kit/json'
import type { AggregateQuery, Cell, Column, ResultOf, Row, RowChoice } from '../../../host/api/api.ts'
import { cellOf, isNothing } from '../../cells/cell-text.ts'

/** Queries for the statistics of a column, and functions that read their answers. All are pure. */

type Measure = AggregateQuery['measures'][number]['function']
type Answer = ResultOf<'rows.aggregate'>

/** Number of values that are listed. */
const topValues = 20

const measuresOf: Readonly<Partial<Record<Column['kind'], readonly Measure[]>>> = {
	number: ['count', 'distinct', 'min', 'max', 'avg', 'median'],
	date: ['count', 'distinct', 'min', 'max'],
	text: ['count', 'distinct'],
	boolean: ['count', 'distinct'],
}

/** A query for the numbers of a column: one row with its measures. */
export function numbersQuery(query: RowChoice, column: Column): AggregateQuery {
	const measures = (measuresOf[column.kind] ?? ['count']).map(name => ({ function: name, column: column.name }))
	return { ...query, groups: [], measures, limit: 1 }
}

/** A query for the most frequent values of a column. */
export function topQuery(query: RowChoice, column: Column): AggregateQuery {
	return { ...query, groups: [{ column: column.name }], measures: [], limit: topValues }
}

const labels: Readonly<Record<Measure, string>> = {
	count: 'With a value',
	distinct: 'Different values',
	min: 'Smallest',
	max: 'Largest',
	avg: 'Mean',
	sum: 'Sum',
	median: 'Median',
	p90: '90th percentile',
	p95: '95th percentile',
	p99: '99th percentile',
}

/** One line of the numbers. */
export interface StatisticsLine {
	readonly label: string
	readonly value: Cell
	/** The engine computed it; else it is a value or a count. */
	readonly isComputed?: boolean
}

/** Reads the answer of {@link numbersQuery}: the rows, those without a value, and the measures in the order of the query. */
export function numbersOf(answer: Answer, column: Column): readonly StatisticsLine[] {
	const row = answer.rows[0] ?? []
	const at = (name: string) => row[answer.columns.findIndex(column => column.name === name)] ?? null
	const rows = numberOf(at('count'))
	const measures = measuresOf[column.kind] ?? ['count']
	const withValue = numberOf(at(`count(${column.name})`))
	// A list counts as several values.
	const missing = rows !== undefined && withValue !== undefined && withValue <= rows ? rows - withValue : undefined
	return [
		{ label: 'All', value: at('count') },
		...measures.flatMap(name => [
			{
				label: labels[name],
				value: at(`${name}(${column.name})`),
				isComputed: name === 'avg' || name === 'median',
			},
			...(name === 'count' && missing !== undefined ? [{ label: 'Without a value', value: missing }] : []),
		]),
	]
}

/** Rounds the fraction of a computed number to seven digits in all: `1840.333`. `undefined` if it has no more. */
export function rounded(text: string): string | undefined {
	const digits = text.replace(/[eE].*$/, '').replace(/^-?0*\.?0*|\./g, '')
	if (!text.includes('.') || digits.length <= 7) return undefined
	const whole = /^-?0*(\d*)/.exec(text)?.[1] ?? ''
	return String(Number(Number(text).toPrecision(Math.min(Math.max(7, whole.length), 21))))
}

/** One of the most frequent values. */
export interface TopValue {
	readonly value: Cell
	readonly count: number
	/** Whether the count may be too small. */
	readonly isEstimate: boolean
	/** Share of the count of the most frequent value, from 0 to 1. */
	readonly share: number
	/** Share of all rows, from 0 to 1, if their number is known. */
	readonly ofAll: number | undefined
}

/** Returns the number of rows in the answer of {@link numbersQuery}. */
export function allOf(answer: Answer): number | undefined {
	return numberOf(answer.rows[0]?.[answer.columns.findIndex(({ name }) => name === 'count')] ?? null)
}

/** Reads the answer of {@link topQuery}, the most frequent value first. */
export function topOf(answer: Pick<Answer, 'rows' | 'estimated'>, all?: number): readonly TopValue[] {
	const estimated = new Set(answer.estimated)
	const counts = answer.rows.map((row, index) => ({
		value: row[0] ?? null,
		count: numberOf(row[1] ?? null) ?? 0,
		isEstimate: estimated.has(index),
	}))
	const most = Math.max(1, ...counts.map(({ count }) => count))
	// Rows may have been added since they were counted.
	return counts.map(({ value, count, isEstimate }) => ({
		value,
		count,
		isEstimate,
		share: count / most,
		ofAll: all === undefined || all < count ? undefined : count / all,
	}))
}

/** Counts the values of a column in some rows, for a column by which the engine cannot group. */
export function topOfRows(rows: readonly Row[], at: number): readonly TopValue[] {
	const groups = Map.groupBy(
		rows.map(row => cellOf(row, at)).filter(cell => !isNothing(cell)),
		cell => JSON.stringify(cell),
	)
	const counted = [...groups.values()].map(cells => [cells[0] ?? null, cells.length])
	const most = counted.toSorted(([, one], [, other]) => Number(other) - Number(one)).slice(0, topValues)
	return topOf({ rows: most }, rows.length)
}

function numberOf(cell: Cell): number | undefined {
	const value = fromCell(cell)
	if (typeof value === 'number') return value
	return isExactNumber(value) ? Number(value.rawJSON) : undefined
}
