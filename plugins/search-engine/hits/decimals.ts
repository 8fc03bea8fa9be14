import type { Scanner } from './scan.ts'

/**
 * Returns whether a JSON value contains a number with a fraction or an exponent. The engine's source filter prints such a
 * number again, as a double: `1.10` becomes `1.1`, and digits beyond 17 are lost.
 */
export function hasDecimals(scanner: Scanner, [start, end]: readonly [number, number]): boolean {
	const { bytes } = scanner
	for (let at = start; at < end; at++) {
		const byte = bytes[at] as number
		if (byte === quote) at = scanner.endOfText(at) - 1
		// Outside of texts, these occur in numbers, and the e in words, which begin with a letter.
		else if (byte === point || (isExponent(byte) && isDigit(bytes[at - 1] as number))) return true
	}
	return false
}

const [quote, point] = [0x22, 0x2e]
const isExponent = (byte: number) => byte === 0x65 || byte === 0x45
const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39
