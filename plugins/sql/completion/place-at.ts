import type { Lexer } from '../text/lexer.ts'
import type { Split } from '../text/piece.ts'
import type { Place } from './place.ts'
import { Reader, type ReaderOptions } from './reader.ts'
import { type NameQuotes, tokensAt } from './tokens.ts'

/** What completion needs to know of an engine's language. */
export interface CompletionDialect extends ReaderOptions, NameQuotes {
	readonly lexer: Lexer
	readonly split: Split
}

/** Returns what may stand at an offset of a text. Pure, asks no catalog, and never throws. */
export function placeAt(text: string, offset: number, dialect: CompletionDialect): Place {
	const { start, end } = statementAt(text, offset, dialect)
	const at = tokensAt(text.slice(start, end), offset - start, dialect.lexer, dialect)
	if (at.body) {
		// The statements of a function, between dollars.
		const from = start + at.body.start
		const inside = placeAt(text.slice(from, start + at.body.end), offset - from, dialect)
		return { ...inside, start: inside.start + from }
	}
	const where = { prefix: at.prefix, start: start + at.start, quote: at.quote }
	if (at.isNowhere) return { kind: 'none', ...where, start: offset }
	const place = new Reader(at.tokens, dialect).read()
	if (at.quote !== "'") return { ...place, ...where }
	// In a text only a known value can stand.
	const hasValues = place.kind === 'expression' && (place.compared !== undefined || place.stored !== undefined)
	return hasValues ? { ...place, isText: true, ...where } : { kind: 'none', ...where, start: offset }
}

/** Returns the statement at an offset, or the one before it if only blanks are between: from its start to its end. */
function statementAt(text: string, offset: number, { split, lexer }: CompletionDialect) {
	const last = split(text).findLast(({ start }) => start <= offset)
	const none = { start: offset, end: offset }
	if (!last) return { start: 0, end: text.length === 0 ? 0 : Math.max(offset, firstEnd(text, split)) }
	if (offset <= last.end) return { start: last.start, end: last.end }
	const between = lexer.tokensOf(text.slice(last.end, offset))
	const isNext = between.some(
		({ kind, start, end }) => kind === 'symbol' && text.slice(last.end).slice(start, end) === ';',
	)
	return isNext ? none : { start: last.start, end: offset }
}

/** Blanks and comments before the first statement are not of it. */
const firstEnd = (text: string, split: Split) => split(text)[0]?.start ?? text.length
