/**
 * A name of a member that is written with an escape, up to its colon: the last escape, and no quote behind it but the one
 * that ends the name. It finds every such name, and may find what is none.
 */
const escapedName = /\\["\\/bfnrtu][^"\\]*"[ \t\r\n]*:/

/** A text of JSON, and the colon that makes it a name. */
const textAndColon = /"([^"\\]*(?:\\.[^"\\]*)*)"([ \t\r\n]*:)?/gs

/** Whether a member's name may be written with an escape. */
export function hasEscapedName(text: string): boolean {
	return text.includes('\\') && escapedName.test(text)
}

/**
 * Parses with names that hold no escape in the place of those that do, and gives them back afterwards.
 *
 * V8 since Node 24 compares the name that it expects in an object with what is written, not with what it means: where an
 * object of that shape had the name `a\`, it takes `"a\n"` for it, whatever text that object came from.
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
		// The same error, with positions in the text that was given.
		return parse(text)
	}
	return renamed(value, name => (name.startsWith(mark) ? (names[Number(name.slice(1))] ?? name) : name))
}

/** A character that stands nowhere in the text; nobody's document holds all of these. */
function unused(text: string): string {
	for (let code = 0xe000; code < 0xf8ff; code++) {
		const mark = String.fromCharCode(code)
		if (!text.includes(mark) && !text.toLowerCase().includes(`\\u${code.toString(16)}`)) return mark
	}
	throw new SyntaxError('JSON with escaped names that holds every character of private use')
}

function renamed(value: unknown, nameOf: (name: string) => string): unknown {
	// What is frozen is a number with its digits.
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
