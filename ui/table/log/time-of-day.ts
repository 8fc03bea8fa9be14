import type { Cell } from '../../../host/api/api.ts'

/** A date as engines write it, with its time and, if it has one, its zone. */
const pattern = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?)(Z|[+-]\d{2}(?::?\d{2})?)?$/i

/** The parts of a date with its time. The zone is that in which it is written; empty if it is written in none. */
export interface TimeOfDay {
	readonly day: string
	readonly time: string
	readonly zone: string
}

/** Returns the parts of a date as the engine writes them; `undefined` for any other value. */
export function timeOfDay(cell: Cell): TimeOfDay | undefined {
	const [, day, time, zone = ''] = (typeof cell === 'string' ? pattern.exec(cell) : null) ?? []
	if (day === undefined || time === undefined) return undefined
	return { day, time, zone: /^(?:z|[+-]00(?::?00)?)$/i.test(zone) ? 'UTC' : zone }
}
