import { HighlightStyle, StreamLanguage, type StringStream, syntaxHighlighting } from '@codemirror/language'
import { tags } from '@lezer/highlight'

/** Consumes the JSON value or name at the stream's position; `undefined` if there is none. */
export function jsonToken(stream: StringStream): string | undefined {
	// A name must be closed: otherwise a time or an address would be a name up to its colon.
	if (stream.match(/^"(?:[^"\\]|\\.)*"(?=\s*:)/)) return 'propertyName'
	if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string'
	if (stream.match(/^-?\d+(\.\d+)?([eE][+-]?\d+)?\b/)) return 'number'
	if (stream.match(/^(true|false|null)\b/)) return 'atom'
	return undefined
}

export const jsonLanguage = StreamLanguage.define({
	token(stream) {
		if (stream.eatSpace()) return null
		const token = jsonToken(stream)
		if (token === undefined) stream.next()
		return token ?? null
	},
	languageData: { closeBrackets: { brackets: ['{', '[', '"'] } },
})

/** Uses the colours of the window, so the editor follows light and dark. */
export const textColours = syntaxHighlighting(
	HighlightStyle.define([
		{ tag: tags.keyword, color: 'var(--accent)' },
		{ tag: tags.comment, color: 'var(--quiet)' },
		{ tag: tags.propertyName, color: 'var(--text)' },
		{ tag: tags.string, color: 'var(--code-text)' },
		{ tag: [tags.number, tags.atom], color: 'var(--code-number)' },
	]),
)
