import type { Filter } from '../../../host/api/api.ts'
import { printMoment, readMoment } from '../time/moment.ts'
import { type TimeRange, timeFilters, toSecond } from '../time/time-range.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
/** How far a range reaches to each side, the shortest first. */
const reaches = [minute, 10 * minute, hour, 8 * hour, 2 * day, 16 * day]
/** Rows of a range that are enough to see what happened. */
const enough = 60

/** A row among the rows of a time around it, the newest first. */
export interface RowsAround {
	readonly time: TimeRange
	/** How many rows of the range are newer. */
	readonly row: number
	/** How many rows have exactly this moment; which of them is the row at `row` is not known. */
	readonly ties: number
	/** The row that was asked for. */
	readonly rowId?: string | undefined
}

/**
 * Finds the shortest range around a moment that has enough rows, else all of the time. `undefined` if it is no moment.
 * @param value the moment as the engine printed it, which may be more exact than a millisecond
 * @param countRows asks the engine for the number of rows with these filters
 */
export async function rowsAround(
	{ isOpening: _, ...range }: TimeRange,
	value: string,
	countRows: (filters: readonly Filter[]) => Promise<number>,
): Promise<RowsAround | undefined> {
	const moment = readMoment(value)
	if (moment === undefined) return undefined
	const newerThan: Filter = { column: range.column, operator: 'greater', values: [value] }
	const sameAs: Filter = { ...newerThan, operator: 'equals' }
	const placeIn = async (time: TimeRange): Promise<RowsAround> => {
		const [row, ties] = await Promise.all(
			[newerThan, sameAs].map(filter => countRows([...timeFilters(time, moment), filter])),
		)
		return { time, row: row ?? 0, ties: ties ?? 1 }
	}
	for (const reach of reaches) {
		const time: TimeRange = {
			...range,
			span: 'between',
			from: printMoment(toSecond(Math.floor, moment - reach)),
			to: printMoment(toSecond(Math.ceil, moment + reach)),
		}
		if ((await countRows(timeFilters(time, moment))) >= enough) return placeIn(time)
	}
	return placeIn({ ...range, span: 'all' })
}
