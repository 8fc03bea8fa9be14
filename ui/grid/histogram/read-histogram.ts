import { fromCell } from '@roundhouse/kit/cell'
import { isExactNumber } from '@roundhouse/kit/json'
import type { AggregateQuery, Cell, Column, ResultOf, RowChoice } from '../../../host/api/api.ts'
import { readMoment } from '../time/moment.ts'
import { type Bucket, bucketsOf, numberStep, timeStep } from './steps.ts'

type Answer = ResultOf<'rows.aggregate'>

/** More bars would be narrower than a finger can point at. */
const mostBuckets = 60

export interface HistogramQuestion {
	readonly query: RowChoice
	readonly column: Column
	/** Known ends of the range. The engine says the others. */
	readonly from?: number | undefined
	readonly to?: number | undefined
	/** The axis reaches this value, also where no row does: the end of a series that stopped is visible. */
	readonly until?: number | undefined
}

/** The counts of a column along its values. */
export interface HistogramAnswer {
	readonly buckets: readonly Bucket[]
	readonly notices: readonly string[]
}

/** Returns whether a column has an order that a histogram can show. */
export const hasHistogram = ({ kind }: Column) => kind === 'number' || kind === 'date'

/** Asks the engine for the range, if it is not known, and then for a bounded number of buckets. */
export async function readHistogram(
	{ query, column, from, to, until }: HistogramQuestion,
	ask: (query: AggregateQuery) => Promise<Answer>,
): Promise<HistogramAnswer> {
	const { name } = column
	const range = from !== undefined && to !== undefined ? { from, to: to - 1 } : await extremes()
	if (range === undefined) return { buckets: [], notices: [] }
	const step = (column.kind === 'date' ? timeStep : numberStep)(range.from, range.to, mostBuckets)
	const groups = [{ column: name, interval: step.interval }]
	const answer = await ask({ ...query, groups, measures: [], limit: 2 * mostBuckets })
	const counts = answer.rows.flatMap(([key = null, count = null]) => {
		const start = positionOf(key)
		return start === undefined ? [] : [[start, positionOf(count) ?? 0] as const]
	})
	return { buckets: bucketsOf(step, range, counts), notices: answer.notices }

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

/** Returns where a value is on the axis: a number, or the milliseconds of a date. */
function positionOf(cell: Cell): number | undefined {
	const value = fromCell(cell)
	if (typeof value === 'number') return value
	if (isExactNumber(value)) return Number(value.rawJSON)
	return typeof value === 'string' ? readMoment(value) : undefined
}
