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

/** Upper limit of the engine for the request line. */
const longestPath = 4096

/** The segment after one of these is the id of a document, which can be any text. */
export const beforeAnId = new Set(['_doc', '_create', '_update', '_source', '_explain', '_termvectors'])

/**
 * Builds a path from an expression of names, words of the API, and ids. Each segment is encoded. An id can contain
 * anything. A name cannot contain path separators, because a proxy that decodes before it routes would make an endpoint
 * of `books/_create`. @throws DriverError `invalid_argument`
 */
export function pathOf(...segments: readonly string[]): string {
	for (const [place, segment] of segments.entries()) {
		if (!beforeAnId.has(segments[place - 1] ?? '')) requireName(segment)
	}
	return encodedPath(segments)
}

/** Returns the path of segments that were classified as a path, like those of the console. */
export function encodedPath(segments: readonly string[]): string {
	return `/${segments.map(encodeSegment).join('/')}`
}

function requireName(expression: string): void {
	const decoded = decodeFully(expression)
	const isPath = /[/\\?#]/.test(decoded.replace(dateMath, ''))
	if (isPath || hasControlCharacter(decoded) || decoded.split(',').some(name => /^\.{1,2}$/.test(name))) {
		throw new DriverError(
			'invalid_argument',
			'This is not the name of an index. A name contains no slash, backslash, question mark, hash or control character.',
		)
	}
}

/** `.` and `..` are legal ids, but a proxy would resolve them. Most proxies do not resolve them if they are encoded. */
function encodeSegment(segment: string): string {
	return /^\.{1,2}$/.test(segment) ? segment.replaceAll('.', '%2E') : encodeURIComponent(segment)
}

/**
 * Parses a path as the user types it. It cannot leave the node: no other origin, no dot segments, no control
 * characters. Empty segments are removed, as by the engine, so that what is checked is what is sent. The cluster's SQL
 * endpoint is rejected here, in every spelling (contract, part B).
 *
 * @throws DriverError `invalid_argument` or `unsupported`
 */
export function parsePath(text: string): RequestPath {
	if (text.length > longestPath) throw malformed(`it is longer than ${longestPath} characters`)
	if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) throw malformed('write the path only, as in /books/_search, not a URL')
	if (hasControlCharacter(text)) throw malformed('it contains a control character')
	if (!text.isWellFormed()) throw malformed('it contains an incomplete character')
	const question = text.indexOf('?')
	const rawPath = question < 0 ? text : text.slice(0, question)
	if (/[\\\s#]/.test(rawPath)) throw malformed('encode a space as %20, # as %23 and a backslash as %5C')
	const segments = splitPath(rawPath).map(decodeSegment)
	if (readingsOf(segments).some(reading => reading.some(part => /^\.{1,2}$/.test(part))))
		throw malformed('a path must not contain a . or .. segment')
	refuseSql(segments)
	return {
		segments,
		pathname: encodedPath(segments),
		search: question < 0 ? '' : encodeSearch(text.slice(question + 1)),
	}
}

/** Date math such as `<logs-{now/d}>`, one name of a list. Every server reads the slash in it as part of the name. */
const dateMath =
	/(?<=^|[/,:-])<[^<>/{}]*\{now(?:[^<>/{}]|\/[yMwdhHms](?![a-z]))*(?:\{[^<>/{}]*\})?\}[^<>/{}]*>(?=$|[/,])/gi

/** Returns the segments of a typed path, still encoded, without empty ones. */
export function splitPath(path: string): string[] {
	return path
		.replace(dateMath, name => name.replaceAll('/', '\0'))
		.split('/')
		.filter(segment => segment !== '')
		.map(segment => segment.replaceAll('\0', '/'))
}

/**
 * Returns the possible interpretations of a path: that of the engine, and that of a proxy that decodes before it
 * routes, for which `a%2Fb` is two segments and `%3F` begins the query. The most dangerous interpretation determines
 * what a request may do.
 */
export function readingsOf(segments: readonly string[]): readonly (readonly string[])[] {
	const [path = ''] = decodedPath(segments).split(/[?#]/)
	const parts = path.split(/[/\\]/).map(part => part.replaceAll('\0', '/'))
	// For servers that support segment parameters (`;x=y`), these are not part of the name.
	const named = parts.map(part => part.split(';')[0] ?? '').filter(part => part !== '')
	const readings = [segments, parts.filter(part => part !== ''), named]
	// Nearly always they are equal, and each is judged with the whole body.
	return [...new Map(readings.map(reading => [JSON.stringify(reading), reading])).values()]
}

/** Returns the query string that such a proxy finds in a path: the text after the first encoded question mark. */
export function queryInPath(segments: readonly string[]): string {
	const [, query = ''] = decodedPath(segments).split(/\?(.*)/s)
	return query
}

/** The slash of date math is masked as `\0`. */
function decodedPath(segments: readonly string[]): string {
	return segments.map(segment => decodeFully(segment).replace(dateMath, name => name.replaceAll('/', '\0'))).join('/')
}

function hasControlCharacter(text: string): boolean {
	return [...text].some(character => character < ' ' || character === '\x7f')
}

/**
 * Encodes characters that are not allowed in a query string, and keeps existing escapes. A plus stays a plus, as in
 * `+08:00`, because the engine would read a space.
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
		// `%{type}` occurs in names of pipelines and similar objects.
		return decodeURIComponent(segment.replaceAll('%{', '%25{'))
	} catch {
		throw malformed(`"${segment}" is not percent-encoded correctly`)
	}
}

/** Decodes repeatedly, because a proxy may decode more often than this driver. */
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
