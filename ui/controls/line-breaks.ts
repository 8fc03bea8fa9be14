/** Line breaks of texts that are edited in a text area, which changes all of them to `\n`. Pure. */

const lineBreak = /\r\n?|\n/
const allBreaks = /\r\n?/g

export const hasLineBreak = (text: string) => lineBreak.test(text)

/**
 * Returns a text of a text area with the line breaks of the text before it: those in unchanged parts as they were, and
 * others like the first one.
 */
export function withLineBreaks(before: string, typed: string): string {
	if (!before.includes('\r')) return typed
	// A character of the text area is a character of the text, or its line break of two.
	const pieces = before.match(/\r\n|./gs) ?? []
	const shown = pieces.map(piece => piece.replace(allBreaks, '\n'))
	const most = Math.min(pieces.length, typed.length)
	let start = 0
	while (start < most && shown[start] === typed[start]) start++
	let end = 0
	while (end < most - start && shown.at(-1 - end) === typed.at(-1 - end)) end++
	const middle = typed.slice(start, typed.length - end).replaceAll('\n', lineBreak.exec(before)?.[0] ?? '\n')
	return pieces.slice(0, start).join('') + middle + pieces.slice(pieces.length - end).join('')
}
