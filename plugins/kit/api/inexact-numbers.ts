/**
 * Returns start and end of each number in a JSON text that a double cannot represent, in one flat list.
 *
 * @param bytes the text in UTF-8. Reading bytes is more than twice as fast as reading characters, and no byte of a
 * multi-byte character looks like JSON syntax.
 */
export function inexactNumbers(text: string, bytes: Uint8Array = encoder.encode(text)): readonly number[] {
	const spans: number[] = []
	/** How many bytes `at` is ahead of the same place in UTF-16 units. */
	let surplus = 0
	let at = 0
	while (at < bytes.length) {
		const byte = bytes[at] as number
		if (byte === quote) {
			for (at++; at < bytes.length; at++) {
				const inside = bytes[at] as number
				if (inside === quote) break
				if (inside === backslash) at++
				else if (inside >= firstOfLonger) surplus += surplusOf(inside)
			}
			at++
		} else if (isDigit(byte) || byte === minus) {
			const end = endOfNumber(bytes, at)
			// Skip invalid numbers; the parser rejects them.
			if (!isExactNumberAt(bytes, at, end, () => text.slice(at - surplus, end - surplus)) && !isKey(bytes, end)) {
				const [from, to] = [at - surplus, end - surplus]
				if (numberGrammar.test(text.slice(from, to))) spans.push(from, to)
			}
			at = end
		} else {
			if (byte >= firstOfLonger) surplus += surplusOf(byte)
			at++
		}
	}
	return spans
}

const encoder = new TextEncoder()

// Written over bytes, because this runs over every answer of an engine before the native parser.
const [quote, backslash, minus, plus, dot, zero, nine, smallE, largeE, colon] = [
	0x22, 0x5c, 0x2d, 0x2b, 0x2e, 0x30, 0x39, 0x65, 0x45, 0x3a,
] as const

const [firstOfLonger, firstOfTwo, firstOfFour] = [0x80, 0xc0, 0xf0] as const

/** Surplus of UTF-8 bytes over UTF-16 units: each continuation byte counts one, but four bytes are two units. */
function surplusOf(byte: number): number {
	if (byte < firstOfTwo) return 1
	return byte >= firstOfFour ? -1 : 0
}

function isDigit(byte: number): boolean {
	return byte >= zero && byte <= nine
}

function endOfNumber(bytes: Uint8Array, start: number): number {
	let at = start + 1
	for (; at < bytes.length; at++) {
		const byte = bytes[at] as number
		if (isDigit(byte) || byte === dot) continue
		if (byte !== smallE && byte !== largeE && byte !== plus && byte !== minus) break
	}
	return at
}

const numberGrammar = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/** Returns whether a double represents the number between two byte positions exactly, and prints it in the same way. */
export function isExactNumberAt(bytes: Uint8Array, start: number, end: number, textOf: () => string): boolean {
	if (isSurelyExact(bytes, start, end)) return true
	if (isPadded(bytes, start, end)) return false
	const text = textOf()
	return String(Number(text)) === text
}

/**
 * Returns whether a fraction ends with zeros, which a double does not print. This is the most common inexact number.
 */
function isPadded(bytes: Uint8Array, start: number, end: number): boolean {
	if (bytes[end - 1] !== zero) return false
	let hasPoint = false
	for (let at = start; at < end; at++) {
		const byte = bytes[at] as number
		if (byte === dot) hasPoint = true
		else if (byte === smallE || byte === largeE) return false
	}
	return hasPoint
}

/**
 * Recognizes nearly all exact numbers without creating a string. A double represents any 15 digits exactly and prints
 * them unchanged.
 */
function isSurelyExact(bytes: Uint8Array, start: number, end: number): boolean {
	if (end - start > 15) return false
	const first = bytes[start] === minus ? start + 1 : start
	// Either only zeros before a point, which prints with an exponent if it is small, or not a number.
	if (bytes[first] === zero && end - first > 8) return false
	if (bytes[end - 1] === zero) return end - start === 1 || (first === start && isWhole(bytes, start, end))
	// Only an exponent can still print differently.
	for (let at = start + 1; at < end; at++) {
		const byte = bytes[at] as number
		if (byte !== dot && !isDigit(byte)) return false
	}
	return true
}

function isWhole(bytes: Uint8Array, start: number, end: number): boolean {
	for (let at = start; at < end; at++) if (!isDigit(bytes[at] as number)) return false
	return true
}

/** `{1.10: 2}` is not JSON, but with the number marked as a string it would be. */
function isKey(bytes: Uint8Array, end: number): boolean {
	let at = end
	while (at < bytes.length && (bytes[at] as number) <= 0x20) at++
	return bytes[at] === colon
}
