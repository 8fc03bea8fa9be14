import type { Filter, Group } from '@roundhouse/kit'
import { columnIn, type Shape } from '../catalog/shape.ts'
import { endOfDay } from './conditions.ts'

/** Units of the calendar, which begin at another instant in another zone. */
export const calendar: ReadonlySet<string> = new Set(['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'])

/** What has days: the filters of a query, and its groups. */
interface WithDays {
	readonly filters: readonly Filter[]
	readonly groups?: readonly Group[]
}

const hasZone = (shape: Shape, column: string) => columnIn(shape, column).base === 'timestamptz'

/** Whether a group is a unit of the calendar in the zone of the session. */
export const isInZone = (shape: Shape, { column, interval }: Group) =>
	interval !== undefined && calendar.has(interval) && hasZone(shape, column)

/** Returns notices that name the zone of days, if the days of a query begin at another instant in another zone. */
export function dayNotices(shape: Shape, { filters, groups = [] }: WithDays, zone: string): string[] {
	const compared = filters.filter(
		({ column, values }) =>
			hasZone(shape, column) && values.some(text => endOfDay(columnIn(shape, column), text) !== undefined),
	)
	const grouped = groups.filter(group => isInZone(shape, group))
	return [
		...compared.map(({ column }) => `${column}: a date without a time is its whole day in ${zone}.`),
		...grouped.map(({ column, interval }) => `${column}: each ${interval} is one in ${zone}.`),
	]
}
