import { formatDialect } from 'sql-formatter'
import type { Lexer, Token } from '../text/lexer.ts'
import type { Split } from '../text/statement-span.ts'

/** What the formatter of an engine needs. */
interface Formatting extends Pick<Lexer, 'tokensOf'> {
	readonly split: Split
	/** The library's description of the engine's SQL, and the signs of its numbered parameters. */
	readonly dialect: Parameters<typeof formatDialect>[1]['dialect']
	readonly numbered: readonly '$'[]
}

/** A longer statement takes the formatter seconds, and is rarely written by hand. */
const longest = 50_000

/**
 * Lays out the statements of a text. Changes blanks between tokens and nothing else: a statement that the formatter does
 * not know, or would change, stays as it is.
 */
export function formatText(text: string, formatting: Formatting): string {
	let [formatted, at] = ['', 0]
	for (const { start, end, data } of formatting.split(text)) {
		const statement = text.slice(start, end)
		formatted += text.slice(at, start) + (data === undefined ? formattedStatement(statement, formatting) : statement)
		at = end
	}
	return formatted + text.slice(at)
}

function formattedStatement(text: string, { tokensOf, dialect, numbered }: Formatting): string {
	if (text.length > longest) return text
	const paramTypes = { numbered: [...numbered], custom: [placeholders] }
	try {
		const formatted = formatDialect(text, { dialect, tabWidth: 2, paramTypes })
		return isSame(wordsOf(text, tokensOf(text)), wordsOf(formatted, tokensOf(formatted))) ? formatted : text
	} catch {
		// Its grammar is smaller than that of the server.
		return text
	}
}

const placeholders = { regex: '\\{\\{\\s*[\\p{L}_][\\p{L}\\p{N}_.-]{0,99}\\s*\\}\\}' }

const isSame = (old: readonly string[], made: readonly string[]) =>
	old.length === made.length && old.every((word, at) => word === made[at])

/** Returns the tokens that are no blanks. The characters of an operator are one token: `->>` is not `- >>`. */
function wordsOf(text: string, tokens: readonly Token[]): readonly string[] {
	const words: string[] = []
	let last: Token | undefined
	for (const token of tokens) {
		const part = text.slice(token.start, token.end)
		const isOperator = isOperatorPart(token, part)
		if (isOperator && last?.end === token.start && isOperatorPart(last, text.slice(last.start, last.end)))
			words[words.length - 1] += part
		else if (token.kind !== 'blank') words.push(part.trim())
		last = token
	}
	return words
}

const isOperatorPart = ({ kind }: Token, part: string) => kind === 'symbol' && /^[-+*/<>=~!@#%^&|`?:]$/.test(part)
