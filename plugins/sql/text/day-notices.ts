import type { Filter, Group } from '@roundhouse/kit'
import { endOfDay } from './conditions.ts'

/** Units of the calendar, which begin at another instant in another zone. */
export const calendar: ReadonlySet<string> = new Set(['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'])

/** What has days: the filters of a query, and its groups. */
interface WithDays {
	readonly filters: readonly Filter[]
	readonly groups?: readonly Group[]
}

/**
 * Returns notices that name the zone of days, if the days of a query begin at another instant in another zone.
 * @param hasZone whether a column has instants, which a date alone compares by their day
 */
export function dayNotices(
	{ filters, groups = [] }: WithDays,
	zone: string,
	hasZone: (column: string) => boolean,
): string[] {
	const compared = filters.filter(
		({ column, values }) => hasZone(column) && values.some(text => endOfDay(text) !== undefined),
	)
	const grouped = groups.filter(
		({ column, interval }) => interval !== undefined && calendar.has(interval) && hasZone(column),
	)
	return [
		...compared.map(({ column }) => `${column}: a date without a time is its whole day in ${zone}.`),
		...grouped.map(({ column, interval }) => `${column}: each ${interval} is one in ${zone}.`),
	]
}
