/**
 * A member name with an escape, up to its colon: the last escape, then no quote until the end of the name. Finds every
 * such name, and may also find other text.
 */
const escapedName = /\\["\\/bfnrtu][^"\\]*"[ \t\r\n]*:/

/** A JSON string, and the colon if it is a name. */
const textAndColon = /"([^"\\]*(?:\\.[^"\\]*)*)"([ \t\r\n]*:)?/gs

/** Returns whether a member name may contain an escape. */
export function hasEscapedName(text: string): boolean {
	return text.includes('\\') && escapedName.test(text)
}

/**
 * Parses the text with placeholders without escapes in the place of escaped names, then restores the names.
 *
 * Reason: V8 since Node 24 compares the name that it expects in an object with the written text, not with its meaning.
 * If an earlier object of the same shape had the name `a\`, V8 reads `"a\n"` as that name, even from another text.
 */
export function withPlainNames(text: string, parse: (text: string) => unknown): unknown {
	const mark = unused(text)
	const names: string[] = []
	let value: unknown
	try {
		value = parse(
			text.replace(textAndColon, (whole: string, content: string, colon: string | undefined) => {
				if (colon === undefined || !content.includes('\\')) return whole
				names.push(JSON.parse(`"${content}"`) as string)
				return `"${mark}${names.length - 1}"${colon}`
			}),
		)
	} catch {
		// Throws the same error, with positions in the original text.
		return parse(text)
	}
	return renamed(value, name => (name.startsWith(mark) ? (names[Number(name.slice(1))] ?? name) : name))
}

/** Returns a character that does not occur in the text. No real document contains all of these. */
function unused(text: string): string {
	for (let code = 0xe000; code < 0xf8ff; code++) {
		const mark = String.fromCharCode(code)
		if (!text.includes(mark) && !text.toLowerCase().includes(`\\u${code.toString(16)}`)) return mark
	}
	throw new SyntaxError('JSON with escaped names that contains every private-use character')
}

function renamed(value: unknown, nameOf: (name: string) => string): unknown {
	// A frozen value is a number with its digits.
	if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
	if (Array.isArray(value)) return value.map(element => renamed(element, nameOf))
	const object = {}
	for (const [name, inner] of Object.entries(value)) {
		const own = nameOf(name)
		const member = { value: renamed(inner, nameOf), enumerable: true, configurable: true, writable: true }
		Object.defineProperty(object, own, member)
	}
	return object
}
