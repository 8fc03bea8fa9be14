import { DriverError, isExactNumber, type ParameterPlace, type ParameterValue, parameterPlaces } from '@roundhouse/kit'
import { pathOf, readingsOf } from '../transport/request-path.ts'
import { type BodyValue, bodyValues } from './body-values.ts'
import { type ConsoleRequest, readRequest } from './request.ts'
import { piecesOf } from './scan.ts'

/** A place of the text, and the mark that stands for it while the request is read. */
interface Marked {
	readonly name: string
	readonly mark: string
	/** It is a JSON value of its own, and not part of a string or of the first line. */
	readonly isValue: boolean
}

/** The values of one call, by name. */
type Values = Readonly<Record<string, ParameterValue>>

/**
 * Puts values in the places of a request: in the body as JSON values or within JSON strings, in the path as one segment,
 * and behind a `=` of its query. The request is read with marks in the places, so that it is its own reader who says what
 * each place is; the values come in where the marks were found, and nothing reads them.
 * @throws DriverError `invalid_argument`
 */
export function bindParameters(text: string, values: Values): string {
	const marks = marksOf(text)
	const request = readMarked(text, marks)
	const found = new Set<string>()
	const valueAt = ({ name, mark }: Marked) => {
		found.add(mark)
		if (!Object.hasOwn(values, name)) throw invalid(`${name}: it has no value.`)
		return values[name] as ParameterValue
	}
	const path = bindPath(request, marks, valueAt)
	const body = bindBody(request, marks, valueAt)
	for (const marked of marks) if (!found.has(marked.mark)) throw noPlace(marked, 'there it is no value of the request')
	return body === undefined ? `${request.method} ${path}` : `${request.method} ${path}\n${body}`
}

function marksOf(text: string): readonly Marked[] {
	let salt = 'x'
	while (text.toLowerCase().includes(`rhplace${salt}`)) salt += 'x'
	const pieces = [...piecesOf(text)]
	return parameterPlaces(text).flatMap((place, index): readonly Marked[] => {
		const { name, start, end } = place
		if (name === undefined) return []
		const piece = pieces.find(piece => piece.start <= start && start < piece.end)
		const mark = `rhplace${salt}${index}z`
		const isWithin = piece !== undefined && end <= piece.end
		if (isWithin && piece.kind === 'comment') throw noPlace({ name }, 'it stands in a comment')
		if (isWithin && (piece.kind === 'string' || piece.kind === 'request')) return [{ name, mark, isValue: false }]
		requireValuePlace(text, place, name)
		return [{ name, mark, isValue: true }]
	})
}

/** Outside of strings a place is a whole JSON value, between the signs that part values. */
function requireValuePlace(text: string, { start, end }: ParameterPlace, name: string): void {
	const [before, after] = [text.slice(0, start).trimEnd().at(-1), text.slice(end).trimStart()[0]]
	if (before === undefined || after === undefined || !':[,'.includes(before) || !',]}'.includes(after)) {
		throw noPlace(
			{ name },
			'a value stands in the body behind ":" or in a list, in a string, in the path or behind "="',
		)
	}
}

function readMarked(text: string, marks: readonly Marked[]): ConsoleRequest {
	let [marked, at, next] = ['', 0, 0]
	for (const { start, end, name } of parameterPlaces(text)) {
		const mark = name === undefined ? undefined : marks[next++]
		const put = mark?.isValue ? `"${mark.mark}"` : (mark?.mark ?? '{{')
		marked += text.slice(at, start) + put
		at = end
	}
	try {
		return readRequest(marked + text.slice(at))
	} catch (error) {
		if (!(error instanceof DriverError)) throw error
		const named = (message: string, { mark, name }: Marked) =>
			message.replaceAll(new RegExp(`"?${mark}"?`, 'gi'), `{{${name}}}`)
		throw new DriverError(error.code, marks.reduce(named, error.message))
	}
}

function bindPath(
	{ path }: ConsoleRequest,
	marks: readonly Marked[],
	valueAt: (marked: Marked) => ParameterValue,
): string {
	const segments = path.segments.map((segment, index) => {
		const marked = markIn(segment, marks)
		if (!marked) return segment
		if (segment !== marked.mark) throw noPlace(marked, 'in the path it is a whole segment')
		return segmentFor(marked, textOf(valueAt(marked)), path.segments[index - 1])
	})
	const search = path.search.split('&').map(pair => {
		const marked = markIn(pair, marks)
		if (!marked) return pair
		const [key = ''] = pair.split('=', 1)
		if (pair !== `${key}=${marked.mark}`) throw noPlace(marked, 'in the query it is all that stands behind "="')
		// A semicolon parts them too.
		const [known = ''] = new URLSearchParams(`${key.split(';').at(-1)}=`).keys()
		if (isBody.test(known)) throw noPlace(marked, `"${key}" is the body of the request`)
		const value = textOf(valueAt(marked))
		if (known === 'index') requireOneName(marked, value)
		return `${key}=${encoded(marked, value)}`
	})
	return path.search === '' ? pathOf(...segments) : `${pathOf(...segments)}?${search.join('&')}`
}

const isBody = /^source(?:_content_type)?$/

/** Behind these stands the id of a document, which may be any text. */
const beforeAnId = new Set(['_doc', '_create', '_update', '_source', '_explain', '_termvectors'])
/** What an engine or a proxy takes for more than one name, or for none. */
const noName = /^[-+]|[,*<>|"\s:]/

/** @throws DriverError `invalid_argument` where it could stand for other tables than one */
function requireOneName({ name }: Marked, value: string): void {
	if (value !== '' && !value.startsWith('_') && !noName.test(value)) return
	throw invalid(`${name}: it cannot be one name of a table.`)
}

/** One segment, for everybody who reads the path, and never an endpoint of the engine's own. */
function segmentFor({ name, mark }: Marked, value: string, before: string | undefined): string {
	const isId = beforeAnId.has(before ?? '')
	const isOne = readingsOf([value]).every(reading => reading.length === 1 && reading[0] === value)
	const isOwn = isId ? /^_[a-z_]+$/.test(value) : value.startsWith('_')
	if (value === '' || /^\.{1,2}$/.test(value) || !isOne || isOwn || (!isId && noName.test(value))) {
		throw invalid(
			`${name}: ${isId ? 'it cannot be the id of a document in a path' : 'it cannot be one name in a path'}.`,
		)
	}
	encoded({ name, mark, isValue: false }, value)
	return value
}

function encoded({ name }: Marked, value: string): string {
	if (!value.isWellFormed()) throw invalid(`${name}: it holds half a character.`)
	return encodeURIComponent(value)
}

function bindBody(
	{ path, body }: ConsoleRequest,
	marks: readonly Marked[],
	valueAt: (marked: Marked) => ParameterValue,
): string | undefined {
	if (body === undefined) return undefined
	const [endpoint = ''] = path.segments.filter(segment => queryLanguages.has(segment))
	let [bound, at] = ['', 0]
	for (const value of bodyValues(body)) {
		const text = body.slice(value.start, value.end)
		const marked = markIn(text, marks)
		if (!marked) continue
		if (value.isKey) throw noPlace(marked, 'it is the name of a field')
		const isWhole = text === `"${marked.mark}"`
		const language = languageOf(value, isWhole, endpoint !== '')
		if (language !== undefined) throw noPlace(marked, `a value there would be ${language}`)
		if (namesTable(value, path)) {
			for (const marked of marks) if (text.includes(marked.mark)) requireOneName(marked, textOf(valueAt(marked)))
		}
		bound += body.slice(at, value.start)
		bound += isWhole && marked.isValue ? jsonOf(valueAt(marked)) : withinString(text, marks, valueAt)
		at = value.end
	}
	return bound + body.slice(at)
}

/** Where a body says which tables are read or written; elsewhere a field may be called so. */
function namesTable({ keys }: BodyValue, { segments }: ConsoleRequest['path']): boolean {
	const [key = '', parent] = keys.toReversed()
	if (key === '_index') return true
	if (key !== 'index' && key !== 'indices') return false
	const isReindex = segments.at(-1) === '_reindex' && (parent === 'source' || parent === 'dest')
	return isReindex || (keys.length === 1 && segments.some(segment => /^_(?:fleet_)?msearch$/.test(segment)))
}

/** Endpoints whose `query` is a text in a language of its own. */
const queryLanguages = new Set(['_query', '_eql'])
const scriptKey = /(?:^|_)scripts?(?:$|_)/
const codeKeys = new Set(['source', 'inline', 'lang', 'if'])
const textQueries = new Set(['query_string', 'simple_query_string', 'kql'])

/** Where a text is run as more than a value. */
function languageOf({ keys }: BodyValue, isWhole: boolean, hasQueryText: boolean): string | undefined {
	const [key = '', parent = ''] = keys.toReversed()
	const script = keys.findLastIndex(name => scriptKey.test(name))
	if (codeKeys.has(key) || (script >= 0 && keys.lastIndexOf('params') < script)) return 'part of a script'
	if (key !== 'query') return undefined
	if (parent === 'wrapper' || (hasQueryText && keys.length === 1)) return 'part of a query'
	return textQueries.has(parent) && !isWhole ? 'part of a query' : undefined
}

function withinString(text: string, marks: readonly Marked[], valueAt: (marked: Marked) => ParameterValue): string {
	// In one pass: a value that looks like a mark is none.
	const parts = text.split(/(rhplacex+\d+z)/)
	const put = (part: string) => {
		const marked = marks.find(({ mark }) => mark === part)
		return marked ? JSON.stringify(textOf(valueAt(marked))).slice(1, -1) : part
	}
	return parts.map(put).join('')
}

function markIn(text: string, marks: readonly Marked[]): Marked | undefined {
	return marks.find(({ mark }) => text.includes(mark))
}

function textOf(value: ParameterValue): string {
	return isExactNumber(value) ? value.rawJSON : String(value)
}

function jsonOf(value: ParameterValue): string {
	return isExactNumber(value) ? value.rawJSON : JSON.stringify(value)
}

function noPlace({ name }: Pick<Marked, 'name'>, reason: string): DriverError {
	return invalid(`{{${name}}} stands where no value can: ${reason}.`)
}

function invalid(message: string): DriverError {
	return new DriverError('invalid_argument', message)
}
