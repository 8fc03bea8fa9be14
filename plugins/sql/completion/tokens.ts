import type { Lexer } from '../text/lexer.ts'

/** A token as a reader of statements sees it. */
export interface ReaderToken {
	readonly kind: 'word' | 'name' | 'string' | 'number' | 'symbol' | 'caret'
	/** A word in lower case, a name without its quotes, an operator whole, any other as it is. */
	readonly text: string
	/** A word or name as the engine keeps it. */
	readonly name: string
	readonly start: number
	readonly end: number
}

/** Operators of several characters. The lexer has them apart. */
const operators: ReadonlySet<string> = new Set(':: => := <=> ->> -> <> != <= >= ||'.split(' '))

/** How names are written. */
export interface NameWriting {
	/** The opening quotes, with the closing one of each. */
	readonly quotes: Readonly<Record<string, string>>
	/** Whether the engine keeps a name without quotes in lower case. Otherwise case makes no difference. */
	readonly foldsNames: boolean
}

/** Where the caret is: the tokens of the statement with the caret in place of what it touches. */
export interface CaretTokens {
	readonly tokens: readonly ReaderToken[]
	readonly start: number
	readonly after: number
	readonly quote: string | undefined
	readonly isText: boolean
	/** The caret is where no name is: in a comment, a number, or a text in dollars. */
	readonly isNowhere: boolean
	/** The statements of a function in dollars that the caret is in. */
	readonly body: { readonly start: number; readonly end: number } | undefined
}

/** @param offset of the caret in `text`, which is one statement */
export function tokensAt(text: string, offset: number, lexer: Lexer, writing: NameWriting): CaretTokens {
	const tokens: ReaderToken[] = []
	let touched: ReaderToken | undefined
	let isNowhere = false
	let body: CaretTokens['body']
	for (const { kind, start, end, isUnterminated = false } of lexer.tokensOf(text)) {
		if (kind === 'blank') continue
		const isInside = start < offset && (offset < end || isUnterminated)
		const isAtEnd = start < offset && offset === end
		if (kind === 'comment' || kind === 'executed') {
			isNowhere ||= isInside || (isAtEnd && text[start] !== '/')
			continue
		}
		const written = text.slice(start, end)
		const token: ReaderToken = { ...meaning(kind, written, writing), start, end }
		const isTyped = token.kind === 'word' || token.kind === 'name' || token.kind === 'number'
		if (isInside || (isTyped && isAtEnd)) {
			if (token.kind === 'word' || hasPlainQuote(token, written)) touched = token
			else if (token.kind !== 'symbol') isNowhere = true
			if (kind === 'string' && written.startsWith('$') && ['create', 'do'].includes(tokens[0]?.text ?? ''))
				body = inDollars(written, { start, end, isUnterminated })
		}
		const last = tokens.at(-1)
		const joined = last?.end === start && token.kind === 'symbol' && last.kind === 'symbol' ? last.text + written : ''
		if (last && last.end !== offset && operators.has(joined)) tokens[tokens.length - 1] = { ...last, text: joined, end }
		else tokens.push(token)
	}
	const start = touched?.start ?? offset
	const caret: ReaderToken = { kind: 'caret', text: '', name: '', start, end: offset }
	const others = tokens.filter(token => token !== touched)
	const behind = others.findIndex(token => token.start >= start)
	const isQuoted = touched?.kind === 'name' || touched?.kind === 'string'
	return {
		tokens: others.toSpliced(behind < 0 ? others.length : behind, 0, caret),
		start,
		after: touched && isQuoted ? touched.end - offset : 0,
		quote: isQuoted ? text[start] : undefined,
		isText: touched?.kind === 'string',
		isNowhere,
		body,
	}
}

/** Whether a token begins with a quote, without the mark of another kind of text before it. */
const hasPlainQuote = ({ kind }: ReaderToken, written: string) =>
	kind === 'name' ? !/^u&/i.test(written) : kind === 'string' && /^['"]/.test(written)

function inDollars(
	written: string,
	{ start, end, isUnterminated }: { readonly start: number; readonly end: number; readonly isUnterminated: boolean },
) {
	const tag = written.indexOf('$', 1) + 1
	return { start: start + tag, end: isUnterminated ? end : end - tag }
}

/** Returns a token of the lexer as a reader sees it. */
export function meaning(
	kind: string,
	written: string,
	{ quotes, foldsNames }: NameWriting,
): Pick<ReaderToken, 'kind' | 'text' | 'name'> {
	if (kind === 'quotedIdentifier') {
		const opening = /^u&/i.test(written) ? 3 : 1
		const closing = quotes[written[opening - 1] ?? ''] ?? '"'
		const isClosed = written.endsWith(closing) && written.length > opening
		const name = written.slice(opening, isClosed ? -1 : undefined).replaceAll(closing + closing, closing)
		return { kind: 'name', text: name, name }
	}
	if (kind === 'word' && !/^[\d.]/.test(written)) {
		const text = written.toLowerCase()
		return { kind: 'word', text, name: foldsNames ? text : written }
	}
	if (kind === 'word' || kind === 'number') return { kind: 'number', text: written, name: '' }
	if (kind === 'string' || kind === 'placeholder') return { kind: 'string', text: written, name: '' }
	return { kind: kind === 'variable' ? 'number' : 'symbol', text: written, name: '' }
}
