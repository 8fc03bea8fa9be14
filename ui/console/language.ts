import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { tags } from '@lezer/highlight'

interface State {
	/** Inside a triple-quoted string. */
	isRaw: boolean
}

/** Console text: request lines, JSON bodies, comments, triple quotes. */
export const consoleLanguage = StreamLanguage.define<State>({
	startState: () => ({ isRaw: false }),
	token(stream, state) {
		if (state.isRaw) {
			if (stream.skipTo('"""')) {
				stream.match('"""')
				state.isRaw = false
			} else stream.skipToEnd()
			return 'string'
		}
		if (stream.sol() && stream.match(/^\s*(GET|HEAD|POST|PUT|PATCH|DELETE)\b/i)) return 'keyword'
		if (stream.eatSpace()) return null
		if (stream.match(/^(#|\/\/).*/)) return 'comment'
		if (stream.match('"""')) {
			state.isRaw = true
			return 'string'
		}
		if (stream.match(/^"(?:[^"\\]|\\.)*"?(?=\s*:)/)) return 'propertyName'
		if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string'
		if (stream.match(/^-?\d+(\.\d+)?([eE][+-]?\d+)?\b/)) return 'number'
		if (stream.match(/^(true|false|null)\b/)) return 'atom'
		if (stream.match(/^\/[^\s]*/)) return 'link'
		stream.next()
		return null
	},
	languageData: { commentTokens: { line: '#' }, closeBrackets: { brackets: ['{', '[', '"'] } },
})

/** The colours of the window, so that the editor follows light and dark. */
export const consoleColours = syntaxHighlighting(
	HighlightStyle.define([
		{ tag: tags.keyword, color: 'var(--accent)', fontWeight: '600' },
		{ tag: tags.link, color: 'var(--text)' },
		{ tag: tags.comment, color: 'var(--faint)' },
		{ tag: tags.propertyName, color: 'var(--json)' },
		{ tag: tags.string, color: 'var(--positive)' },
		{ tag: [tags.number, tags.atom], color: 'var(--number)' },
	]),
)
