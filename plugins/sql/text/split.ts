import { isBlank, type Lexer, type Token } from './lexer.ts'
import type { Split, StatementSpan } from './statement-span.ts'

/** Splits a text at each `;` that no text, name or comment contains. For engines whose statements contain no others. */
export const splitAtSemicolons =
	(lexer: Lexer): Split =>
	text => {
		const pieces: StatementSpan[] = []
		let tokens: Token[] = []
		const finish = () => {
			const [first, last] = [tokens[0], tokens.findLastIndex(token => !isBlank(token))]
			const end = tokens[last]?.end
			if (first && end !== undefined) pieces.push({ start: first.start, end, tokens: tokens.slice(0, last + 1) })
			tokens = []
		}
		for (const token of lexer.tokensOf(text)) {
			if (token.kind === 'symbol' && text[token.start] === ';') finish()
			else if (tokens.length > 0 || !isBlank(token)) tokens.push(token)
		}
		finish()
		return pieces
	}
