import type { Lexer } from '../text/lexer.ts'

/** A token as a reader of statements sees it. */
export interface ReaderToken {
	readonly kind: 'word' | 'name' | 'string' | 'number' | 'symbol' | 'caret'
	/** A word in lower case, a name without its quotes, an operator whole, any other as it is. */
	readonly text: string
	readonly start: number
	readonly end: number
}

/** Operators of several characters. The lexer has them apart. */
const operators = /^(?:::|=>|:=|<=>|->>|->|<>|!=|<=|>=|\|\|)/
const longestOperator = 3

/** How names in quotes are written. */
export interface NameQuotes {
	/** The opening quotes, with the closing one of each. */
	readonly quotes: Readonly<Record<string, string>>
}

/** Where the caret is: the tokens of the statement with the caret in place of what it touches. */
export interface CaretTokens {
	readonly tokens: readonly ReaderToken[]
	readonly prefix: string
	readonly start: number
	readonly quote: string | undefined
	/** The caret is where no name is: in a comment, a number, or a text in dollars. */
	readonly isNowhere: boolean
	/** The whole token of a text in dollars that the caret is in. */
	readonly body?: { readonly start: number; readonly end: number }
}

/** @param offset of the caret in `text`, which is one statement */
export function tokensAt(text: string, offset: number, lexer: Lexer, { quotes }: NameQuotes): CaretTokens {
	const tokens: ReaderToken[] = []
	let touched: ReaderToken | undefined
	let isNowhere = false
	let body: CaretTokens['body']
	for (const { kind, start, end, isUnterminated = false } of lexer.tokensOf(text)) {
		const isInside = start < offset && (offset < end || isUnterminated)
		if (kind === 'blank') continue
		if (kind === 'comment') {
			const isLine = text[start] !== '/'
			isNowhere ||= isInside || (isLine && start < offset && offset === end)
			continue
		}
		const written = text.slice(start, end)
		const token = readerToken(kind, written, { start, end, quotes })
		const isDollar = token.kind === 'string' && written.startsWith('$')
		if (isDollar && isInside) {
			const tag = written.indexOf('$', 1) + 1
			body = { start: start + tag, end: isUnterminated ? end : end - tag }
			isNowhere = true
		}
		const takesLetters = token.kind === 'word' || token.kind === 'number'
		if (isInside || (takesLetters && start < offset && offset === end)) {
			if (token.kind === 'number' || token.kind === 'symbol' || kind === 'placeholder')
				isNowhere ||= token.kind !== 'symbol'
			else touched = token
		}
		const last = tokens.at(-1)
		const joined = last?.end === start && token.kind === 'symbol' && last.kind === 'symbol' ? last.text + written : ''
		const isOne = joined.length <= longestOperator && operators.exec(joined)?.[0] === joined
		if (isOne && last && !(last.end === offset)) tokens[tokens.length - 1] = { ...last, text: joined, end }
		else tokens.push(token)
	}
	const start = touched?.start ?? offset
	const caret: ReaderToken = { kind: 'caret', text: '', start, end: offset }
	const others = tokens.filter(token => token !== touched)
	const behind = others.findIndex(token => token.start >= start)
	const quote = touched && (touched.kind === 'name' || touched.kind === 'string') ? text[touched.start] : undefined
	return {
		tokens: others.toSpliced(behind < 0 ? others.length : behind, 0, caret),
		prefix: text.slice(start + (quote === undefined ? 0 : 1), offset),
		start,
		quote,
		isNowhere,
		...(body && { body }),
	}
}

function readerToken(
	kind: string,
	written: string,
	{ start, end, quotes }: { readonly start: number; readonly end: number } & NameQuotes,
): ReaderToken {
	if (kind === 'quotedIdentifier') {
		const opening = /^u&/i.test(written) ? 3 : 1
		const closing = quotes[written[opening - 1] ?? ''] ?? '"'
		const inside =
			written.endsWith(closing) && written.length > opening ? written.slice(opening, -1) : written.slice(opening)
		return { kind: 'name', text: inside.replaceAll(closing + closing, closing), start, end }
	}
	if (kind === 'word') {
		const isNumber = /^[\d.]/.test(written)
		return isNumber
			? { kind: 'number', text: written, start, end }
			: { kind: 'word', text: written.toLowerCase(), start, end }
	}
	if (kind === 'string' || kind === 'placeholder') return { kind: 'string', text: written, start, end }
	return { kind: 'symbol', text: written, start, end }
}
