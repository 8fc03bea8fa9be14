/** Reads the text of ES|QL queries: texts, comments and where a query ends. */

type Kind = 'text' | 'comment' | 'pipe' | 'bracket' | 'newline' | 'other'

export interface EsqlToken {
	readonly kind: Kind
	readonly start: number
	readonly end: number
	/** `false`: the text or comment goes on to the end of the query. */
	readonly isClosed: boolean
}

/** No alternative can fail once it has begun, so that the scan takes linear time. */
const piece =
	/"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\[^\n])*\\?"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\||[()]|\n|[^\s|"/()]+|[^\S\n]+|\//g

/** Returns the pieces of a text from an offset on, with the blanks between them. */
export function* esqlTokens(text: string, from = 0): Generator<EsqlToken> {
	for (let at = from; at < text.length; ) {
		// Set each time, because the caller may scan another text between two pieces.
		piece.lastIndex = at
		const found = piece.exec(text)?.[0]
		if (found === undefined) return
		const start = at
		at += found.length
		yield { kind: kindOf(found), start, end: at, isClosed: isClosed(found, at === text.length) }
	}
}

function kindOf(found: string): Kind {
	if (found.startsWith('"')) return 'text'
	if (found.startsWith('//') || found.startsWith('/*')) return 'comment'
	if (found === '|') return 'pipe'
	if (found === '\n') return 'newline'
	return found === '(' || found === ')' ? 'bracket' : 'other'
}

function isClosed(found: string, isLast: boolean): boolean {
	if (found.startsWith('"""')) return found.length >= 6 && found.endsWith('"""')
	if (found.startsWith('"')) return /^"(?:[^"\\]|\\.)*"$/.test(found)
	if (found.startsWith('/*')) return found.length >= 4 && found.endsWith('*/')
	return !(found.startsWith('//') && isLast)
}

const query = /(?:FROM|ROW|TS)(?=\s)|SHOW[ \t]+INFO\b/iy

/** Returns whether an ES|QL query begins at the offset, which is the first text of its line. */
export function beginsQuery(text: string, at: number): boolean {
	query.lastIndex = at
	return query.test(text)
}

/**
 * Returns the end of the query that begins at `start`, without blanks and comments at its end. It ends before a line
 * that begins another query, a request, or a comment of the console (`#`).
 */
export function endOfQuery(text: string, start: number, beginsRequest: (at: number) => boolean): number {
	let [end, depth, isFirst] = [start, 0, false]
	for (const { kind, start: at, end: next } of esqlTokens(text, start)) {
		const isBlank = text.slice(at, next).trim() === ''
		const endsHere = () => depth <= 0 && (beginsQuery(text, at) || beginsRequest(at) || text[at] === '#')
		if (isFirst && !isBlank && kind !== 'comment' && endsHere()) return end
		if (kind === 'bracket') depth += text[at] === '(' ? 1 : -1
		if (!isBlank && kind !== 'comment') end = next
		if (kind === 'newline') isFirst = true
		else if (!isBlank) isFirst = false
	}
	return end
}
