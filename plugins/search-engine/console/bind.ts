import { DriverError, isExactNumber, type ParameterPlace, type ParameterValue, parameterPlaces } from '@roundhouse/kit'
import { parametersOf } from '../transport/query-string.ts'
import { beforeAnId, encodedPath, readingsOf } from '../transport/request-path.ts'
import { type BodyValue, bodyValues } from './body-values.ts'
import { esqlTokens } from './esql-text.ts'
import { type ConsoleRequest, readRequest } from './request.ts'
import { tokensOf } from './scan.ts'
import { partsOf } from './split.ts'

/** A place in the text, with the mark that replaces it while the request is parsed. */
interface Marked {
	readonly name: string
	readonly mark: string
	/** Whether it is a whole JSON value, and not part of a string or of the first line. */
	readonly isValue: boolean
}

/** Places by their mark, in order. */
type Marks = ReadonlyMap<string, Marked>

const anyMark = /rhplacex+\d+z/g

/** The values of one call, by name. */
type Values = Readonly<Record<string, ParameterValue>>

/**
 * Binds values to the places of a request: in the body as JSON values or within JSON strings, in the path as one
 * segment, and in the query string after `=`. The request is parsed with marks in the places, so that the parser
 * decides what each place is. The values replace the marks afterwards, and are never parsed.
 * @throws DriverError `invalid_argument`
 */
export function bindParameters(text: string, values: Values): string {
	const [only] = partsOf(text)
	if (only?.isQuery) return bindQuery(text.slice(only.start, only.end), values)
	const places = marksOf(text)
	const request = readMarked(text, places)
	const marks: Marks = new Map(places.map(marked => [marked.mark, marked]))
	const found = new Set<string>()
	const valueAt = ({ name, mark }: Marked) => {
		found.add(mark)
		if (!Object.hasOwn(values, name)) throw invalid(`${name}: it has no value.`)
		return values[name] as ParameterValue
	}
	const path = bindPath(request, marks, valueAt)
	const body = bindBody(request, marks, valueAt)
	for (const marked of places) if (!found.has(marked.mark)) throw noPlace(marked, 'that is not a value of the request')
	return body === undefined ? `${request.method} ${path}` : `${request.method} ${path}\n${body}`
}

/** The values of a query travel apart from it, as the engine's own parameters. */
function bindQuery(query: string, values: Values): string {
	const pieces = [...esqlTokens(query)]
	if (pieces.some(({ kind, start, end }) => kind === 'other' && query.slice(start, end).includes('?')))
		throw invalid('The query already has parameters (?). Use either those or {{names}}.')
	let [bound, at, next] = ['', 0, 0]
	const params: string[] = []
	for (const { name, start, end } of parameterPlaces(query)) {
		if (name === undefined) continue
		// Both are in order.
		while ((pieces[next]?.end ?? start + 1) <= start) next++
		const around = pieces[next]
		if (around?.kind === 'text') throw noPlace({ name }, 'it is in quotes, where it would be text. Remove the quotes')
		if (around?.kind === 'comment') throw noPlace({ name }, 'it is in a comment')
		if (!Object.hasOwn(values, name)) throw invalid(`${name}: it has no value.`)
		params.push(jsonOf(values[name] as ParameterValue))
		bound += `${query.slice(at, start)}?`
		at = end
	}
	const text = JSON.stringify(bound + query.slice(at))
	return `POST /_query\n{"query": ${text}, "params": [${params.join(', ')}]}`
}

function marksOf(text: string): readonly Marked[] {
	let salt = 'x'
	while (text.toLowerCase().includes(`rhplace${salt}`)) salt += 'x'
	const pieces = tokensOf(text)
	let next = pieces.next()
	return parameterPlaces(text).flatMap((place, index): readonly Marked[] => {
		const { name, start, end } = place
		if (name === undefined) return []
		// Both are in order.
		while (!next.done && next.value.end <= start) next = pieces.next()
		const piece = next.done || start < next.value.start ? undefined : next.value
		const mark = `rhplace${salt}${index}z`
		const isWithin = piece !== undefined && end <= piece.end
		if (isWithin && piece.kind === 'comment') throw noPlace({ name }, 'it is in a comment')
		if (isWithin && (piece.kind === 'string' || piece.kind === 'request')) return [{ name, mark, isValue: false }]
		requireValuePlace(text, place, name)
		return [{ name, mark, isValue: true }]
	})
}

/** Outside of strings, a place must be a whole JSON value between separators. */
function requireValuePlace(text: string, { start, end }: ParameterPlace, name: string): void {
	const [before, after] = [text.slice(0, start).trimEnd().at(-1), text.slice(end).trimStart()[0]]
	if (before === undefined || after === undefined || !':[,'.includes(before) || !',]}'.includes(after)) {
		throw noPlace({ name }, 'use it in the body after ":" or in a list, in a string, in the path or after "="')
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

function bindPath({ path }: ConsoleRequest, marks: Marks, valueAt: (marked: Marked) => ParameterValue): string {
	const segments = path.segments.map((segment, index) => {
		const [marked] = marksIn(segment, marks)
		if (!marked) return segment
		if (segment !== marked.mark) throw noPlace(marked, 'in the path it must be a whole segment')
		return segmentFor(marked, textOf(valueAt(marked)), path.segments[index - 1])
	})
	const search = path.search.split('&').map(pair => {
		const [marked] = marksIn(pair, marks)
		if (!marked) return pair
		const [key = ''] = pair.split('=', 1)
		if (pair !== `${key}=${marked.mark}`) throw noPlace(marked, 'in the query string it must be everything after "="')
		const known = parametersOf(`${key}=`).at(-1)?.name ?? ''
		if (isBody.test(known)) throw noPlace(marked, `"${key}" is the body of the request`)
		const value = textOf(valueAt(marked))
		if (known === 'index') requireOneName(marked, value)
		return `${key}=${encoded(marked, value)}`
	})
	return path.search === '' ? encodedPath(segments) : `${encodedPath(segments)}?${search.join('&')}`
}

const isBody = /^source(?:_content_type)?$/

/** Characters that an engine or a proxy does not accept within one name. */
const noName = /^[-+]|[,*<>|"\s:]/

/** @throws DriverError `invalid_argument` if it could mean other tables */
function requireOneName({ name }: Marked, value: string): void {
	if (value !== '' && !value.startsWith('_') && !noName.test(value)) return
	throw invalid(`${name}: it must be the name of one table.`)
}

/** Returns the value as exactly one segment for every reader of the path, and never as an endpoint of the engine. */
function segmentFor({ name, mark }: Marked, value: string, before: string | undefined): string {
	const isId = beforeAnId.has(before ?? '')
	const isOne = readingsOf([value]).every(reading => reading.length === 1 && reading[0] === value)
	const isOwn = isId ? /^_[a-z_]+$/.test(value) : value.startsWith('_')
	if (value === '' || /^\.{1,2}$/.test(value) || !isOne || isOwn || (!isId && noName.test(value))) {
		throw invalid(`${name}: ${isId ? 'it cannot be the id of a document in a path' : 'it must be one name in a path'}.`)
	}
	encoded({ name, mark, isValue: false }, value)
	return value
}

function encoded({ name }: Marked, value: string): string {
	if (!value.isWellFormed()) throw invalid(`${name}: it contains an incomplete character.`)
	return encodeURIComponent(value)
}

function bindBody(
	{ path, body }: ConsoleRequest,
	marks: Marks,
	valueAt: (marked: Marked) => ParameterValue,
): string | undefined {
	if (body === undefined) return undefined
	const [endpoint = ''] = path.segments.filter(segment => queryLanguages.has(segment))
	let [bound, at] = ['', 0]
	for (const value of bodyValues(body)) {
		const text = body.slice(value.start, value.end)
		const found = marksIn(text, marks)
		const [marked] = found
		if (!marked) continue
		if (value.isKey) throw noPlace(marked, 'it is the name of a field')
		const isWhole = text === `"${marked.mark}"`
		const language = languageOf(value, isWhole, endpoint !== '')
		if (language !== undefined) throw noPlace(marked, `a value there would be ${language}`)
		if (namesTable(value)) {
			for (const marked of found) requireOneName(marked, textOf(valueAt(marked)))
		}
		bound += body.slice(at, value.start)
		bound += isWhole && marked.isValue ? jsonOf(valueAt(marked)) : withinString(text, marks, valueAt)
		at = value.end
	}
	return bound + body.slice(at)
}

/**
 * Returns whether a value of the body may name tables to read or write. The engine reads these members at many places, so
 * a field with such a name takes the name of one table too.
 */
function namesTable({ keys }: BodyValue): boolean {
	return tableKeys.has(keys.at(-1) ?? '')
}

const tableKeys = new Set(['_index', 'index', 'indices'])

/** Endpoints whose `query` is a text in another language. */
const queryLanguages = new Set(['_query', '_eql'])
const scriptKey = /(?:^|_)scripts?(?:$|_)/
const codeKeys = new Set(['source', 'inline', 'lang', 'if'])
const textQueries = new Set(['query_string', 'simple_query_string', 'kql'])

/** Returns the language in which a text is executed, if it is more than a value. */
function languageOf({ keys }: BodyValue, isWhole: boolean, hasQueryText: boolean): string | undefined {
	const [key = '', parent = ''] = keys.toReversed()
	const script = keys.findLastIndex(name => scriptKey.test(name))
	if (codeKeys.has(key) || (script >= 0 && keys.lastIndexOf('params') < script)) return 'part of a script'
	if (key !== 'query') return undefined
	if (parent === 'wrapper' || (hasQueryText && keys.length === 1)) return 'part of a query'
	return textQueries.has(parent) && !isWhole ? 'part of a query' : undefined
}

function withinString(text: string, marks: Marks, valueAt: (marked: Marked) => ParameterValue): string {
	// In one pass, so that a value that looks like a mark is not replaced.
	const parts = text.split(/(rhplacex+\d+z)/)
	const put = (part: string) => {
		const marked = marks.get(part)
		return marked ? JSON.stringify(textOf(valueAt(marked))).slice(1, -1) : part
	}
	return parts.map(put).join('')
}

/** Returns the marks in a text. Looked up by name, because a search for each mark would take quadratic time. */
function marksIn(text: string, marks: Marks): readonly Marked[] {
	return [...text.matchAll(anyMark)].flatMap(([mark]) => marks.get(mark) ?? [])
}

function textOf(value: ParameterValue): string {
	return isExactNumber(value) ? value.rawJSON : String(value)
}

function jsonOf(value: ParameterValue): string {
	return isExactNumber(value) ? value.rawJSON : JSON.stringify(value)
}

function noPlace({ name }: Pick<Marked, 'name'>, reason: string): DriverError {
	return invalid(`{{${name}}} cannot be used here: ${reason}.`)
}

function invalid(message: string): DriverError {
	return new DriverError('invalid_argument', message)
}
