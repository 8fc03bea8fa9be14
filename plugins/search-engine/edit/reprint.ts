import { isExactNumber, isJsonObject, type Json } from '@roundhouse/kit'

/**
 * What the engine makes of numbers in a document that it updates: it reads the whole document, takes each decimal for a
 * Java double, and prints all of it anew. Found on nodes of 7.17 and 8.2; a document that is put whole is kept as sent.
 */

/** A number of a document, and as what it would come back. */
export interface Reprint {
	readonly path: string
	readonly from: string
	readonly to: string
}

export function reprintsIn(value: Json, path = ''): Reprint[] {
	if (Array.isArray(value)) return value.flatMap((element, index) => reprintsIn(element, `${path}[${index}]`))
	if (isJsonObject(value)) {
		return Object.entries(value).flatMap(([key, inner]) => reprintsIn(inner, path === '' ? key : `${path}.${key}`))
	}
	if (typeof value !== 'number' && !isExactNumber(value)) return []
	const from = typeof value === 'number' ? String(value) : value.rawJSON
	const to = reprinted(from)
	return to === from ? [] : [{ path, from, to }]
}

/** As the engine prints a number that it has read. Whole numbers keep all their digits. */
export function reprinted(digits: string): string {
	if (/^-?[0-9]+$/.test(digits)) return digits === '-0' ? '0' : digits
	const number = Number(digits)
	if (!Number.isFinite(number)) return number < 0 ? '"-Infinity"' : '"Infinity"'
	return javaText(number)
}

/** `Double.toString`: decimals between a thousandth and ten million, else one digit before the point and an exponent. */
function javaText(number: number): string {
	const size = Math.abs(number)
	if (size === 0) return Object.is(number, -0) ? '-0.0' : '0.0'
	if (size >= 1e-3 && size < 1e7) return withPoint(String(number))
	const [mantissa = '', exponent = ''] = number.toExponential().split('e')
	return `${withPoint(mantissa)}E${exponent.replace('+', '')}`
}

function withPoint(text: string): string {
	return text.includes('.') ? text : `${text}.0`
}
