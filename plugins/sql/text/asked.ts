import type { Verdict } from '@roundhouse/kit'
import { isBlank, type Token } from './lexer.ts'

/** Definitions and prepared statements have parameters that are not asked for. */
const defines = /^(?:create|alter|prepare|do)$/i

/**
 * Adds the places `:name` and `$1` of each statement, for whose values the window asks. No name or comment contains one, nor
 * do `::`, `:=`, slices of arrays and labels. Those of texts in quotes are `:name` and `{{name}}`, and are marked.
 *
 * @param escapes whether a backslash in a text is an escape
 */
export function withAsked<V extends Verdict>(
	text: string,
	verdicts: readonly V[],
	tokensOf: (text: string) => readonly Token[],
	escapes = false,
): readonly V[] {
	if (!/[:$][\p{L}_\d]|\{\{/u.test(text)) return verdicts
	return verdicts.map(verdict => {
		const asks = placesIn(text.slice(verdict.start, verdict.end), tokensOf, escapes)
		return asks.length === 0 ? verdict : { ...verdict, asks }
	})
}

function placesIn(
	text: string,
	tokensOf: (text: string) => readonly Token[],
	escapes: boolean,
): NonNullable<Verdict['asks']> {
	const tokens = tokensOf(text)
	const textOf = ({ start, end }: Token) => text.slice(start, end)
	const first = tokens.find(token => !isBlank(token))
	if (first && defines.test(textOf(first))) return []
	return tokens.flatMap((token, index) => {
		const next = tokens[index + 1]
		const mark = textOf(token)
		if (token.kind === 'string') return placesInQuotes(mark, token.start, escapes)
		if (token.kind !== 'symbol' || next?.kind !== 'word' || next.start !== token.end) return []
		const word = textOf(next)
		const place = { start: token.start, end: next.end }
		if (mark === '$' && /^\d+$/.test(word)) return [{ ...place, name: `_${word}` }]
		const before = tokens[index - 1]
		// A slice `[1:n]` and a cast `::n` go on what stands before.
		const isFree =
			before === undefined || isBlank(before) || (before.kind === 'symbol' && !/[:)\]}[]/.test(textOf(before)))
		return mark === ':' && isFree && /^[\p{L}_][\p{L}\p{N}_]{0,99}$/u.test(word) ? [{ ...place, name: word }] : []
	})
}

/** A text in quotes, with the letter before it. A text between dollars takes nothing. */
const quoted = /^(e|n)?(['"])/i
const inQuotes =
	/(?<![\p{L}\p{N}_:]):([\p{L}_][\p{L}\p{N}_]{0,99})|(?<![{\\])\{\{\s*([\p{L}_][\p{L}\p{N}_.-]{0,99})\s*\}\}/gu

function placesInQuotes(text: string, at: number, escapes: boolean): NonNullable<Verdict['asks']> {
	const [, letter = '', quote] = quoted.exec(text) ?? []
	if (quote === undefined) return []
	const doubled = escapes || letter.toLowerCase() === 'e' ? `${quote}\\` : quote
	return [...text.matchAll(inQuotes)].map(({ 0: found, 1: name, 2: braced = '', index }) => {
		const start = at + index
		return { start, end: start + found.length, name: name ?? braced, doubled }
	})
}
