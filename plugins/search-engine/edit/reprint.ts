import { isExactNumber, isJsonObject, type Json } from '@roundhouse/kit'

/**
 * Predicts how the engine reformats the numbers of a document on an update. On an update, the engine reads the whole
 * document, converts each decimal number to a Java double, and writes the whole document again. This was observed on
 * nodes with versions 7.17 and 8.2. If a request replaces a document completely, the engine stores the document as it
 * was sent.
 */

/** A number of a document, and its new form. */
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

/** Returns a number as the engine prints it. Whole numbers keep all their digits. */
export function reprinted(digits: string): string {
	if (/^-?[0-9]+$/.test(digits)) return digits === '-0' ? '0' : digits
	const number = Number(digits)
	if (!Number.isFinite(number)) return number < 0 ? '"-Infinity"' : '"Infinity"'
	return javaText(number)
}

/**
 * Formats a number like Java's `Double.toString`. Absolute values from 0.001 up to, but not including, 10,000,000 are
 * plain decimals. Other values have one digit before the decimal point and an exponent.
 */
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
