/**
 * The tokens of a text, as PostgreSQL reads them (src/backend/parser/scan.l), with UTF-16 offsets. It never fails: a text
 * without its end is one token up to the end. It only divides; what a statement may do, its grammar says
 * (console/parser.ts).
 */

export interface Token {
	readonly kind: 'blank' | 'comment' | 'text' | 'name' | 'word' | 'place' | 'symbol'
	readonly start: number
	readonly end: number
	/** Whether a text, name or comment has no end. */
	readonly isOpen?: boolean
}

const patterns: readonly (readonly [Token['kind'], RegExp])[] = [
	['blank', /[ \t\n\r\f\v]+/y],
	['comment', /--[^\n\r]*/y],
	['place', /\{\{\s*[\p{L}_][\p{L}\p{N}_.-]{0,99}\s*\}\}/uy],
	// With backslashes as escapes only after E.
	['text', /e'(?:[^'\\]|\\[\s\S]|'')*('|$)/iy],
	['text', /(?:[bnx]|u&)?'(?:[^']|'')*('|$)/iy],
	['name', /(?:u&)?"(?:[^"]|"")*("|$)/iy],
	['word', /[\p{L}_\u0080-\uffff][\p{L}\p{N}_$\u0080-\uffff]*/uy],
	['word', /(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy],
]

/** Returns all tokens of a text. */
export function tokensOf(text: string): readonly Token[] {
	const tokens: Token[] = []
	for (let at = 0; at < text.length; ) {
		const token = dollarText(text, at) ?? blockComment(text, at) ?? simple(text, at)
		tokens.push(token)
		at = token.end
	}
	return tokens
}

function simple(text: string, start: number): Token {
	for (const [kind, pattern] of patterns) {
		pattern.lastIndex = start
		const found = pattern.exec(text)
		if (found) return { kind, start, end: pattern.lastIndex, ...(found[1] === '' && { isOpen: true }) }
	}
	return { kind: 'symbol', start, end: start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1) }
}

const dollarTag = /\$(?:[\p{L}_\u0080-\uffff][\p{L}\p{N}_\u0080-\uffff]*)?\$/uy

function dollarText(text: string, start: number): Token | undefined {
	if (text[start] !== '$') return undefined
	dollarTag.lastIndex = start
	const tag = dollarTag.exec(text)?.[0]
	if (tag === undefined) return undefined
	const end = text.indexOf(tag, start + tag.length)
	return end < 0
		? { kind: 'text', start, end: text.length, isOpen: true }
		: { kind: 'text', start, end: end + tag.length }
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
	return { kind: 'comment', start, end: text.length, isOpen: true }
}
