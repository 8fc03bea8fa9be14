/** Masks of messages: what differs from one message to a similar one. Pure. */

/** Stands for what is masked, and for any text in a filter. */
export const masked = '*'

/** The beginning of a message says of which kind it is. */
const mostCharacters = 300

const parts = [
	// Quoted text. An apostrophe in a word is none.
	/"[^"]*"/,
	/(?<!\w)'[^']*'(?!\w)/,
	/`[^`]*`/,
	// UUID
	/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/,
	// Date and time, or one of them
	/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/,
	/\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?\b/,
	// Addresses of IP, with a port
	/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/,
	/(?<![\w:])(?:[\da-f]{0,4}:){2,7}[\da-f]{1,4}\b/,
	// Hexadecimal numbers and ids, which have a digit
	/\b0x[\da-f]+\b/,
	/\b(?=[a-f-]*\d)[\da-f]{4,}(?:-[\da-f]+)*\b/,
	// Numbers, with their fractions. In `http2` and `v1`, they are part of a name.
	/(?<![\p{L}\p{N}_])\d+(?:[.,]\d+)*/u,
	// The number of an id behind one or two small letters: `u3910`, `order_12345`. In `sha256` and `E1042`, it is a part of a name.
	/(?-i:(?<=(?<![\p{L}\p{N}_])\p{Ll}{1,2}|_)\d{3,}(?![\p{L}\p{N}_]))/u,
]
const anyPart = new RegExp(parts.map(({ source }) => source).join('|'), 'giu')

/** What a filter takes for something else than itself. It stands for any character in a pattern. */
const special = /[\\*?]/g

/**
 * Returns the pattern of a message: its first line, in which numbers, ids, quotes, addresses and times are masked. As the
 * value of the filter operator `wildcard`, it fits each message with this pattern.
 */
export function patternOf(message: string): string {
	const start = message.length - message.trimStart().length
	const [line = ''] = message.slice(start).split('\n', 1)
	const text = line.slice(0, mostCharacters).trimEnd()
	const isCut = message.length > start + text.length
	let pattern = start > 0 ? masked : ''
	let end = 0
	for (const { 0: found, index } of text.matchAll(anyPart)) {
		pattern += text.slice(end, index).replaceAll(special, '?') + masked
		end = index + found.length
	}
	pattern += text.slice(end).replaceAll(special, '?')
	// The number of elements of a list differs too.
	const oneOfMany = pattern.replaceAll(/\*(?:[,;] ?\*)+/g, masked)
	return isCut && !oneOfMany.endsWith(masked) ? `${oneOfMany}${masked}` : oneOfMany
}
