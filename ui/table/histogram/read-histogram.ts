import { fromCell } from '@roundhouse/kit/cell'
import { isExactNumber } from '@roundhouse/kit/json'
import { isTimeZone } from '@roundhouse/kit/time-zone'
import type { AggregateQuery, Cell, Column, ResultOf, RowChoice } from '../../../host/api/api.ts'
import { cellFilters } from '../filter/cell-filter.ts'
import { filterTargets, operatorsFor } from '../filter/filters.ts'
import { readMoment } from '../time/moment.ts'
import { byLevel, isLevelColumn } from './part-colours.ts'
import { type Bucket, bucketsOf, numberStep, type Step, stepIn, timeStep } from './steps.ts'

type Answer = ResultOf<'rows.aggregate'>

/** More bars would be narrower than a finger can point at. */
const mostBuckets = 60
/** Values of a column with a separate part in each bar. The rows with other values are one part. */
const mostParts = 6

export interface HistogramQuestion {
	readonly query: RowChoice
	readonly column: Column
	/** Known ends of the range. The engine says the others. */
	readonly from?: number | undefined
	readonly to?: number | undefined
	/** The axis reaches this value, also where no row does: the end of a series that stopped is visible. */
	readonly until?: number | undefined
	/** Splits the bars by the most frequent values of this column. */
	readonly split?: Column | undefined
}

/** The counts of a column along its values. */
export interface HistogramAnswer {
	readonly buckets: readonly Bucket[]
	/** The values of `Bucket.parts`, the most frequent first; levels from the calmest, so that errors end each bar. */
	readonly parts?: readonly Cell[]
	readonly notices: readonly string[]
	/** The zone in which the bars of days begin. */
	readonly timeZone?: string | undefined
}

/** Returns whether a column has an order that a histogram can show. */
export const hasHistogram = ({ kind }: Column) => kind === 'number' || kind === 'date'

/** Returns whether bars can be split by a column. What the engine computes for a query, such as a score, is in no group. */
export const canSplit = ({ name, kind, isSortable, isKey, filterFields }: Column) =>
	isSortable &&
	!isKey &&
	(kind === 'text' || kind === 'number' || kind === 'boolean') &&
	!filterFields?.some(field => field.name === name && field.operators?.length === 0)

/** Asks the engine for the range, if it is not known, and then for a bounded number of buckets. */
export async function readHistogram(
	{ query, column, from, to, until, split }: HistogramQuestion,
	ask: (query: AggregateQuery) => Promise<Answer>,
): Promise<HistogramAnswer> {
	const { name } = column
	const range = from !== undefined && to !== undefined ? { from, to: to - 1 } : await extremes()
	if (range === undefined) return { buckets: [], notices: [] }
	const asked = (column.kind === 'date' ? timeStep : numberStep)(range.from, range.to, mostBuckets)
	const groups = [{ column: name, interval: asked.interval }]
	const reading = ask({ ...query, groups, measures: [], limit: 2 * mostBuckets })
	const stepping = reading.then(({ timeZone = 'UTC' }) => knownStep(asked, timeZone))
	const [answer, step, parts] = await Promise.all([reading, stepping, split ? partsOf(split, stepping) : undefined])
	const { notices, timeZone } = answer
	const counts = answer.rows.flatMap(([key = null, count = null]) => countsOf(key, count))
	const buckets = bucketsOf(step, range, counts)
	if (!parts) return { buckets, notices, timeZone }
	return {
		buckets: buckets.map((bucket, index) => ({ ...bucket, parts: parts.counts.map(counts => counts[index] ?? 0) })),
		parts: parts.values,
		notices,
		timeZone,
	}

	/** Returns the most frequent values of a column with their counts along the axis. */
	async function partsOf(
		split: Column,
		stepping: Promise<Step>,
	): Promise<{ values: readonly Cell[]; counts: readonly (readonly number[])[] }> {
		const top = await ask({ ...query, groups: [{ column: split.name }], measures: [], limit: mostParts })
		const found = top.rows.flatMap(([value = null]) => (value === null ? [] : [value]))
		const values = isLevelColumn(split) ? found.toSorted((a, b) => byLevel(wordOf(a), wordOf(b))) : found
		if (values.length === 0) return { values, counts: [] }
		const { rows } = await ask({
			...limitedTo(query, split, values),
			groups: [...groups, { column: split.name }],
			measures: [],
			limit: 2 * mostBuckets * mostParts,
		})
		const step = await stepping
		const keys = values.map(value => JSON.stringify(value))
		const counts = keys.map(key => {
			const own = rows.filter(([, value = null]) => JSON.stringify(value) === key)
			const starts = own.flatMap(([start = null, , count = null]) => countsOf(start, count))
			return bucketsOf(step, range ?? { from: 0, to: 0 }, starts).map(({ count }) => count)
		})
		return { values, counts }
	}

	async function extremes() {
		const measures = [
			{ function: 'min', column: name },
			{ function: 'max', column: name },
		] as const
		const { rows } = await ask({ ...query, groups: [], measures, limit: 1 })
		const [least, most] = [rows[0]?.[1], rows[0]?.[2]].map(cell => positionOf(cell ?? null))
		if (least === undefined || most === undefined) return undefined
		return { from: from ?? least, to: to === undefined ? Math.max(most, until ?? most) : to - 1 }
	}
}

const wordOf = (cell: Cell) => String(fromCell(cell))

/** @throws Error if the window cannot compute where the engine's days begin */
function knownStep(step: Step, timeZone: string): Step {
	if (step.isOfCalendar && !isTimeZone(timeZone))
		throw new Error(`The bars of this range need the zone ${timeZone}, which this computer does not know.`)
	return stepIn(step, timeZone)
}

function countsOf(key: Cell, count: Cell): readonly (readonly [start: number, count: number])[] {
	const start = positionOf(key)
	return start === undefined ? [] : [[start, positionOf(count) ?? 0]]
}

/** Keeps the rows with these values, if the filters can say so: the engine may return a bounded number of groups. */
function limitedTo(query: RowChoice, column: Column, values: readonly Cell[]): RowChoice {
	if (query.match !== 'all' && query.filters.length > 0) return query
	const rows = values.map(value => cellFilters(column, value, 'for'))
	const texts = rows.flatMap(row => (typeof row === 'string' ? [] : row.map(({ text }) => text)))
	const target = filterTargets([column]).find(target => operatorsFor(target).some(([operator]) => operator === 'in'))
	if (!target || texts.length < values.length) return query
	return { ...query, match: 'all', filters: [...query.filters, { column: target.name, operator: 'in', values: texts }] }
}

/** Returns where a value is on the axis: a number, or the milliseconds of a date. */
function positionOf(cell: Cell): number | undefined {
	const value = fromCell(cell)
	if (typeof value === 'number') return value
	if (isExactNumber(value)) return Number(value.rawJSON)
	return typeof value === 'string' ? readMoment(value) : undefined
}
