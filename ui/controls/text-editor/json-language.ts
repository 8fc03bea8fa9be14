import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { tags } from '@lezer/highlight'
import { jsonToken } from './json-token.ts'

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
