import { cutText } from '@roundhouse/kit'

/** Upper limit of a quote in a notice. The complete answer is shown beside it. */
const longestQuote = 1000

/** Characters that can begin a line or change how neighbouring text is displayed. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu

/** Returns text of the engine on one line. Anyone who can name an index can put text into it. */
export function oneLine(text: string): string {
	return text.replace(unprintable, ' ').trim()
}

/** Quotes text of the engine for a message: on one line, cut, and in quotes that it cannot close. */
export function quoted(text: string, longest = longestQuote): string {
	const line = oneLine(text).replaceAll(/[“”]/g, '"')
	return `“${cutText(line, longest)}”`
}

/** Without blanks, so that it cannot be a sentence. */
const plainName = /^[\w.:@[\]*,<>{}/+|-]{1,200}$/

/** Returns a name for a message. A name that could be read as a part of the sentence is quoted. */
export function named(name: string): string {
	return plainName.test(name) ? name : quoted(name)
}

/** Returns words as one part of a sentence: `keyword, long, and short`. */
export const listed = (words: readonly string[]) => new Intl.ListFormat('en').format(words)
