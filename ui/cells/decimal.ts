/** A decimal number: `digits` divided by ten to the power of `scale`. */
export interface Decimal {
	readonly digits: bigint
	readonly scale: number
}

/** The exponents of a double. Longer numbers would take memory without use. */
const farthest = 400

/** Returns the number that a text is, exact to the last digit; `undefined` for another text. */
export function decimalIn(text: string): Decimal | undefined {
	const [, sign = '', whole = '', part = '', exponent = '0'] =
		/^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
	const scale = part.length - Number(exponent)
	if (whole === '' || Math.abs(scale) > farthest) return undefined
	const digits = BigInt(`${whole}${part}`) * (scale < 0 ? 10n ** BigInt(-scale) : 1n)
	return { digits: sign === '-' ? -digits : digits, scale: Math.max(0, scale) }
}

/** Returns a negative number if `one` is less than `other`, a positive one if it is greater, and 0 if they are equal. */
export function compareDecimals(one: Decimal, other: Decimal): number {
	const scale = Math.max(one.scale, other.scale)
	const [a = 0n, b = 0n] = [one, other].map(({ digits, scale: own }) => digits * 10n ** BigInt(scale - own))
	return a < b ? -1 : a > b ? 1 : 0
}
