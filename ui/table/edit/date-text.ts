/**
 * A parsed date text. It can be shown in another time zone and printed again with the original number of fraction
 * digits. ISO 8601 as engines write it: a date, optionally a time, a fraction of up to nine digits, and an offset.
 */
export interface DateText {
	/** `2024-02-29`. */
	readonly date: string
	/** `12:00:30`; empty for a date without a time. */
	readonly time: string
	/** Digits after the seconds, with their original number. */
	readonly fraction: string
	/** `Z`, `+02:00`, or empty if the text has no zone. */
	readonly offset: string
}

const pattern = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))?(Z|[+-]\d{2}:?\d{2})?)?$/i

/** Parses a date text. Returns `undefined` if the text does not have this format, or if the day does not exist. */
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

/** Returns the same moment in another zone. A text without a zone is shown unchanged. */
export function inZone(text: DateText, zone: string): DateText {
	if (text.offset === '' || text.time === '') return text
	const clock = Temporal.Instant.from(printDate(text)).toZonedDateTimeISO(zone)
	return { ...partsOf(clock), fraction: text.fraction, offset: clock.offset }
}

/** Converts a clock reading in `zone` to the offset of the original text. */
export function fromZone(shown: DateText, zone: string, offset: string): DateText {
	if (offset === '' || shown.time === '') return { ...shown, offset }
	const moment = Temporal.PlainDateTime.from(printDate({ ...shown, offset: '' })).toZonedDateTime(zone)
	const written = moment.withTimeZone(offset === 'Z' ? 'UTC' : withColon(offset))
	return { ...partsOf(written), fraction: shown.fraction, offset }
}

/** Zones to offer first: the text's, UTC, and the user's. */
export function suggestedZones(offset: string): readonly string[] {
	const own = offset === '' || offset === 'Z' ? [] : [withColon(offset)]
	return [...new Set([...own, 'UTC', Temporal.Now.timeZoneId()])]
}

function partsOf(clock: Temporal.ZonedDateTime) {
	const [date = '', time = ''] = clock.toPlainDateTime().toString({ smallestUnit: 'second' }).split('T')
	return { date, time }
}

const withColon = (offset: string) => (offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`)

/** An older Chromium lacks Temporal; there dates are edited as text. */
export const hasTemporal = 'Temporal' in globalThis
