import { formatDialect, postgresql } from 'sql-formatter'
import { type Token, tokensOf } from '../sql/lexer.ts'
import { split } from '../sql/split.ts'

const options = {
	dialect: postgresql,
	tabWidth: 2,
	paramTypes: { numbered: ['$' as const], custom: [{ regex: '\\{\\{\\s*[\\p{L}_][\\p{L}\\p{N}_.-]{0,99}\\s*\\}\\}' }] },
}

/** A longer statement takes the formatter seconds, and is rarely written by hand. */
const longest = 50_000

/**
 * Lays out the statements of a text. Changes blanks between tokens and nothing else: a statement that the formatter does
 * not know, or would change, stays as it is.
 */
export function formatText(text: string): string {
	let [formatted, at] = ['', 0]
	for (const { start, end, data } of split(text)) {
		const statement = text.slice(start, end)
		formatted += text.slice(at, start) + (data === undefined ? formattedStatement(statement) : statement)
		at = end
	}
	return formatted + text.slice(at)
}

function formattedStatement(text: string): string {
	if (text.length > longest) return text
	try {
		const formatted = formatDialect(text, options)
		return isSame(text, formatted) ? formatted : text
	} catch {
		// Its grammar is smaller than that of the server.
		return text
	}
}

function isSame(before: string, after: string): boolean {
	const [old, made] = [wordsOf(before), wordsOf(after)]
	return old.length === made.length && old.every((word, at) => word === made[at])
}

/** Returns the tokens that are no blanks. The characters of an operator are one token: `->>` is not `- >>`. */
function wordsOf(text: string): readonly string[] {
	const words: string[] = []
	let last: Token | undefined
	for (const token of tokensOf(text)) {
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
