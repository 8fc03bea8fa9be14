import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import type { Mapping } from './mapping.ts'

/** Reads one value of a document; `undefined` when the document has none. */
export type Reader = (source: Json) => Json | undefined

/**
 * Makes the reader of a dotted path.
 *
 * Arrays on the way give one value an element, `null` where an element lacks the field, so that the columns of a
 * nested field line up. A key that itself holds dots (`"a.b": 1`, which the engine takes for the same field) is found
 * where the nested spelling is not.
 */
export function readerOf(path: string): Reader {
	const keys = path.split('.')
	if (keys.length === 1) {
		// What no object inherits is read without asking whether it is its own: this runs for each cell.
		if (!(path in Object.prototype)) return source => (isJsonObject(source) ? source[path] : undefined)
		return source => (isJsonObject(source) ? own(source, path) : undefined)
	}
	return source => walk(source, keys, 0)
}

function walk(value: Json, keys: readonly string[], from: number): Json | undefined {
	if (from === keys.length) return value
	if (Array.isArray(value)) {
		const values = value.map(element => walk(element, keys, from))
		return values.every(found => found === undefined) ? undefined : values.map(found => found ?? null)
	}
	if (!isJsonObject(value)) return undefined
	for (let to = from + 1; to <= keys.length; to++) {
		const next = own(value, to === from + 1 ? (keys[from] ?? '') : keys.slice(from, to).join('.'))
		if (next === undefined) continue
		const found = walk(next, keys, to)
		if (found !== undefined) return found
	}
	return undefined
}

function own(object: JsonObject, key: string): Json | undefined {
	return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Documents that use keys as data would make a column of each; what is above this is shown in the whole document only. */
export const mostUnmapped = 500

/** Adds to `found` the paths of a document that the mapping does not know. Stops at what the mapping shows whole. */
export function collectUnmapped(source: Json, mapping: Mapping, found: Set<string>, prefix = '') {
	if (!isJsonObject(source)) return
	for (const key in source) {
		const path = prefix === '' ? key : `${prefix}${key}`
		if (mapping.objects.has(path)) {
			const value = source[key] ?? null
			for (const element of Array.isArray(value) ? value : [value]) collectUnmapped(element, mapping, found, `${path}.`)
		} else if (!mapping.fields.has(path)) {
			if (found.size >= mostUnmapped) return
			found.add(path)
		}
	}
}
