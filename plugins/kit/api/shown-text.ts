import { z } from 'zod'

/**
 * Characters that change how neighbouring text is displayed: controls, separators of lines, and format characters,
 * which reorder, join or hide text.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

/** Longest name or label, and longest description, hint, icon or text in a schema, in characters. */
const [maxLineLength, maxTextLength] = [300, 30_000]
/** Members whose text may have several lines. */
const severalLines = /^(?:icon|description|placeholder|help|pattern|examples|default|const|enum)$/

/** Returns the text on one line, without characters that change how neighbouring text is displayed. */
export function oneLine(text: string): string {
	return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/**
 * A text that the user sees in a list or a question: one line that cannot change how neighbouring text is displayed.
 */
export const shownLine = z
	.string()
	.max(maxLineLength)
	.refine(text => !unprintable.test(text), { message: 'contains control or format characters, or several lines' })

/**
 * Returns what is wrong with the texts of a manifest, names of members included. Returns `undefined` if all of them can
 * be shown in questions, in lists and on a terminal. `name` is the member with the value.
 */
export function faultOfTexts(value: unknown, name = ''): string | undefined {
	if (typeof value === 'string') {
		const isLong = severalLines.test(name)
		if (value.length > (isLong ? maxTextLength : maxLineLength)) return `${name} is too long`
		const text = isLong ? value.replace(/[\n\t]/g, '') : value
		return unprintable.test(text) ? `${name} contains control or format characters, or several lines` : undefined
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
