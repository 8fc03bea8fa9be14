import { HighlightStyle, StreamLanguage, type StreamParser, syntaxHighlighting } from '@codemirror/language'
import { tags } from '@lezer/highlight'
import type { Engine } from '../state/engine.tsx'

interface State {
	/** The mark that ends the text block that is open. */
	block: string | undefined
}

/** Console text as a driver describes its language: words that start a statement, comments, text over several lines. */
export function consoleLanguage(description: Engine['console']): StreamLanguage<State> {
	return StreamLanguage.define(parserOf(description))
}

export function parserOf({ keywords, lineComments, textBlocks }: Engine['console']): StreamParser<State> {
	// A manifest's keywords are words, so none of them means anything to the expression.
	const statement = keywords.length > 0 ? new RegExp(`^\\s*(${keywords.join('|')})\\b`, 'i') : undefined
	return {
		startState: () => ({ block: undefined }),
		token(stream, state) {
			if (state.block !== undefined) {
				if (stream.skipTo(state.block)) {
					stream.match(state.block)
					state.block = undefined
				} else stream.skipToEnd()
				return 'string'
			}
			if (stream.sol() && statement && stream.match(statement)) return 'keyword'
			if (stream.eatSpace()) return null
			if (lineComments.some(mark => stream.match(mark))) {
				stream.skipToEnd()
				return 'comment'
			}
			const block = textBlocks.find(mark => stream.match(mark))
			if (block !== undefined) {
				state.block = block
				return 'string'
			}
			if (stream.match(/^"(?:[^"\\]|\\.)*"?(?=\s*:)/)) return 'propertyName'
			if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string'
			if (stream.match(/^-?\d+(\.\d+)?([eE][+-]?\d+)?\b/)) return 'number'
			if (stream.match(/^(true|false|null)\b/)) return 'atom'
			// A word, or a path, is one: no number or atom is found in the middle of it.
			if (stream.match(/^(\/\S*|[\p{L}_]\w*)/u)) return null
			stream.next()
			return null
		},
		languageData: {
			...(lineComments[0] !== undefined && { commentTokens: { line: lineComments[0] } }),
			closeBrackets: { brackets: ['{', '[', '"'] },
		},
	}
}

/** The colours of the window, so that the editor follows light and dark. */
export const consoleColours = syntaxHighlighting(
	HighlightStyle.define([
		{ tag: tags.keyword, color: 'var(--accent)', fontWeight: '600' },
		{ tag: tags.comment, color: 'var(--faint)' },
		{ tag: tags.propertyName, color: 'var(--json)' },
		{ tag: tags.string, color: 'var(--positive)' },
		{ tag: [tags.number, tags.atom], color: 'var(--number)' },
	]),
)
