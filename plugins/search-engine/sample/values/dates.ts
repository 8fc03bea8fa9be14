/**
 * Parses dates like the engine: the mapping's formats, missing parts filled in, and date math (`now-1d/d`,
 * `2024-01-01||+1M`). Times without a zone are UTC. Supports only the formats of the sample's mappings and of common
 * filters.
 */

const defaultFormat = 'strict_date_optional_time||epoch_millis'
const iso =
	/^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(?:(\d{2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d{2}:?\d{2})?)?)?)?)?$/

interface Parts {
	readonly year: number
	readonly month?: number
	readonly day?: number
	readonly hour?: number
	readonly minute?: number
	readonly second?: number
	readonly millis?: number
	readonly offsetMinutes?: number
}

/**
 * Returns milliseconds since 1970, or `undefined` if the text matches no format. `isUpper`, for `lte` and `gt`, fills a
 * missing time with the end of the day. A missing month or day is still the first.
 */
export function parseDate(text: string, format = defaultFormat, isUpper = false): number | undefined {
	const [anchor = '', math] = text.startsWith('now') ? ['now', text.slice(3)] : text.split('||')
	const start = anchor === 'now' ? Date.now() : parsePlain(anchor, format, isUpper && !math)
	return start === undefined || !math ? start : applyMath(start, math, isUpper)
}

function parsePlain(text: string, formats: string, isUpper: boolean): number | undefined {
	// Fast path for most documents, because a sort reads tens of thousands.
	if (formats === defaultFormat && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return Date.parse(text)
	for (const format of formats.split('||')) {
		const millis = parseIn(text, format.trim(), isUpper)
		if (millis !== undefined) return millis
	}
	return undefined
}

function parseIn(text: string, format: string, isUpper: boolean): number | undefined {
	if (format === 'epoch_millis') return /^-?\d+$/.test(text) ? Number(text) : undefined
	if (format === 'epoch_second') return /^-?\d+$/.test(text) ? Number(text) * 1000 : undefined
	const parts = format.includes('date_optional_time') ? isoParts(text) : patternParts(text, format)
	return parts && millisOf(parts, isUpper)
}

function isoParts(text: string): Parts | undefined {
	const match = iso.exec(text)
	if (match === null) return undefined
	const [, year, month, day, hour, minute, second, fraction, zone] = match
	return {
		...numbers({ year, month, day, hour, minute, second }),
		...(fraction !== undefined && { millis: Number(fraction.padEnd(3, '0').slice(0, 3)) }),
		...(zone !== undefined && { offsetMinutes: offsetOf(zone) }),
	}
}

const patternWords: Readonly<Record<string, keyof Parts>> = {
	yyyy: 'year',
	uuuu: 'year',
	MM: 'month',
	dd: 'day',
	HH: 'hour',
	mm: 'minute',
	ss: 'second',
	SSS: 'millis',
}

function patternParts(text: string, pattern: string): Parts | undefined {
	const names: (keyof Parts)[] = []
	const source = pattern.replaceAll(/yyyy|uuuu|MM|dd|HH|mm|ss|SSS|[^A-Za-z]/g, word => {
		const name = patternWords[word]
		if (name === undefined) return word.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
		names.push(name)
		return `(\\d{${word.length}})`
	})
	const match = new RegExp(`^${source}$`).exec(text)
	return match === null ? undefined : numbers(Object.fromEntries(names.map((name, index) => [name, match[index + 1]])))
}

function numbers(texts: Readonly<Partial<Record<keyof Parts, string | undefined>>>): Parts {
	const given = Object.entries(texts).filter(([, text]) => text !== undefined)
	return { year: 1970, ...Object.fromEntries(given.map(([name, text]) => [name, Number(text)])) }
}

function offsetOf(zone: string): number {
	if (zone === 'Z') return 0
	const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
	return zone.startsWith('-') ? -minutes : minutes
}

function millisOf(parts: Parts, isUpper: boolean): number | undefined {
	const { year, offsetMinutes = 0 } = parts
	const month = parts.month ?? 1
	const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
	const day = parts.day ?? 1
	const [hour, minute, second, millis] = [
		parts.hour ?? (isUpper ? 23 : 0),
		parts.minute ?? (isUpper ? 59 : 0),
		parts.second ?? (isUpper ? 59 : 0),
		parts.millis ?? (isUpper ? 999 : 0),
	]
	const isReal = month >= 1 && month <= 12 && day >= 1 && day <= lastDay && hour < 24 && minute < 60 && second < 60
	return isReal ? Date.UTC(year, month - 1, day, hour, minute, second, millis) - offsetMinutes * 60_000 : undefined
}

function applyMath(start: number, math: string, isUpper: boolean): number | undefined {
	const steps = [...math.matchAll(/([+-])(\d+)([yMwdhHms])|\/([yMwdhHms])/g)]
	if (steps.map(step => step[0]).join('') !== math) return undefined
	return steps.reduce((at, [, sign, count, unit = '', rounding]) => {
		if (rounding === undefined) return shift(at, (sign === '-' ? -1 : 1) * Number(count), unit)
		const floor = startOf(at, rounding)
		return isUpper ? shift(floor, 1, rounding) - 1 : floor
	}, start)
}

const unitMillis: Readonly<Record<string, number>> = {
	w: 604_800_000,
	d: 86_400_000,
	h: 3_600_000,
	H: 3_600_000,
	m: 60_000,
	s: 1000,
	ms: 1,
}

export function shift(at: number, count: number, unit: string): number {
	const date = new Date(at)
	if (unit === 'M') return date.setUTCMonth(date.getUTCMonth() + count)
	if (unit === 'q') return date.setUTCMonth(date.getUTCMonth() + 3 * count)
	if (unit === 'y') return date.setUTCFullYear(date.getUTCFullYear() + count)
	return at + count * (unitMillis[unit] ?? 0)
}

/** Returns the start of the unit that contains `at`. Weeks begin on Monday. */
export function startOf(at: number, unit: string): number {
	const date = new Date(at)
	const year = date.getUTCFullYear()
	const month = date.getUTCMonth()
	if (unit === 'y') return Date.UTC(year, 0, 1)
	if (unit === 'q') return Date.UTC(year, month - (month % 3), 1)
	if (unit === 'M') return Date.UTC(year, month, 1)
	if (unit === 'w') return Date.UTC(year, month, date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
	const size = unitMillis[unit] ?? 1
	return Math.floor(at / size) * size
}

export { unitMillis }
