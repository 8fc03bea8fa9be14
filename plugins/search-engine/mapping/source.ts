import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import type { Mapping } from './mapping.ts'

/** Reads one value of a document. Returns `undefined` if the document has none. */
export type Reader = (source: Json) => Json | undefined

/**
 * Returns the reader of a dotted path.
 *
 * For arrays on the path, it returns one value per element, and `null` for an element without the field. So the columns
 * of a nested field line up. A key may contain dots (`"a.b": 1`), which is the same field for the engine. A document with
 * several spellings of a field has the values of all, as the engine indexes them.
 */
export function readerOf(path: string): Reader {
	const keys = path.split('.')
	if (keys.length === 1) {
		// A key that no object inherits is read without an own-property check, because this runs for each cell.
		if (!(path in Object.prototype)) return source => (isJsonObject(source) ? source[path] : undefined)
		return source => (isJsonObject(source) ? own(source, path) : undefined)
	}
	return source => walk(source, keys, 0)
}

/** Returns the first key of a path. A key of a document may have dots itself, and then means the same path. */
export function firstKey(path: string): string {
	const end = path.indexOf('.')
	return end < 0 ? path : path.slice(0, end)
}

function walk(value: Json, keys: readonly string[], from: number): Json | undefined {
	if (from === keys.length) return value
	if (Array.isArray(value)) {
		const values = value.map(element => walk(element, keys, from))
		return values.every(found => found === undefined) ? undefined : values.map(found => found ?? null)
	}
	if (!isJsonObject(value)) return undefined
	let found: Json | undefined
	for (let to = from + 1; to <= keys.length; to++) {
		const next = own(value, to === from + 1 ? (keys[from] ?? '') : keys.slice(from, to).join('.'))
		if (next === undefined) continue
		const spelled = walk(next, keys, to)
		if (spelled !== undefined) found = found === undefined ? spelled : [found, spelled].flat()
	}
	return found
}

function own(object: JsonObject, key: string): Json | undefined {
	return Object.hasOwn(object, key) ? object[key] : undefined
}

/**
 * Upper limit of columns for keys outside the mapping, for documents with data as keys. Further keys are shown only in
 * the whole document.
 */
export const maxUnmapped = 500

/** Adds the unmapped paths of a document to `found`. Does not enter values that the mapping shows as a whole. */
export function collectUnmapped(source: Json, mapping: Mapping, found: Set<string>, prefix = '') {
	if (!isJsonObject(source)) return
	for (const key in source) {
		const path = prefix === '' ? key : `${prefix}${key}`
		if (mapping.objects.has(path)) {
			const value = source[key] ?? null
			for (const element of Array.isArray(value) ? value : [value]) collectUnmapped(element, mapping, found, `${path}.`)
		} else if (!mapping.fields.has(path)) {
			if (found.size >= maxUnmapped) return
			found.add(path)
		}
	}
}
