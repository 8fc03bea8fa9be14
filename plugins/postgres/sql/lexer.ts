import { lexerOf, placeholderPattern, type Token, type Tokens } from '@roundhouse/sql'

/**
 * The tokens of a text, as PostgreSQL reads them (src/backend/parser/scan.l). The lexer only splits the text into tokens.
 * The parser (console/parser.ts) determines the access of a statement.
 */

const patterns: Tokens['patterns'] = [
	['blank', /[ \t\n\r\f\v]+/y],
	['comment', /--[^\n\r]*/y],
	['placeholder', placeholderPattern],
	// Backslash escapes are valid only in E'...' strings.
	['string', /e'(?:[^'\\]|\\[\s\S]|'')*('|$)/iy],
	['string', /(?:[bnx]|u&)?'(?:[^']|'')*('|$)/iy],
	['quotedIdentifier', /(?:u&)?"(?:[^"]|"")*("|$)/iy],
	['word', /[\p{L}_\u0080-\u{10ffff}][\p{L}\p{N}_$\u0080-\u{10ffff}]*/uy],
	['word', /(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy],
]

const dollarTag = /\$(?:[\p{L}_\u0080-\u{10ffff}][\p{L}\p{N}_\u0080-\u{10ffff}]*)?\$/uy

function dollarText(text: string, start: number): Token | undefined {
	if (text[start] !== '$') return undefined
	dollarTag.lastIndex = start
	const tag = dollarTag.exec(text)?.[0]
	if (tag === undefined) return undefined
	const end = text.indexOf(tag, start + tag.length)
	return end < 0
		? { kind: 'string', start, end: text.length, isUnterminated: true }
		: { kind: 'string', start, end: end + tag.length }
}

export const { tokenAt, tokensOf } = lexerOf({ patterns, nestsComments: true, special: dollarText })
