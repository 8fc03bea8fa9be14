import { isBlank, type Lexer } from '../text/lexer.ts'
import type { Split } from '../text/statement-span.ts'
import type { CompletionContext } from './context.ts'
import type { ReaderOptions } from './cursor.ts'
import { Reader } from './reader.ts'
import { type NameWriting, tokensAt } from './tokens.ts'

/** What completion needs to know of an engine's language. */
export interface CompletionDialect extends ReaderOptions, NameWriting {
	readonly lexer: Lexer
	readonly split: Split
}

/** Functions in functions. What is deeper has no completion. */
const mostBodies = 3

/** Returns what may stand at an offset of a text. Pure, asks no catalog, and never throws. */
export const contextAt = (text: string, offset: number, dialect: CompletionDialect): CompletionContext =>
	placeIn(text, { offset, dialect, bodies: 0 })

interface Caret {
	readonly offset: number
	readonly dialect: CompletionDialect
	/** Number of functions that the text is the body of. */
	readonly bodies: number
}

function placeIn(text: string, { offset, dialect, bodies }: Caret): CompletionContext {
	const { start, end } = statementAt(text, offset, dialect)
	const at = tokensAt(text.slice(start, end), offset - start, dialect.lexer, dialect)
	if (at.body && bodies < mostBodies) {
		const from = start + at.body.start
		const body = text.slice(from, start + at.body.end)
		const inside = placeIn(body, { offset: offset - from, dialect, bodies: bodies + 1 })
		return { ...inside, start: inside.start + from }
	}
	const closing = at.quote === undefined ? undefined : (dialect.quotes[at.quote] ?? at.quote)
	if (closing !== undefined && at.after > 0 && !isClosedBehind(text, offset, closing)) {
		// What follows is not of the name or text that is typed.
		const closed = placeIn(text.slice(0, offset) + closing + text.slice(offset), { offset, dialect, bodies })
		return { ...closed, after: 0 }
	}
	const { quote, after, isText } = at
	const none: CompletionContext = { kind: 'none', start: offset, after: 0, isText: false }
	if (at.isNowhere) return none
	const place = new Reader(at.tokens, dialect).read()
	const isValue = place.kind === 'expression' && (place.compared !== undefined || place.stored !== undefined)
	return isText && !isValue ? none : { ...place, start: start + at.start, quote, after, isText }
}

/** Whether the quote at the caret is closed on its line, if the quotes behind the caret make pairs. */
function isClosedBehind(text: string, offset: number, closing: string): boolean {
	const end = text.indexOf('\n', offset)
	const line = text.slice(offset, end < 0 ? undefined : end)
	if (closing === ']') return /^[^[]*\]/.test(line)
	return line.split(closing).length % 2 === 0
}

/** Returns where the statement at an offset is, or the one before it if only blanks are between. */
function statementAt(text: string, offset: number, { split, lexer }: CompletionDialect) {
	const last = split(text).findLast(({ start }) => start <= offset)
	if (last && offset <= last.end) return last
	const from = last?.end ?? 0
	const between = lexer.tokensOf(text.slice(from, offset)).findLast(token => !isBlank(token))
	if (last && !between) return { start: last.start, end: offset }
	return { start: from + (between?.end ?? 0), end: offset }
}
