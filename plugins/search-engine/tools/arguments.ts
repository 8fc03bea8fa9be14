import { DriverError, type Json, type JsonObject, stringifyJson, type ToolCall, type ToolResult } from '@roundhouse/kit'
import { SearchConnection } from '../connection.ts'

/** Reads the arguments of tools, which the host has validated against the manifest's schemas. */

/** @throws DriverError `not_connected`. */
export function connectionOf(call: ToolCall): SearchConnection {
	if (call.connection instanceof SearchConnection) return call.connection
	throw new DriverError('not_connected', 'The connection is not open.')
}

export function textOf(args: JsonObject, name: string): string | undefined {
	const value = args[name]
	return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns a list. An empty one counts as left out, because some clients send all arguments. */
export function listOf(args: JsonObject, name: string): readonly Json[] | undefined {
	const value = args[name]
	return Array.isArray(value) && value.length > 0 ? value : undefined
}

/** @throws DriverError `invalid_argument`. */
export function required(args: JsonObject, name: string): string {
	const value = textOf(args, name)
	if (value === undefined) throw new DriverError('invalid_argument', `"${name}" is missing.`)
	return value
}

/** Returns the `query` of a search body, from a DSL object or from Lucene text. With both, both must match. */
export function queryOf(args: JsonObject): JsonObject {
	const text = textOf(args, 'query_string')
	const parts: Json[] = [
		...(args.query === undefined ? [] : [args.query]),
		...(text === undefined ? [] : [{ query_string: { query: text, default_field: '*', lenient: true } }]),
	]
	const [only] = parts
	if (only === undefined) return {}
	return { query: parts.length === 1 ? only : { bool: { must: parts } } }
}

/** Returns a structured answer, also as text for clients that read only text. */
export function answer(structured: JsonObject): ToolResult {
	return { content: [{ type: 'text', text: stringifyJson(structured) }], structuredContent: structured }
}
