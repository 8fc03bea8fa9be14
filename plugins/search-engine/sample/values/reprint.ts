import { exactNumber, isExactNumber, isJsonObject, type Json } from '@roundhouse/kit'

/**
 * Returns a document as the engine prints it after an update: decimals converted to Java doubles, whole numbers with
 * all digits.
 */
export function reprinted(value: Json): Json {
	if (Array.isArray(value)) return value.map(reprinted)
	if (isJsonObject(value))
		return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, reprinted(inner)]))
	if (typeof value !== 'number' && !isExactNumber(value)) return value
	const digits = typeof value === 'number' ? String(value) : value.rawJSON
	if (/^-?[0-9]+$/.test(digits)) return digits === '-0' ? 0 : value
	const double = Number(digits)
	return Number.isFinite(double) ? exactNumber(javaDouble(double)) : String(double)
}

function javaDouble(double: number): string {
	const isPlain = double === 0 || (Math.abs(double) >= 1e-3 && Math.abs(double) < 1e7)
	const [mantissa = '', exponent = ''] = (isPlain ? String(double) : double.toExponential()).split(/e\+?/)
	const sign = Object.is(double, -0) ? '-' : ''
	return `${sign}${mantissa}${mantissa.includes('.') ? '' : '.0'}${exponent === '' ? '' : `E${exponent}`}`
}
