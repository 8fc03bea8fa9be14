import { createSignal } from 'solid-js'

const units = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** Formats a size: `812 bytes`, `1.4 MB`. */
export function bytes(size: number): string {
	let unit = 0
	let value = size
	while (value >= 1000 && unit < units.length - 1) {
		value /= 1000
		unit++
	}
	return `${unit === 0 ? value : number(value, value < 10 ? 1 : 0)} ${units[unit]}`
}

/** Formats of numbers and dates: the system's, or the user's choice. */
const [locale, setLocale] = createSignal<string>()

export { setLocale }

const numbers = new Map<string, Intl.NumberFormat>()
/** Formatters are expensive to create, so they are cached. */
function number(value: number | bigint, digits = 0): string {
	const key = `${locale() ?? ''}/${digits}`
	const format =
		numbers.get(key) ??
		new Intl.NumberFormat(locale(), { minimumFractionDigits: digits, maximumFractionDigits: digits })
	numbers.set(key, format)
	return format.format(value)
}

/** Formats an instant to the minute. */
export function moment(time: string | number): string {
	return new Date(time).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'short' })
}

/** Formats the date of an instant, with its weekday. */
export function dayOf(time: string | number): string {
	return new Date(time).toLocaleDateString(locale(), { dateStyle: 'full' })
}

/** Formats the date of an instant in a zone. */
export function dateIn(time: number, timeZone: string): string {
	return new Date(time).toLocaleDateString(locale(), { dateStyle: 'medium', timeZone })
}

/** Formats the time of an instant to the second. */
export function clockOf(time: string | number): string {
	return new Date(time).toLocaleTimeString(locale(), { timeStyle: 'medium' })
}

/** Formats an instant to the second, with its date. */
export function clockAndDay(time: number): string {
	return new Date(time).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'medium' })
}

/** Formats a moment on an axis by the unit that begins there: `08:20`, `28 Nov`, `2026`; optionally a time with its date. */
export function axisMoment(
	time: number,
	{
		unit,
		zone,
		hasDate,
	}: {
		readonly unit: 'second' | 'minute' | 'day' | 'month' | 'year'
		readonly zone: string
		readonly hasDate: boolean
	},
): string {
	const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
	const date = { day: 'numeric', month: 'short' } as const
	const parts = {
		second: { ...clock, second: '2-digit' },
		minute: clock,
		day: date,
		month: { month: 'short' },
		year: { year: 'numeric' },
	} as const
	return new Date(time).toLocaleString(locale(), { ...parts[unit], ...(hasDate && date), timeZone: zone })
}

/** The time zone of this machine: `Europe/Berlin`. */
export const zoneName = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

const spans = [
	['year', 31_557_600_000],
	['month', 2_629_800_000],
	['day', 86_400_000],
	['hour', 3_600_000],
	['minute', 60_000],
	['second', 1000],
] as const

/** Formats a distance from now in its largest unit: `3 months ago`, `in 2 hours`. */
export function relativeTime(ms: number): string {
	const [unit, span] = spans.find(([, span]) => Math.abs(ms) >= span) ?? (['second', 1000] as const)
	return new Intl.RelativeTimeFormat('en').format(Math.round(ms / span), unit)
}

/** Formats digits of any length with separators. */
export function groupedDigits(digits: string): string {
	const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)$/.exec(digits) ?? []
	return whole === '' ? digits : `${sign}${count(BigInt(whole))}${rest}`
}

/** Formats a count with separators; `1,000+` if the count is a lower bound. See {@link countText} for estimates. */
export function count(value: number | bigint, isExact = true): string {
	return `${number(value)}${isExact ? '' : '+'}`
}

/** Formats milliseconds without the unit: `0.004`, `0.25`, `2.5`, `1,250`. */
export function milliseconds(ms: number): string {
	return number(ms, ms === 0 || ms >= 10 ? 0 : ms < 0.0995 ? 3 : ms < 0.995 ? 2 : 1)
}

/** Formats a share from 0 to 1: `12.5 %`, `< 0.1 %`. */
export function percent(share: number): string {
	return share > 0 && share < 0.001 ? `< ${number(0.1, 1)} %` : `${number(share * 100, 1)} %`
}

/** Formats a count of the engine: `1,000`, `1,000+` for a lower bound, `about 1,000` for an estimate. */
export function countText({
	value,
	isExact,
	bound,
}: {
	readonly value: number
	readonly isExact: boolean
	readonly bound?: 'least' | 'about'
}): string {
	return !isExact && bound === 'about' ? `about ${count(value)}` : count(value, isExact)
}

/** The rows of a listed table: `1,250`, or `≈ 1,250` for an estimate of the engine. Empty if they are unknown. */
export function rowCountText({
	rowCount,
	isRowCountEstimated,
}: {
	readonly rowCount?: number
	readonly isRowCountEstimated?: boolean
}): string {
	return rowCount === undefined ? '' : `${isRowCountEstimated ? '≈ ' : ''}${count(rowCount)}`
}

/** `1 index`, `3 indices`. */
export function counted(value: number, noun: { readonly one: string; readonly many: string }): string {
	return `${count(value)} ${(value === 1 ? noun.one : noun.many).toLowerCase()}`
}

const mostNames = 40

/** `a, b`, or of many names the first ones and how many more there are. */
export function firstNames(names: readonly string[]): string {
	const more = names.length - mostNames
	return [...names.slice(0, mostNames), ...(more > 0 ? [`and ${count(more)} more`] : [])].join(', ')
}

/** `Account`, of `account`. */
export function capital(word: string): string {
	return word.charAt(0).toUpperCase() + word.slice(1)
}

/** `a row`, `an account`. */
export function oneOf({ one }: { readonly one: string }): string {
	return `${/^[aeiou]/i.test(one) ? 'an' : 'a'} ${one}`
}
