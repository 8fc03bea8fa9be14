import { createSignal } from 'solid-js'

const units = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** A size as people read it: `812 bytes`, `1.4 MB`. */
export function bytes(size: number): string {
	let unit = 0
	let value = size
	while (value >= 1000 && unit < units.length - 1) {
		value /= 1000
		unit++
	}
	return `${unit === 0 ? value : number(value, value < 10 ? 1 : 0)} ${units[unit]}`
}

/** How numbers and dates are written: as the system has it, or as the person chose. */
const [locale, setLocale] = createSignal<string>()

export { setLocale }

const numbers = new Map<string, Intl.NumberFormat>()
/** A formatter is costly to make. */
function number(value: number, digits = 0): string {
	const key = `${locale() ?? ''}/${digits}`
	const format =
		numbers.get(key) ??
		new Intl.NumberFormat(locale(), { minimumFractionDigits: digits, maximumFractionDigits: digits })
	numbers.set(key, format)
	return format.format(value)
}

/** An instant as the person reads it, to the minute. */
export function moment(time: string | number): string {
	return new Date(time).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'short' })
}

/** The day of an instant, with the name of the day. */
export function dayOf(time: string | number): string {
	return new Date(time).toLocaleDateString(locale(), { dateStyle: 'full' })
}

/** The time of day of an instant, to the second. */
export function clockOf(time: string | number): string {
	return new Date(time).toLocaleTimeString(locale(), { timeStyle: 'medium' })
}

/** A count with its thousands parted; `1,000+` where there are more. */
export function count(value: number, isExact = true): string {
	return `${number(value)}${isExact ? '' : '+'}`
}

/** `1 index`, `3 indices`. */
export function counted(value: number, noun: { readonly one: string; readonly many: string }): string {
	return `${count(value)} ${(value === 1 ? noun.one : noun.many).toLowerCase()}`
}

/** `Account`, of `account`. */
export function capital(word: string): string {
	return word.charAt(0).toUpperCase() + word.slice(1)
}

/** `a row`, `an account`. */
export function oneOf({ one }: { readonly one: string }): string {
	return `${/^[aeiou]/i.test(one) ? 'an' : 'a'} ${one}`
}
