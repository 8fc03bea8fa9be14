import { DriverError, parseJson, stringifyJson } from '@roundhouse/kit'
import { parsePath, type RequestPath } from '../transport/request-path.ts'
import type { EngineRequest } from '../transport/transport.ts'
import { splitStatements, stretchesOf } from './split.ts'

/** One request of the console, read and checked. */
export interface ConsoleRequest {
	readonly method: EngineRequest['method']
	readonly path: RequestPath
	/** JSON text without comments, or NDJSON. */
	readonly body: string | undefined
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const

/** @throws DriverError `invalid_argument` or `unsupported`. */
export function readRequest(statement: string): ConsoleRequest {
	const [only, ...others] = splitStatements(statement)
	if (only === undefined) throw malformed('Enter a request, for example GET /books/_search.')
	if (others.length > 0) throw malformed('One request at a time: this text holds several.')
	const [line = '', ...rest] = only.text.split('\n')
	const [, word = '', after = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? []
	return makeRequest(word, withoutComment(after).trim(), rest.join('\n'))
}

/** What stands before the comment of a request line. */
function withoutComment(text: string): string {
	const at = text.search(/\s(?:#|\/\/)/)
	return at < 0 ? text : text.slice(0, at)
}

/** @throws DriverError `invalid_argument` or `unsupported`. */
export function makeRequest(word: string, target: string, bodyText: string): ConsoleRequest {
	const method = methods.find(known => known === word.toUpperCase())
	if (method === undefined)
		throw malformed(`${word.toUpperCase()} is not used by Elasticsearch; use ${methods.join(', ')}.`)
	const path = parsePath(target)
	return { method, path, body: readBody(bodyText, path) }
}

/** Endpoints that take one JSON value a line. */
function takesLines({ segments }: RequestPath): boolean {
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

function readBody(text: string, path: RequestPath): string | undefined {
	const json = plainJson(text)
	if (json.trim() === '') return undefined
	const values = topLevelValues(json)
	if (takesLines(path)) return values.map(value => `${stringifyJson(parse(value))}\n`).join('')
	if (values.length > 1) throw malformed('The body holds more than one JSON value.')
	parse(json)
	return json.trim()
}

/** Takes comments out, and turns triple quotes into JSON strings. */
function plainJson(text: string): string {
	let json = ''
	for (const { kind, start, end } of stretchesOf(text)) {
		const part = text.slice(start, end)
		if (kind === 'comment') continue
		json += part.startsWith('"""') ? JSON.stringify(part.slice(3).replace(/"""$/, '')) : part
	}
	return json
}

/** The engine takes no deeper JSON, and whoever reads a body goes down into it. */
const deepest = 1000

/** The JSON values that stand side by side in a body. @throws DriverError `invalid_argument` */
function topLevelValues(json: string): string[] {
	const values: string[] = []
	let [depth, start] = [0, 0]
	for (const { kind, start: from, end } of stretchesOf(json)) {
		if (kind !== 'plain') continue
		for (let at = from; at < end; at++) {
			const character = json[at]
			if (character === '{' || character === '[') {
				if (++depth > deepest) throw malformed(`The body nests deeper than ${deepest} levels.`)
			} else if (character === '}' || character === ']') depth--
			else continue
			if (depth > 0) continue
			values.push(json.slice(start, at + 1))
			start = at + 1
		}
	}
	return json.slice(start).trim() === '' ? values : [...values, json.slice(start)]
}

function parse(json: string) {
	try {
		return parseJson(json)
	} catch (error) {
		throw malformed(`The body is not valid JSON: ${error instanceof Error ? error.message : String(error)}.`)
	}
}

function malformed(message: string): DriverError {
	return new DriverError('invalid_argument', message)
}
