import { isJsonObject, type Json, type JsonObject, stringifyJson } from '@roundhouse/kit'
import { refused } from './cell-value.ts'

/** New values by dotted path; `undefined` removes the field. */
export type FieldValues = ReadonlyMap<string, Json | undefined>

/**
 * The keys that lead to a dotted path in this very document: its own spelling where it has one (`"a.b"` as one key, or
 * nested), nested objects where it has none. Writing the other spelling would leave the document with two values for
 * one field.
 *
 * @throws DriverError `invalid_argument` when an array or a plain value is in the way.
 */
export function keysTo(document: JsonObject, path: string): string[] {
	const parts = path.split('.')
	return spellingIn(document, parts) ?? nestedSpelling(document, parts, path)
}

/** The spelling whose every key is there; the shortest keys first, as reading does. */
function spellingIn(value: Json, parts: readonly string[]): string[] | undefined {
	if (parts.length === 0) return []
	if (!isJsonObject(value)) return undefined
	for (let length = 1; length <= parts.length; length++) {
		const key = parts.slice(0, length).join('.')
		if (!Object.hasOwn(value, key)) continue
		const rest = spellingIn(value[key] ?? null, parts.slice(length))
		if (rest !== undefined) return [key, ...rest]
	}
	return undefined
}

/** Goes along what is there, again with the document's own spelling of each object, and nests the rest. */
function nestedSpelling(document: JsonObject, parts: readonly string[], path: string): string[] {
	const keys: string[] = []
	let at: JsonObject = document
	let from = 0
	while (from < parts.length - 1) {
		const length = longestObject(at, parts.slice(from, -1))
		const key = parts.slice(from, from + length).join('.')
		const next = at[key]
		if (next !== undefined && next !== null && !isJsonObject(next)) {
			const what = Array.isArray(next) ? 'an array' : 'a plain value'
			throw refused(
				`${parts.slice(0, from + length).join('.')} is ${what} in this document, so ${path} cannot be set in it; edit it as a whole`,
			)
		}
		keys.push(key)
		from += length
		at = isJsonObject(next) ? next : {}
	}
	return [...keys, parts.slice(from).join('.')]
}

/** How many parts the next key takes: one, unless the document has an object under a dotted key. */
function longestObject(at: JsonObject, parts: readonly string[]): number {
	if (Object.hasOwn(at, parts[0] ?? '')) return 1
	for (let length = 2; length <= parts.length; length++) {
		if (isJsonObject(at[parts.slice(0, length).join('.')])) return length
	}
	return 1
}

/** The document with the new values in place. */
export function withValues(document: JsonObject, values: FieldValues): JsonObject {
	return [...values].reduce((result, [path, value]) => setAt(result, keysTo(result, path), value), document)
}

/** The part of a document that holds just the new values, at the same places. */
export function partWith(document: JsonObject, values: FieldValues): JsonObject {
	return [...values].reduce<JsonObject>(
		(part, [path, value]) => (value === undefined ? part : setAt(part, keysTo(document, path), value)),
		{},
	)
}

function setAt(object: JsonObject, keys: readonly string[], value: Json | undefined): JsonObject {
	const [key = '', ...rest] = keys
	const { [key]: old, ...others } = object
	if (rest.length > 0) return { ...object, [key]: setAt(isJsonObject(old) ? old : {}, rest, value) }
	return value === undefined ? others : { ...object, [key]: value }
}

/** What the engine makes of `{doc: part}`: objects merge, everything else is replaced. */
export function merged(document: JsonObject, part: JsonObject): JsonObject {
	const result: Record<string, Json> = { ...document }
	for (const [key, value] of Object.entries(part)) {
		const old = result[key]
		result[key] = isJsonObject(old) && isJsonObject(value) ? merged(old, value) : value
	}
	return result
}

/** Equal as JSON, whatever the order of keys. */
export function isSame(a: Json, b: Json): boolean {
	if (isJsonObject(a) && isJsonObject(b)) {
		const keys = Object.keys(a)
		return (
			keys.length === Object.keys(b).length &&
			keys.every(key => Object.hasOwn(b, key) && isSame(a[key] ?? null, b[key] ?? null))
		)
	}
	if (Array.isArray(a) && Array.isArray(b)) {
		return a.length === b.length && a.every((element, index) => isSame(element, b[index] ?? null))
	}
	return stringifyJson(a) === stringifyJson(b)
}
