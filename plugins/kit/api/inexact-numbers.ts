/** Start and end of each number of a JSON text that a double cannot carry, one after the other in one list. */
export function inexactNumbers(text: string): readonly number[] {
	const spans: number[] = []
	let at = 0
	while (at < text.length) {
		const code = text.charCodeAt(at)
		if (code === quote) {
			at = endOfString(text, at)
		} else if (isDigit(code) || code === minus) {
			const end = endOfNumber(text, at)
			if (isInexact(text, at, end) && !isKey(text, end)) spans.push(at, end)
			at = end
		} else {
			at++
		}
	}
	return spans
}

// Written over character codes: this runs over every answer of an engine, before the native parser does.
const [quote, backslash, minus, plus, dot, zero, nine, smallE, largeE, colon] = [
	0x22, 0x5c, 0x2d, 0x2b, 0x2e, 0x30, 0x39, 0x65, 0x45, 0x3a,
]

function isDigit(code: number): boolean {
	return code >= zero && code <= nine
}

function endOfString(text: string, start: number): number {
	let at = text.indexOf('"', start + 1)
	if (at < 0) return text.length
	if (text.charCodeAt(at - 1) !== backslash || !isEscaped(text, at)) return at + 1
	// Where one quote is escaped there are more, and a search for each would cost more than a look at each character.
	while (++at < text.length) {
		const code = text.charCodeAt(at)
		if (code === backslash) at++
		else if (code === quote) return at + 1
	}
	return text.length
}

/** An odd number of backslashes stands before. */
function isEscaped(text: string, at: number): boolean {
	let first = at - 1
	while (text.charCodeAt(first - 1) === backslash) first--
	return (at - first) % 2 === 1
}

function endOfNumber(text: string, start: number): number {
	let at = start + 1
	for (; at < text.length; at++) {
		const code = text.charCodeAt(at)
		if (isDigit(code) || code === dot) continue
		if (code !== smallE && code !== largeE && code !== plus && code !== minus) break
	}
	return at
}

const numberGrammar = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/** What is not a number by JSON's grammar is left for the parser to refuse. */
function isInexact(text: string, start: number, end: number): boolean {
	if (isSurelyExact(text, start, end)) return false
	const token = text.slice(start, end)
	return String(Number(token)) !== token && numberGrammar.test(token)
}

/** Nearly all numbers, told without making a text of them: a double keeps any 15 digits and prints them as they came. */
function isSurelyExact(text: string, start: number, end: number): boolean {
	if (end - start > 15) return false
	const last = text.charCodeAt(end - 1)
	if (last === zero) return end - start === 1 || (text.charCodeAt(start) !== minus && isWhole(text, start, end))
	if (text.startsWith('0.000000', text.charCodeAt(start) === minus ? start + 1 : start)) return false
	// Only an exponent is left that prints in another way.
	for (let at = start + 1; at < end; at++) {
		const code = text.charCodeAt(at)
		if (code !== dot && !isDigit(code)) return false
	}
	return true
}

function isWhole(text: string, start: number, end: number): boolean {
	for (let at = start; at < end; at++) if (!isDigit(text.charCodeAt(at))) return false
	return true
}

/** `{1.10: 2}` is not JSON; written as a text, the number would make it so. */
function isKey(text: string, end: number): boolean {
	let at = end
	while (at < text.length && text.charCodeAt(at) <= 0x20) at++
	return text.charCodeAt(at) === colon
}
