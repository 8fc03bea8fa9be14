import type { Cell } from '../../../host/api/api.ts'

/** A date as engines write it, with its time and, if it has one, its zone. */
const pattern = /^\d{4}-\d{2}-\d{2}[T ](\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?)(Z|[+-]\d{2}(?::?\d{2})?)?$/i

/** The time of a date and the zone that it is written in; empty if it is written in none. */
export interface TimeOfDay {
	readonly time: string
	readonly zone: string
}

/** Returns the time of a date as the engine writes it; `undefined` for any other value. */
export function timeOfDay(cell: Cell): TimeOfDay | undefined {
	const [, time, zone = ''] = (typeof cell === 'string' ? pattern.exec(cell) : null) ?? []
	return time === undefined ? undefined : { time, zone: /^z$/i.test(zone) ? 'UTC' : zone }
}
