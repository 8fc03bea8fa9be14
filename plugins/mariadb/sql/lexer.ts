import { blockComment, type Lexer, lexerOf, placeholderPattern, type Token, type Tokens } from '@roundhouse/sql'

/**
 * The tokens of a text, as MariaDB and MySQL read them (sql/sql_lex.cc), with UTF-16 offsets. The lexer never fails: an
 * unterminated token extends to the end of the text.
 */

/** How a session reads texts: two of the words of `sql_mode`. */
export interface Modes {
	/** `"` quotes a name. */
	readonly ansiQuotes: boolean
	/** A backslash is a plain character. */
	readonly noBackslashEscapes: boolean
	/** The session reads texts in a way that this lexer does not know: in the mode ORACLE, or in another character set. */
	readonly isForeign?: boolean
}

/** Modes of the sessions that this driver opens. */
export const driverModes: Modes = { ansiQuotes: false, noBackslashEscapes: false }

/** @param sqlMode value of `@@sql_mode`, in which a combined mode such as `ANSI` stands beside its parts */
export const modesOf = (sqlMode: string, characterSet: string): Modes => {
	const words = new Set(sqlMode.toUpperCase().split(','))
	return {
		ansiQuotes: words.has('ANSI_QUOTES'),
		noBackslashEscapes: words.has('NO_BACKSLASH_ESCAPES'),
		isForeign: words.has('ORACLE') || !/^utf8(?:mb[34])?$/i.test(characterSet),
	}
}

/** Returns a word as the server compares its own: only letters of ASCII have two cases. */
export const wordOf = (text: string): string => text.replace(/[A-Z]+/g, letters => letters.toLowerCase())

const wordStart = '\\p{L}_$\\u0080-\\u{10ffff}'
const wordPart = `${wordStart}\\p{N}`

/**
 * `--` begins a comment only before a blank, a control character of ASCII or the end. The server reads bytes: it takes the
 * control characters behind those of ASCII for letters.
 */
const patterns: Tokens['patterns'] = [
	['blank', /[ \t\n\r\f\v]+/y],
	// biome-ignore lint/suspicious/noControlCharactersInRegex: the server's own rule
	['comment', /#[^\n]*|--(?=[\x00-\x20\x7f]|$)[^\n]*/uy],
	['placeholder', placeholderPattern],
	['variable', new RegExp(`@@?(?:[${wordPart}]|\\.)+`, 'uy')],
	['quotedIdentifier', /`(?:[^`]|``)*(`|$)/y],
	['number', /0x[0-9a-f]+(?![\p{L}\p{N}_$\u0080-\u{10ffff}])|0b[01]+(?![\p{L}\p{N}_$\u0080-\u{10ffff}])/uy],
	// A name may begin with digits (`1st`), also behind a dot (`shop.1st`). An exponent ends before a word: `1e5into` is two.
	[
		'number',
		new RegExp(
			`(?:\\d+\\.\\d*|(?<![${wordPart}])\\.\\d+)(?:[eE][+-]?\\d+)?|\\d+[eE][+-]?\\d+|\\d+(?![${wordPart}])`,
			'uy',
		),
	],
	['word', new RegExp(`[${wordPart}]+`, 'uy')],
]

const quotes = {
	"'": [/'(?:[^'\\]|\\[\s\S]|'')*('|$)/y, /'(?:[^']|'')*('|$)/y],
	'"': [/"(?:[^"\\]|\\[\s\S]|"")*("|$)/y, /"(?:[^"]|"")*("|$)/y],
} as const

/** By the modes: what they change is two choices. */
const lexers = new Map<string, Lexer>()

function lexerIn(modes: Modes): Lexer {
	const key = `${modes.ansiQuotes} ${modes.noBackslashEscapes}`
	const known = lexers.get(key)
	if (known) return known
	const special = (text: string, start: number) => quotedText(text, start, modes) ?? executedComment(text, start)
	const lexer = lexerOf({ patterns, nestsComments: false, special })
	lexers.set(key, lexer)
	return lexer
}

export const tokensOf = (text: string, modes: Modes = driverModes): readonly Token[] => lexerIn(modes).tokensOf(text)

/** Returns the token that begins at an offset. */
export const tokenAt = (text: string, start: number, modes: Modes = driverModes): Token =>
	lexerIn(modes).tokenAt(text, start)

/** A text, or with a mark before it a name of a variable: `@'a b'`, `` @`a b` ``. */
function quotedText(text: string, start: number, modes: Modes): Token | undefined {
	const mark = text[start]
	if (mark === '@' && /['"`]/.test(text[start + 1] ?? '')) {
		const { end, isUnterminated } = tokenAt(text, start + 1, modes)
		return { kind: 'variable', start, end, ...(isUnterminated && { isUnterminated }) }
	}
	if (mark !== "'" && mark !== '"') return undefined
	const isName = mark === '"' && modes.ansiQuotes
	// In a name, a backslash is a plain character under every mode.
	const pattern = quotes[mark][isName || modes.noBackslashEscapes ? 1 : 0]
	pattern.lastIndex = start
	const found = pattern.exec(text)
	// Such as a backslash before the end of the text.
	const end = found ? pattern.lastIndex : text.length
	const isUnterminated = !found || found[1] === ''
	return { kind: isName ? 'quotedIdentifier' : 'string', start, end, ...(isUnterminated && { isUnterminated }) }
}

const executedMark = /\/\*M?!/y

/** A comment that a server executes: its version decides which. It is one token, and plain comments nest in it. */
function executedComment(text: string, start: number): Token | undefined {
	executedMark.lastIndex = start
	const comment = executedMark.test(text) ? blockComment(text, start, true) : undefined
	return comment && { ...comment, kind: 'executed' }
}
