/** A token of a text, with UTF-16 offsets. */
export interface Token {
	/**
	 * Some engines tell numbers and variables from words. `executed`: a comment that the server executes.
	 */
	readonly kind:
		| ('blank' | 'comment' | 'string' | 'quotedIdentifier' | 'word' | 'placeholder' | 'symbol')
		| ('number' | 'variable' | 'executed')
	readonly start: number
	readonly end: number
	/** Whether a string, quoted identifier or comment is not terminated. */
	readonly isUnterminated?: boolean
}

/** How an engine divides a text into tokens. */
export interface Tokens {
	/**
	 * Sticky patterns, tried in order. A token whose pattern has a first group is terminated by what the group matches: an
	 * empty match is the end of the text.
	 */
	readonly patterns: readonly (readonly [kind: Token['kind'], pattern: RegExp])[]
	/** Whether a comment ends at the end of the outermost one, as in PostgreSQL. */
	readonly nestsComments: boolean
	/** Returns the token at an offset that no pattern describes, for example a text in dollars. */
	readonly special?: (text: string, start: number) => Token | undefined
}

/** Divides texts into tokens. It never fails: an unterminated token extends to the end of the text. */
export interface Lexer {
	/** Returns the token that begins at an offset. */
	tokenAt(text: string, start: number): Token
	/** Returns all tokens of a text. */
	tokensOf(text: string): readonly Token[]
}

/** A place of a value in two braces, as a sticky pattern. */
export const placeholderPattern = /\{\{\s*[\p{L}_][\p{L}\p{N}_.-]{0,99}\s*\}\}/uy

/** Returns the lexer of an engine. */
export function lexerOf({ patterns, nestsComments, special }: Tokens): Lexer {
	const tokenAt = (text: string, start: number): Token =>
		special?.(text, start) ?? blockComment(text, start, nestsComments) ?? simple(patterns, text, start)
	return {
		tokenAt,
		tokensOf(text) {
			const tokens: Token[] = []
			for (let at = 0; at < text.length; ) {
				const token = tokenAt(text, at)
				tokens.push(token)
				at = token.end
			}
			return tokens
		},
	}
}

/** Whether a token has no meaning of itself. */
export const isBlank = ({ kind }: Token): boolean => kind === 'blank' || kind === 'comment'

function simple(patterns: Tokens['patterns'], text: string, start: number): Token {
	for (const [kind, pattern] of patterns) {
		pattern.lastIndex = start
		const found = pattern.exec(text)
		if (!found) continue
		const token = { kind, start, end: pattern.lastIndex }
		return found[1] === '' ? { ...token, isUnterminated: true } : token
	}
	return { kind: 'symbol', start, end: start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1) }
}

/** Returns the comment between `/*` and its end at an offset, if one begins there. */
export function blockComment(text: string, start: number, nests: boolean): Token | undefined {
	if (!text.startsWith('/*', start)) return undefined
	const marks = nests ? /\/\*|\*\//g : /\*\//g
	marks.lastIndex = nests ? start : start + 2
	let depth = nests ? 0 : 1
	for (let found = marks.exec(text); found; found = marks.exec(text)) {
		depth += found[0] === '/*' ? 1 : -1
		if (depth === 0) return { kind: 'comment', start, end: marks.lastIndex }
	}
	return { kind: 'comment', start, end: text.length, isUnterminated: true }
}
