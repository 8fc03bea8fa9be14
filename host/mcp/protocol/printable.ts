/** Control characters, separators of lines, and the format characters that turn, join or hide what stands beside them. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu

/**
 * A text of a stranger on one line, as it may stand in a question, in the log or on a terminal: it can neither begin a
 * line of its own nor change how its neighbours read.
 */
export function printable(text: string): string {
	return text.replace(unprintable, ' ').trim()
}

/** The same for a text that a person must judge letter by letter: line breaks and tabs stay, the rest is spelled out. */
export function spelledOut(text: string): string {
	return text.replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, character => {
		const code = character.codePointAt(0) ?? 0
		return `\\u{${code.toString(16)}}`
	})
}
