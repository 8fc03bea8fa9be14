import { instantOf, isTimeZone, offsetAt } from '@roundhouse/kit/time-zone'

/** Moments as people type them and as engines print them. Pure. */

/** The zone of a typed or shown time: an IANA name, `utc`, or `local` for the zone of this computer. */
export type Clock = string

/** Returns the IANA name of the zone. */
export function zoneOf(clock: Clock): string {
	if (clock === 'utc') return 'UTC'
	return clock === 'local' ? Intl.DateTimeFormat().resolvedOptions().timeZone : clock
}

export const isClock = (value: unknown): value is Clock => typeof value === 'string' && isTimeZone(zoneOf(value))

const pattern =
	/^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/i

/**
 * Reads a date, optionally with a time, a fraction and an offset, in milliseconds since 1970. A text without an offset
 * is read in `clock`. Returns `undefined` for anything else, and for a day that does not exist.
 */
export function readMoment(text: string, clock: Clock = 'utc'): number | undefined {
	const found = pattern.exec(text.trim())
	if (!found) return undefined
	const [year = 0, month = 0, date = 0, hour = 0, minute = 0, second = 0] = found
		.slice(1, 7)
		.map(part => Number(part ?? 0))
	const ms = Math.floor(Number(`0.${found[7] ?? 0}`) * 1000)
	const utc = Date.UTC(year, month - 1, date, hour, minute, second, ms)
	const isDay = new Date(Date.UTC(year, month - 1, date)).getUTCDate() === date && month <= 12
	if (!isDay || hour > 24 || minute > 59 || second > 59) return undefined
	if (found[8] !== undefined) return utc - offsetOf(found[8])
	return instantOf(utc, zoneOf(clock))
}

const relative = /^now(?:\s*-\s*(\d{1,6})\s*([smhdwMy]))?$/
const [minute, day] = [60_000, 86_400_000]
const unitMs: Readonly<Record<string, number>> = {
	s: 1000,
	m: minute,
	h: 60 * minute,
	d: day,
	w: 7 * day,
	M: 30 * day,
	y: 365 * day,
}

/** Whether a text is a moment before now, as engines write it: `now`, `now-15m`, `now-3d`. */
export const isRelative = (text: string) => relative.test(text.trim())

/** Reads such a text, in milliseconds since 1970. A month has 30 days, and a year 365. */
export function readRelative(text: string, now: number): number | undefined {
	const [found, count = '0', unit = 's'] = relative.exec(text.trim()) ?? []
	return found === undefined ? undefined : now - Number(count) * (unitMs[unit] ?? 0)
}

function offsetOf(text: string): number {
	if (/^z$/i.test(text)) return 0
	const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(text) ?? []
	return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** Prints a moment as engines take it: ISO in UTC. */
export const printMoment = (ms: number) => new Date(ms).toISOString()

/** Prints a moment for people: `2024-02-29 12:30:00`, with milliseconds only if there are any. */
export function shownMoment(ms: number, clock: Clock): string {
	return new Date(ms + offsetAt(ms, zoneOf(clock)))
		.toISOString()
		.replace('T', ' ')
		.replace(/(?:\.000)?Z$/, '')
}

interface DayParts {
	readonly year: number
	readonly month: number
	readonly date: number
	/** 0 is Sunday. */
	readonly weekday: number
}

/** Returns the start of the day that `choose` makes of the parts of a moment. Days and months may overflow. */
export function dayStart(
	ms: number,
	clock: Clock,
	choose: (parts: DayParts) => readonly [year: number, month: number, date: number],
): number {
	const zone = zoneOf(clock)
	const at = new Date(ms + offsetAt(ms, zone))
	const parts = { year: at.getUTCFullYear(), month: at.getUTCMonth(), date: at.getUTCDate(), weekday: at.getUTCDay() }
	return instantOf(Date.UTC(...choose(parts)), zone)
}

/** The name of the zone for the user. */
export const clockName = (clock: Clock) => zoneOf(clock).replaceAll('_', ' ')
