/**
 * A point in time as text: read so that it can be moved from zone to zone, and written again with the digits it came
 * with. ISO 8601 as engines write it: a date, then maybe a time, a fraction of up to nine digits, and an offset.
 */
export interface DateText {
	/** `2024-02-29`. */
	readonly date: string
	/** `12:00:30`; empty where there is a date alone. */
	readonly time: string
	/** Digits behind the seconds, as many as there are. */
	readonly fraction: string
	/** `Z`, `+02:00`, or empty where the text names no zone. */
	readonly offset: string
}

const pattern = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))?(Z|[+-]\d{2}:?\d{2})?)?$/i

/** `undefined` for a text that is not such a date, or names a day that there is not. */
export function readDate(text: string): DateText | undefined {
	const [, date, time = '', fraction = '', offset = ''] = pattern.exec(text.trim()) ?? []
	if (date === undefined) return undefined
	const whole = { date, time: time.length === 5 ? `${time}:00` : time, fraction, offset: offset.toUpperCase() }
	return isDay(whole) ? whole : undefined
}

export function printDate({ date, time, fraction, offset }: DateText): string {
	if (time === '') return date
	return `${date}T${time}${fraction === '' ? '' : `.${fraction}`}${offset}`
}

function isDay(date: DateText): boolean {
	try {
		Temporal.PlainDateTime.from(printDate({ ...date, offset: '' }), { overflow: 'reject' })
		return true
	} catch {
		return false
	}
}

/** The same moment as a clock in another zone shows it. A text without a zone is shown as it is. */
export function inZone(text: DateText, zone: string): DateText {
	if (text.offset === '' || text.time === '') return text
	const clock = Temporal.Instant.from(printDate(text)).toZonedDateTimeISO(zone)
	return { ...partsOf(clock), fraction: text.fraction, offset: clock.offset }
}

/** What a clock in `zone` showed, written with the offset that the text had. */
export function fromZone(shown: DateText, zone: string, offset: string): DateText {
	if (offset === '' || shown.time === '') return { ...shown, offset }
	const moment = Temporal.PlainDateTime.from(printDate({ ...shown, offset: '' })).toZonedDateTime(zone)
	const written = moment.withTimeZone(offset === 'Z' ? 'UTC' : withColon(offset))
	return { ...partsOf(written), fraction: shown.fraction, offset }
}

/** The zones worth offering first: the text's own, UTC, and where the person is. */
export function nearZones(offset: string): readonly string[] {
	const own = offset === '' || offset === 'Z' ? [] : [withColon(offset)]
	return [...new Set([...own, 'UTC', Temporal.Now.timeZoneId()])]
}

function partsOf(clock: Temporal.ZonedDateTime) {
	const [date = '', time = ''] = clock.toPlainDateTime().toString({ smallestUnit: 'second' }).split('T')
	return { date, time }
}

const withColon = (offset: string) => (offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`)

/** An older Chromium has no calendar of its own: dates are texts there. */
export const hasCalendar = 'Temporal' in globalThis
