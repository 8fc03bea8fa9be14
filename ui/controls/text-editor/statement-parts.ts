import { type StreamParser, StringStream } from '@codemirror/streamparser'
import type { Manifest } from '../../../host/api/api.ts'
import { jsonToken } from './json-token.ts'

/** How statements of an engine look, from the driver's manifest. */
export type StatementLanguage = Pick<
	Manifest['console'],
	'keywords' | 'words' | 'lineComments' | 'blockComments' | 'textBlocks'
>

/** A part of a statement, with the name of its colour if it has one. */
export interface StatementPart {
	readonly text: string
	readonly token?: string
}

export interface StatementState {
	/** The multi-line text or comment that is not closed yet: its end marker and its style. */
	block: { readonly end: string; readonly style: 'string' | 'comment' } | undefined
	/** Whether the previous word was a keyword that starts a statement. */
	isFirst: boolean
}

/** Reads a console language as the driver describes it: keywords that start a statement, comments, multi-line text. */
export function statementParser({
	keywords,
	words,
	lineComments,
	blockComments,
	textBlocks,
}: StatementLanguage): StreamParser<StatementState> {
	// Keywords contain only word characters, so they need no escaping in the regular expression.
	const statement = keywords.length > 0 ? new RegExp(`^\\s*(${keywords.join('|')})\\b`, 'i') : undefined
	const known = new Set(words.map(word => word.toLowerCase()))
	const beginsAsComment = (word: string) => blockComments.some(({ begin }) => word.startsWith(begin) && word !== begin)
	const blocks = [
		...blockComments.map(({ begin, end }) => ({ begin, end, style: 'comment' as const })),
		...textBlocks.map(mark => ({ begin: mark, end: mark, style: 'string' as const })),
	]
	const marks = textBlocks.filter(mark => mark.length === 1)
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
			// A path can start with the same characters as a comment, for example `/*/_search`.
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
			const json = jsonToken(stream)
			if (json !== undefined) return json
			// Consumes a whole word or path, so that no part of it is highlighted as a number or an atom.
			if (stream.match(/^(\/\S*|[\p{L}_]\w*)/u)) return known.has(stream.current().toLowerCase()) ? 'keyword' : null
			stream.next()
			return null
		},
		languageData: {
			...(lineComments[0] !== undefined && { commentTokens: { line: lineComments[0] } }),
			closeBrackets: { brackets: [...new Set(['{', '[', '(', '"', ...marks])] },
		},
	}
}

/** Returns the parts of a statement, which together are its text. */
export function statementParts(text: string, language: StatementLanguage): readonly StatementPart[] {
	const parser = statementParser(language)
	const state: StatementState = { block: undefined, isFirst: false }
	const parts: StatementPart[] = []
	for (const [at, line] of text.split('\n').entries()) {
		let plain = at === 0 ? '' : '\n'
		const stream = new StringStream(line, 2, 2)
		while (!stream.eol()) {
			stream.start = stream.pos
			const token = parser.token(stream, state)
			if (token === null) plain += stream.current()
			else {
				if (plain !== '') parts.push({ text: plain })
				plain = ''
				parts.push({ text: stream.current(), token })
			}
		}
		if (plain !== '') parts.push({ text: plain })
	}
	return parts
}
