import { DriverError } from '@roundhouse/kit'

/** A request path in the one spelling that is classified and sent. */
export interface RequestPath {
	/** Decoded segments: `/books/_doc/a%2Fb` is `books`, `_doc`, `a/b`. */
	readonly segments: readonly string[]
	/** Encoded, begins with `/`. */
	readonly pathname: string
	/** Encoded, without `?`. */
	readonly search: string
}

/** The engine takes no longer request line. */
const longestPath = 4096

/** What stands behind these is a document's id, free to be any text. */
const beforeAnId = new Set(['_doc', '_create', '_update', '_source', '_explain', '_termvectors'])

/** Builds a path from plain segments; each is encoded, so that an id can hold anything. */
export function pathOf(...segments: readonly string[]): string {
	return `/${segments.map(encodeSegment).join('/')}`
}

/** `.` and `..` are legal ids, but a proxy would resolve them; encoded, most do not. */
function encodeSegment(segment: string): string {
	return /^\.{1,2}$/.test(segment) ? segment.replaceAll('.', '%2E') : encodeURIComponent(segment)
}

/**
 * Reads a path as a person types it. It cannot leave the node: no other origin, no dot segments, no control
 * characters. Empty segments go, because the engine skips them too; what is checked is then what is sent.
 * The cluster's SQL endpoint is refused here, in every spelling (contract, part B).
 *
 * @throws DriverError `invalid_argument` or `unsupported`.
 */
export function parsePath(text: string): RequestPath {
	if (text.length > longestPath) throw malformed(`it is longer than ${longestPath} characters`)
	if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) throw malformed('write the path only, as in /books/_search, not a URL')
	if (hasControlCharacter(text)) throw malformed('it holds a control character')
	if (!text.isWellFormed()) throw malformed('it holds half a character')
	const question = text.indexOf('?')
	const rawPath = question < 0 ? text : text.slice(0, question)
	if (/[\\\s#]/.test(rawPath)) throw malformed('encode a space as %20, # as %23 and a backslash as %5C')
	const segments = splitPath(rawPath).map(decodeSegment)
	if (readingsOf(segments).some(reading => reading.some(part => /^\.{1,2}$/.test(part))))
		throw malformed('a path holds no . or .. segment')
	refuseSql(segments)
	return {
		segments,
		pathname: pathOf(...segments),
		search: question < 0 ? '' : encodeSearch(text.slice(question + 1)),
	}
}

/** `<logs-{now/d}>`, a name of a list: the slash of date math is within one name for everybody. */
const dateMath =
	/(?<=^|[/,:-])<[^<>/{}]*\{now(?:[^<>/{}]|\/[yMwdhHms](?![a-z]))*(?:\{[^<>/{}]*\})?\}[^<>/{}]*>(?=$|[/,])/gi

/** The segments of a path as it is typed, still encoded; empty ones go. */
export function splitPath(path: string): string[] {
	return path
		.replace(dateMath, name => name.replaceAll('/', '\0'))
		.split('/')
		.filter(segment => segment !== '')
		.map(segment => segment.replaceAll('\0', '/'))
}

/**
 * The paths that a request may turn out to have: the engine's reading, and that of a proxy on the way that decodes
 * before it routes, for which `a%2Fb` is two segments and `%3F` begins the query. What a request may do is the worst
 * that any of them does.
 */
export function readingsOf(segments: readonly string[]): readonly (readonly string[])[] {
	const [path = ''] = segments
		.map(segment => decodeFully(segment).replace(dateMath, name => name.replaceAll('/', '\0')))
		.join('/')
		.split(/[?#]/)
	const parts = path.split(/[/\\]/).map(part => part.replaceAll('\0', '/'))
	// A parameter of a segment (`;x=y`) is not part of its name for the servers that know such a thing.
	const named = parts.map(part => part.split(';')[0] ?? '').filter(part => part !== '')
	return [segments, parts.filter(part => part !== ''), named]
}

function hasControlCharacter(text: string): boolean {
	return [...text].some(character => character < ' ' || character === '\x7f')
}

/**
 * Encodes what may not stand in a query string and leaves what is encoded already. A plus stays a plus, as in `+08:00`:
 * the engine would read a space.
 */
function encodeSearch(text: string): string {
	return text
		.toWellFormed()
		.split(/(%[0-9a-f]{2})/i)
		.map((part, index) => (index % 2 === 1 ? part : encodeURI(part).replaceAll('+', '%2B').replaceAll('#', '%23')))
		.join('')
}

function decodeSegment(segment: string): string {
	try {
		// `%{type}` stands in names of pipelines and their like.
		return decodeURIComponent(segment.replaceAll('%{', '%25{'))
	} catch {
		throw malformed(`"${segment}" is not percent-encoded correctly`)
	}
}

/** A proxy may decode once more than we do. */
function decodeFully(segment: string): string {
	let text = segment
	for (let round = 0; round < 5; round++) {
		const decoded = text.replaceAll(/%[0-9a-f]{2}/gi, code => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
		if (decoded === text) break
		text = decoded
	}
	return text
}

function refuseSql(segments: readonly string[]) {
	const spelled = segments.flatMap((segment, index) => {
		if (beforeAnId.has(segments[index - 1] ?? '')) return ['']
		return decodeFully(segment)
			.split(/[/\\;?#]/)
			.map(part => part.trim().toLowerCase())
			.filter(part => part !== '')
	})
	const isSql = spelled.some((part, index) => part === '_sql' || (part === 'sql' && spelled[index - 1] === '_xpack'))
	if (isSql) {
		throw new DriverError(
			'unsupported',
			"The cluster's SQL endpoint (_sql) is not reachable through this connection. Use _search with the query DSL.",
		)
	}
}

function malformed(reason: string): DriverError {
	return new DriverError('invalid_argument', `The request path is malformed: ${reason}.`)
}
