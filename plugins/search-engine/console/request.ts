import { cutText, DriverError, type FaultDetails, faultOf, parseJson } from '@roundhouse/kit'
import { type ParseError, parse } from 'jsonc-parser'
import type { EngineRequest } from '../transport/engine-request.ts'
import { parsePath, type RequestPath } from '../transport/request-path.ts'
import { tokensOf } from './scan.ts'
import { partsOf } from './split.ts'

/** A request of the console, parsed and validated. */
export interface ConsoleRequest {
	readonly method: EngineRequest['method']
	readonly path: RequestPath
	/** JSON text without comments, or NDJSON. */
	readonly body: string | undefined
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const

/** @throws DriverError `invalid_argument` or `unsupported`. */
export function readRequest(statement: string): ConsoleRequest {
	const [only, ...others] = partsOf(statement)
	if (only === undefined) throw malformed('Enter a request, for example GET /books/_search.')
	if (only.lineEnd === undefined && !only.isQuery) throw noRequest(statement.slice(only.start, only.end))
	if (others.length > 0) throw malformed('This text contains several requests. Run one at a time.')
	const bodyAt = only.lineEnd
	if (bodyAt === undefined) {
		const query = statement.slice(only.start, only.end)
		return { method: 'POST', path: parsePath('/_query'), body: JSON.stringify({ query }) }
	}
	const { word, target } = partsOfLine(statement.slice(only.start, bodyAt))
	return atPlace(bodyAt, () => makeRequest(word, target, statement.slice(bodyAt, only.end)))
}

/** Runs a reader of a part of the statement. Its errors get their places in the whole. */
function atPlace<T>(start: number, read: () => T): T {
	try {
		return read()
	} catch (error) {
		if (!(error instanceof DriverError) || error.at === undefined) throw error
		throw new DriverError(error.code, error.message, { ...faultOf(error), at: start + error.at })
	}
}

/** Splits the first line of a request at its first blanks. A pattern would backtrack over them. */
export function partsOfLine(line: string): { readonly word: string; readonly target: string } {
	const blank = line.search(/[ \t]/)
	return blank < 0 ? { word: line, target: '' } : { word: line.slice(0, blank), target: line.slice(blank).trim() }
}

function noRequest(text: string): DriverError {
	const [line = ''] = text.split('\n')
	const shown = cutText(line.trimEnd(), 60)
	return malformed(
		`"${shown}" is not a request. A request begins with GET, POST, PUT, DELETE or HEAD and a path, for example GET /books/_search, and a query of ES|QL with FROM.`,
	)
}

/** @throws DriverError `invalid_argument` or `unsupported`. */
export function makeRequest(word: string, target: string, bodyText: string): ConsoleRequest {
	const method = methods.find(known => known === word.toUpperCase())
	if (method === undefined)
		throw malformed(`${word.toUpperCase()} is not a method of Elasticsearch. Use ${methods.join(', ')}.`)
	if (/[ \t]\{/.test(target)) throw malformed('The body begins on the line after the method and the path.')
	const path = parsePath(target)
	return { method, path, body: readBody(bodyText, path) }
}

/** Endpoints that take one JSON value per line. */
export function takesLines({ segments }: RequestPath): boolean {
	const last = segments.at(-1) ?? ''
	const isTemplate = last === 'template' && segments.at(-2) === '_msearch'
	return (
		last === '_bulk' ||
		last === '_msearch' ||
		last === '_fleet_msearch' ||
		isTemplate ||
		segments.join('/') === '_monitoring/bulk'
	)
}

/** Keeps what the user typed unchanged: the order of keys, duplicate keys, the digits of numbers. */
function readBody(text: string, path: RequestPath): string | undefined {
	const { json, placeOf } = plainJson(text)
	if (json.trim() === '') return undefined
	const values = topLevelValues(json)
	for (const { value, start } of values) checkJson(value, at => placeOf(start + at))
	if (takesLines(path)) return values.map(({ value }) => `${onOneLine(value)}\n`).join('')
	if (values.length > 1) throw malformed('The body contains more than one JSON value.')
	return json.trim()
}

/** Returns the position of a line and a column, both from 1, in a query of ES|QL. */
export function offsetInQuery(statement: string, line: number, column: number): number | undefined {
	const [only] = partsOf(statement)
	if (!only?.isQuery) return undefined
	const lines = statement.slice(only.start, only.end).split('\n')
	const before = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
	return Math.min(only.start + before + column - 1, only.end)
}

/**
 * Returns the position of the sent body in its text, for a line and a column of the engine: both from 1, the column in
 * bytes of UTF-8.
 */
export function offsetInStatement(statement: string, line: number, column: number): number | undefined {
	const [only] = partsOf(statement)
	if (only?.lineEnd === undefined) return undefined
	const { json, placeOf } = plainJson(statement.slice(only.lineEnd, only.end))
	const sent = json.trim()
	const lines = sent.split('\n')
	const text = lines[line - 1]
	if (text === undefined) return undefined
	const before = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
	const inLine = Buffer.from(text)
		.subarray(0, column - 1)
		.toString().length
	return only.lineEnd + placeOf(json.indexOf(sent) + before + inLine)
}

interface PlainJson {
	readonly json: string
	/** Returns the offset in the text of an offset in the JSON. */
	placeOf(at: number): number
}

/** Removes comments, and converts triple quotes to JSON strings. */
function plainJson(text: string): PlainJson {
	let json = ''
	let at = 0
	/** Starts of replaced parts, in the JSON and after them in the text. */
	const ends: { readonly inJson: number; readonly inText: number }[] = [{ inJson: 0, inText: 0 }]
	for (const { kind, start, end } of tokensOf(text)) {
		json += text.slice(at, start)
		// Replaced by a space, so that the tokens around a comment stay separate.
		const part = kind === 'comment' ? ' ' : text.slice(start, end)
		json += part.startsWith('"""') ? JSON.stringify(part.slice(3).replace(/"""$/, '')) : part
		at = end
		if (kind === 'comment' || part.startsWith('"""')) ends.push({ inJson: json.length, inText: at })
	}
	json += text.slice(at)
	const placeOf = (offset: number) => {
		const { inJson, inText } = ends.findLast(end => end.inJson <= offset) ?? { inJson: 0, inText: 0 }
		return Math.min(inText + offset - inJson, text.length)
	}
	return { json, placeOf }
}

/** Returns the same tokens, with a space for each line break between them. */
function onOneLine(json: string): string {
	let line = ''
	let at = 0
	for (const { start, end } of tokensOf(json)) {
		const space = json.slice(at, start)
		line += (/[\r\n]/.test(space) ? ' ' : space) + json.slice(start, end)
		at = end
	}
	return line.trim()
}

/** Deepest nesting that the engine accepts. Bodies are read recursively. */
export const deepest = 1000

/** Returns the JSON values side by side in a body. @throws DriverError `invalid_argument` */
function topLevelValues(json: string): readonly { readonly value: string; readonly start: number }[] {
	const values: { readonly value: string; readonly start: number }[] = []
	let [depth, from] = [0, 0]
	for (const { kind, start, end } of tokensOf(json)) {
		if (kind !== 'bracket') continue
		depth += json[start] === '{' || json[start] === '[' ? 1 : -1
		if (depth > deepest) throw malformed(`The body nests deeper than ${deepest} levels.`)
		if (depth > 0) continue
		values.push({ value: json.slice(from, end), start: from })
		from = end
	}
	return json.slice(from).trim() === '' ? values : [...values, { value: json.slice(from), start: from }]
}

function checkJson(json: string, placeOf: (at: number) => number): void {
	try {
		parseJson(json)
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error)
		// The native parser does not always say where.
		const faults: ParseError[] = []
		parse(json, faults, { disallowComments: true })
		const [{ offset } = { offset: 0 }] = faults
		// It repeats the text around the place, and counts in the body alone. The place is named apart.
		const [why] = message.split(/, (?:\.\.\.)?"| (?:in JSON )?at position /)
		throw malformed(`The body is not valid JSON: ${why}.`, { at: placeOf(offset) })
	}
}

function malformed(message: string, details: FaultDetails = {}): DriverError {
	return new DriverError('invalid_argument', message, details)
}
