import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { parsingFailure } from '../values/failure.ts'

/** Reads the body of a query clause. */

export function fieldClause(
	body: Json,
	query: string,
	key: string,
): { field: string; value: Json; options: JsonObject } {
	const entries = Object.entries(objectOf(body, query))
	const [entry] = entries
	if (entry === undefined) throw parsingFailure(`[${query}] query malformed, no field`)
	if (entries.length > 1) {
		throw parsingFailure(
			`[${query}] query doesn't support multiple fields, found [${entry[0]}] and [${entries[1]?.[0]}]`,
		)
	}
	const [field, value] = entry
	if (!isJsonObject(value)) return { field, value, options: {} }
	return { field, value: value[key] ?? value.value ?? null, options: value }
}

export function objectOf(body: Json, query: string): JsonObject {
	if (isJsonObject(body)) return body
	throw parsingFailure(`[${query}] query malformed, no start_object after query name`)
}

export function listOf(value: Json | undefined): readonly Json[] {
	if (value === undefined) return []
	return Array.isArray(value) ? value : [value]
}
