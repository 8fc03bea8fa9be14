/** What a piece of console text is: the line that begins a request, a string, a comment, one bracket, or a run of anything else. */
type Kind = 'request' | 'string' | 'comment' | 'bracket' | 'word'

/** A piece of console text; between two pieces is nothing but space. */
export interface Piece {
	readonly kind: Kind
	readonly start: number
	readonly end: number
	/** Nothing but space and comments stands before it on its line. */
	readonly isFirst: boolean
}

/**
 * One piece at a time, in one pass: whether a mark opens a comment or stands in a string is known only from the
 * beginning. No alternative can fail once it has begun, or a text of quotes and backslashes would be read anew from
 * each of them.
 */
const piece =
	/\n|"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\[^\n])*\\?"?|(?:#|\/\/)[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[{}[\]]|\/|[^\s"#/{}[\]]+/g

/** Within strings and comments it is text, and nothing in JSON looks like it. */
const beginning = /(?:GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS)[ \t]+(?=\S)/iy

/** Cuts a console text into its pieces. */
export function* piecesOf(text: string): Generator<Piece> {
	let isFirst = true
	for (let at = 0; at < text.length; ) {
		// Set each time: whoever takes the pieces may read another text between two of them.
		piece.lastIndex = at
		const match = piece.exec(text)
		if (match === null) return
		const { 0: found, index: start } = match
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

/** `undefined` where no request begins. */
function endOfRequestLine(text: string, start: number): number | undefined {
	beginning.lastIndex = start
	if (!beginning.test(text)) return undefined
	const target = beginning.lastIndex
	const newline = text.indexOf('\n', target)
	const line = text.slice(target, newline < 0 ? text.length : newline)
	return target + line.slice(0, commentIn(line)).trimEnd().length
}

const quotedOrComment = /"(?:[^"\\]|\\.)*("?)|\s(?:#|\/\/|\/\*)/g
const comment = /\s(?:#|\/\/|\/\*)/

/** Where a comment begins in the target of a request: behind a space (`http://` and `/*` are parts of it), outside of quotes. */
function commentIn(target: string): number {
	for (const { 1: closing, index } of target.matchAll(quotedOrComment)) {
		if (closing === undefined) return index
		if (closing !== '') continue
		// A quote that nothing closes is a letter like others, and so are all behind it.
		const rest = target.slice(index).search(comment)
		return rest < 0 ? target.length : index + rest
	}
	return target.length
}
