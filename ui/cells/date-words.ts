import type { Cell } from '../../host/api/api.ts'
import { clockAndDay, relativeTime, zoneName } from '../words/format.ts'

/** A date as engines write it, with a time and an offset: without them it is no moment. */
const pattern = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))?(Z|[+-]\d{2}(?::?\d{2})?)$/i

/** A smaller number is rather seconds or a year than milliseconds since 1970. */
const leastMs = 100_000_000_000

/** Returns the moment of a date's cell in milliseconds since 1970; `undefined` if it is none or has no zone. */
export function momentOf(cell: Cell): number | undefined {
	if (typeof cell === 'number') return cell >= leastMs ? cell : undefined
	if (typeof cell !== 'string') return undefined
	const [, date, time = '', fraction = '', offset = ''] = pattern.exec(cell.trim()) ?? []
	if (date === undefined) return undefined
	const [hours, minutes = '00'] = [offset.slice(0, 3), offset.slice(3).replace(':', '') || undefined]
	const zone = offset.toUpperCase() === 'Z' ? 'Z' : `${hours}:${minutes}`
	const moment = Date.parse(`${date}T${time}${fraction === '' ? '' : `.${fraction.slice(0, 3)}`}${zone}`)
	return Number.isNaN(moment) ? undefined : moment
}

/** Formats the moment of a date's cell in the zone of this machine; `undefined` if it is none. */
export function localTime(cell: Cell): string | undefined {
	const moment = momentOf(cell)
	return moment === undefined ? undefined : clockAndDay(moment)
}

/** Describes a date: `2 Jul 2024, 00:30:00 in Europe/Berlin, 3 months ago`. */
export function dateWords(cell: Cell): string | undefined {
	const moment = momentOf(cell)
	if (moment === undefined) return undefined
	return `${clockAndDay(moment)} in ${zoneName()}, ${relativeTime(moment - Date.now())}`
}
