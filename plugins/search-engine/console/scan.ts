import { beginsQuery, endOfQuery } from './esql-text.ts'

/**
 * Kind of a piece of console text: the first line of a request, a whole query of ES|QL, a string, a comment, one
 * bracket, or a run of other characters.
 */
type Kind = 'request' | 'query' | 'string' | 'comment' | 'bracket' | 'word'

/** A token of console text. There is only white space between two tokens. */
export interface ConsoleToken {
	readonly kind: Kind
	readonly start: number
	readonly end: number
	/** Whether only white space and comments precede it on its line. */
	readonly isFirst: boolean
}

/**
 * Matches one piece at a time, in one pass: only a scan from the start can tell whether a mark opens a comment or is
 * inside a string. No alternative can fail once it has begun. Otherwise, a text of quotes and backslashes would be
 * rescanned from each of them.
 */
const piece =
	/\n|"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\[^\n])*\\?"?|(?:#|\/\/)[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[{}[\]]|\/|[^\s"#/{}[\]]+/g

/** The start of a request. Not matched inside of strings and comments, and not possible in JSON. */
const beginning = /(?:GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS)[ \t]+(?=\S)/iy

/** Splits a console text into tokens. */
export function* tokensOf(text: string): Generator<ConsoleToken> {
	let isFirst = true
	for (let at = 0; at < text.length; ) {
		// Set each time, because the caller may scan another text between two pieces.
		piece.lastIndex = at
		const match = piece.exec(text)
		if (match === null) return
		const { 0: found, index: start } = match
		if (isFirst && beginsQuery(text, start)) {
			at = endOfQuery(text, start, place => beginsRequest(text, place))
			yield { kind: 'query', start, end: at, isFirst }
			isFirst = false
			continue
		}
		const requestEnd: number | undefined = isFirst ? endOfRequestLine(text, start) : undefined
		at = requestEnd ?? start + found.length
		if (found !== '\n') {
			const kind: Kind = requestEnd === undefined ? kindOf(found) : 'request'
			yield { kind, start, end: at, isFirst }
			isFirst = kind === 'comment' && (isFirst || found.includes('\n'))
		} else isFirst = true
	}
}

function kindOf(found: string): Kind {
	if (found.startsWith('"')) return 'string'
	if (found.startsWith('#') || found.startsWith('//') || found.startsWith('/*')) return 'comment'
	return /^[{}[\]]$/.test(found) ? 'bracket' : 'word'
}

function beginsRequest(text: string, at: number): boolean {
	beginning.lastIndex = at
	return beginning.test(text)
}

/** Returns `undefined` if no request begins here. */
function endOfRequestLine(text: string, start: number): number | undefined {
	if (!beginsRequest(text, start)) return undefined
	const target = beginning.lastIndex
	const newline = text.indexOf('\n', target)
	const line = text.slice(target, newline < 0 ? text.length : newline)
	return target + line.slice(0, commentIn(line)).trimEnd().length
}

const quotedOrComment = /"(?:[^"\\]|\\.)*("?)|\s(?:#|\/\/|\/\*)/g
const comment = /\s(?:#|\/\/|\/\*)/

/**
 * Returns where a comment begins in the target of a request: after a space (`http://` and `/*` can be parts of it),
 * outside of quotes.
 */
function commentIn(target: string): number {
	for (const { 1: closing, index } of target.matchAll(quotedOrComment)) {
		if (closing === undefined) return index
		if (closing !== '') continue
		// An unclosed quote is an ordinary character, and so are all after it.
		const rest = target.slice(index).search(comment)
		return rest < 0 ? target.length : index + rest
	}
	return target.length
}
