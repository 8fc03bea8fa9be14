import { z } from 'zod'

/**
 * Characters that change how neighbouring text is displayed: controls, separators of lines, and format characters,
 * which reorder, join or hide text.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u
/** Fillers: letters, marks and symbols without a shape. Selectors of a variant, as emoji have them, are none. */
const filler = /(?![\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}|\u2800/u
/** More marks on one letter than a language has. They cover the lines above and below. */
const stackedMarks = /\p{M}{5}/u
/** A text that shows nothing, or begins with a mark, which then changes the text before it. */
const isBlank = (text: string) => text !== '' && (/^\p{M}/u.test(text) || !/[^\p{Z}\p{M}]/u.test(text))

/** Longest name or label, and longest description, hint, icon or text in a schema, in characters. */
const [maxLineLength, maxTextLength] = [300, 30_000]
/** Members whose text may have several lines. */
const severalLines = /^(?:icon|description|placeholder|help|pattern|examples|default|const|enum)$/

/** Returns the text on one line, without characters that change how neighbouring text is displayed, and without fillers. */
export function oneLine(text: string): string {
	return (
		text
			.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
			.replace(new RegExp(filler, 'gu'), '')
			// No pattern for the whole run, because a long one would exceed the stack.
			.replace(/(?<=\p{M}{4})\p{M}/gu, '')
			.trim()
	)
}

/**
 * A text that the user sees in a list or a question: one line that cannot change how neighbouring text is displayed.
 */
export const shownLine = z
	.string()
	.max(maxLineLength)
	.superRefine((text, context) => {
		const message = faultOfLine(text)
		if (message !== undefined) context.addIssue({ code: 'custom', message })
	})

/** Returns what is wrong with a line that a user sees, as a phrase without a subject. */
function faultOfLine(text: string): string | undefined {
	if (unprintable.test(text)) return 'contains control or format characters, or several lines'
	if (filler.test(text) || isBlank(text)) return 'contains characters that show nothing'
	return stackedMarks.test(text) ? 'contains letters with more than four marks' : undefined
}

/**
 * Returns what is wrong with the texts of a manifest, names of members included. Returns `undefined` if all of them can
 * be shown in questions, in lists and on a terminal. `name` is the member with the value.
 */
export function faultOfTexts(value: unknown, name = ''): string | undefined {
	if (typeof value === 'string') {
		const isLong = severalLines.test(name)
		if (value.length > (isLong ? maxTextLength : maxLineLength)) return `${name} is too long`
		// Lines of a long text may be indented or empty.
		const fault = isLong ? faultOfLine(`.${value.replace(/[\n\t]/g, '')}`) : faultOfLine(value)
		return fault && `${name} ${fault}`
	}
	if (Array.isArray(value)) return firstFault(value.map(part => () => faultOfTexts(part, name)))
	if (typeof value !== 'object' || value === null) return undefined
	const members = Object.entries(value)
	return firstFault(
		members.flatMap(([key, part]) => [() => faultOfTexts(key, 'a name'), () => faultOfTexts(part, key)]),
	)
}

function firstFault(checks: readonly (() => string | undefined)[]): string | undefined {
	for (const check of checks) {
		const fault = check()
		if (fault !== undefined) return fault
	}
	return undefined
}
