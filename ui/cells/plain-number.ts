/** More zeros than these are easier to read as an exponent. */
const mostZeros = 25

/**
 * Returns a number as plain digits that an engine printed in scientific notation, or with `.0` behind a whole number:
 * `16883202` for `1.6883202E7`. It keeps each digit. Returns any other text unchanged.
 */
export function plainNumber(text: string): string {
	const [found, sign = '', whole = '', fraction = '', exponent] =
		/^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
	const shift = Number(exponent ?? 0)
	// Other zeros are the scale of a decimal.
	const isPlain = exponent === undefined && fraction !== '0'
	if (found === undefined || isPlain || Math.abs(shift) > mostZeros) return text
	const point = whole.length + shift
	const at = Math.max(1, point)
	const digits = ('0'.repeat(at - point) + whole + fraction).padEnd(at, '0')
	const rest = digits.slice(at).replace(/0+$/, '')
	return `${sign}${digits.slice(0, at).replace(/^0+(?=\d)/, '')}${rest === '' ? '' : `.${rest}`}`
}
