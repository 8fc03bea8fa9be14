import type { Filter, Group } from '@roundhouse/kit'
import { columnIn, type Shape } from '../catalog/shape.ts'
import { endOfDayOf } from './conditions.ts'

/** Units of the calendar, which begin at another instant in another zone. */
const calendar = new Set(['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'])

/** Sessions of the driver read and write a TIMESTAMP in UTC. A DATETIME has no zone. */
const hasZone = (shape: Shape, column: string) => columnIn(shape, column).base === 'timestamp'

/** Returns notices that name the zone of days, if the days of a query begin at another instant in another zone. */
export function dayNotices(
	shape: Shape,
	{ filters, groups = [] }: { readonly filters: readonly Filter[]; readonly groups?: readonly Group[] },
): string[] {
	const compared = filters.filter(
		({ column, values }) =>
			hasZone(shape, column) && values.some(text => endOfDayOf(columnIn(shape, column), text) !== undefined),
	)
	const grouped = groups.filter(
		({ column, interval }) => interval !== undefined && calendar.has(interval) && hasZone(shape, column),
	)
	return [
		...compared.map(({ column }) => `${column}: a date without a time is its whole day in UTC.`),
		...grouped.map(({ column, interval }) => `${column}: each ${interval} is one in UTC.`),
	]
}
