/**
 * The tokens of a text, as PostgreSQL reads them (src/backend/parser/scan.l), with UTF-16 offsets. The lexer never
 * fails: an unterminated token extends to the end of the text. The lexer only splits the text into tokens. The parser
 * (console/parser.ts) determines the access of a statement.
 */

export interface Token {
	readonly kind: 'blank' | 'comment' | 'string' | 'quotedIdentifier' | 'word' | 'placeholder' | 'symbol'
	readonly start: number
	readonly end: number
	/** Whether a string, quoted identifier or comment is not terminated. */
	readonly isUnterminated?: boolean
}

const patterns: readonly (readonly [Token['kind'], RegExp])[] = [
	['blank', /[ \t\n\r\f\v]+/y],
	['comment', /--[^\n\r]*/y],
	['placeholder', /\{\{\s*[\p{L}_][\p{L}\p{N}_.-]{0,99}\s*\}\}/uy],
	// Backslash escapes are valid only in E'...' strings.
	['string', /e'(?:[^'\\]|\\[\s\S]|'')*('|$)/iy],
	['string', /(?:[bnx]|u&)?'(?:[^']|'')*('|$)/iy],
	['quotedIdentifier', /(?:u&)?"(?:[^"]|"")*("|$)/iy],
	['word', /[\p{L}_\u0080-\u{10ffff}][\p{L}\p{N}_$\u0080-\u{10ffff}]*/uy],
	['word', /(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy],
]

/** Returns all tokens of a text. */
export function tokensOf(text: string): readonly Token[] {
	const tokens: Token[] = []
	for (let at = 0; at < text.length; ) {
		const token = tokenAt(text, at)
		tokens.push(token)
		at = token.end
	}
	return tokens
}

/** Returns the token that begins at an offset. */
export const tokenAt = (text: string, start: number): Token =>
	dollarText(text, start) ?? blockComment(text, start) ?? simple(text, start)

function simple(text: string, start: number): Token {
	for (const [kind, pattern] of patterns) {
		pattern.lastIndex = start
		const found = pattern.exec(text)
		if (found) return { kind, start, end: pattern.lastIndex, ...(found[1] === '' && { isUnterminated: true }) }
	}
	return { kind: 'symbol', start, end: start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1) }
}

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

/** Comments nest. */
function blockComment(text: string, start: number): Token | undefined {
	if (!text.startsWith('/*', start)) return undefined
	const marks = /\/\*|\*\//g
	marks.lastIndex = start
	let depth = 0
	for (let found = marks.exec(text); found; found = marks.exec(text)) {
		depth += found[0] === '/*' ? 1 : -1
		if (depth === 0) return { kind: 'comment', start, end: marks.lastIndex }
	}
	return { kind: 'comment', start, end: text.length, isUnterminated: true }
}
