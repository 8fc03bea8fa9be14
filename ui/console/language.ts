import { HighlightStyle, StreamLanguage, type StreamParser, syntaxHighlighting } from '@codemirror/language'
import { tags } from '@lezer/highlight'
import type { Engine } from '../state/engine.tsx'

interface State {
	/** The text block or comment that is open: the mark that ends it, and what it is. */
	block: { readonly end: string; readonly style: 'string' | 'comment' } | undefined
	/** The word that starts a statement stands before. */
	isFirst: boolean
}

/** Console text as a driver describes its language: words that start a statement, comments, text over several lines. */
export function consoleLanguage(description: Engine['console']): StreamLanguage<State> {
	return StreamLanguage.define(parserOf(description))
}

export function parserOf({
	keywords,
	lineComments,
	blockComments,
	textBlocks,
}: Engine['console']): StreamParser<State> {
	// A manifest's keywords are words, so none of them means anything to the expression.
	const statement = keywords.length > 0 ? new RegExp(`^\\s*(${keywords.join('|')})\\b`, 'i') : undefined
	const beginsAsComment = (word: string) => blockComments.some(({ begin }) => word.startsWith(begin) && word !== begin)
	const blocks = [
		...blockComments.map(({ begin, end }) => ({ begin, end, style: 'comment' as const })),
		...textBlocks.map(mark => ({ begin: mark, end: mark, style: 'string' as const })),
	]
	return {
		startState: () => ({ block: undefined, isFirst: false }),
		token(stream, state) {
			if (state.block !== undefined) {
				const { end, style } = state.block
				if (stream.skipTo(end)) {
					stream.match(end)
					state.block = undefined
				} else stream.skipToEnd()
				return style
			}
			if (stream.sol() && statement && stream.match(statement)) {
				state.isFirst = true
				return 'keyword'
			}
			if (stream.eatSpace()) return null
			// What the statement is about may begin as a comment does, and goes on, as the path `/*/_search`.
			const [subject = ''] = (state.isFirst && stream.string.slice(stream.pos).match(/^\S+/)) || []
			state.isFirst = false
			if (beginsAsComment(subject)) {
				stream.match(subject)
				return null
			}
			if (lineComments.some(mark => stream.match(mark))) {
				stream.skipToEnd()
				return 'comment'
			}
			const block = blocks.find(({ begin }) => stream.match(begin))
			if (block !== undefined) {
				state.block = block
				return block.style
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
