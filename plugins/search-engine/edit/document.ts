import { isJsonObject, type Json, type JsonObject, stringifyJson } from '@roundhouse/kit'
import { refused } from './cell-value.ts'

/** New values by dotted path; `undefined` removes the field. */
export type FieldValues = ReadonlyMap<string, Json | undefined>

/** Keys and array indices, from the root of a document. */
export type Place = readonly (string | number)[]

/** One value at one place; `undefined` takes away what is there. */
export interface Edit {
	readonly place: Place
	readonly value: Json | undefined
}

/**
 * What a field's new value means in this very document. A path follows the document's own spelling where it has one
 * (`"a.b"` as one key, or nested), and nests objects where it has none: the other spelling would leave the document with
 * two values for one field. Through an array of objects a value stands for each element, as the column shows it.
 *
 * @throws DriverError `invalid_argument` when something else is in the way.
 */
export function editsFor(document: JsonObject, path: string, value: Json | undefined): Edit[] {
	const parts = path.split('.')
	const own = spellingIn(document, parts)
	if (own !== undefined) return [{ place: own, value }]
	const array = arrayOnTheWay(document, parts)
	if (array === undefined) return [{ place: nestedSpelling(document, parts, path), value }]
	const { place, elements, rest } = array
	return elementEdits(elements, rest, value, path).map(edit => ({ ...edit, place: [...place, ...edit.place] }))
}

interface ArrayOnTheWay {
	readonly place: Place
	readonly elements: readonly Json[]
	/** What of the path lies inside the elements. */
	readonly rest: readonly string[]
}

function arrayOnTheWay(value: Json, parts: readonly string[]): ArrayOnTheWay | undefined {
	if (Array.isArray(value)) return parts.length === 0 ? undefined : { place: [], elements: value, rest: parts }
	if (!isJsonObject(value)) return undefined
	for (let length = 1; length < parts.length; length++) {
		const key = parts.slice(0, length).join('.')
		const found = Object.hasOwn(value, key) ? arrayOnTheWay(value[key] ?? null, parts.slice(length)) : undefined
		if (found !== undefined) return { ...found, place: [key, ...found.place] }
	}
	return undefined
}

function elementEdits(
	elements: readonly Json[],
	rest: readonly string[],
	value: Json | undefined,
	path: string,
): Edit[] {
	const values = value === undefined ? elements.map(() => undefined) : value
	if (!Array.isArray(values) || values.length !== elements.length) {
		const array = path.split('.').slice(0, -rest.length).join('.')
		throw refused(
			`${array} holds ${elements.length} elements in this document: give ${path} an array of as many values, in their order, or ${array} as a whole`,
		)
	}
	return elements.flatMap((element, index) => {
		const next: Json | undefined = values[index]
		return editsInElement(element, rest, next, path).map(edit => ({ ...edit, place: [index, ...edit.place] }))
	})
}

function editsInElement(element: Json, rest: readonly string[], value: Json | undefined, path: string): Edit[] {
	// The column shows null where an element lacks the field.
	const isAbsent = spellingIn(element, rest) === undefined && arrayOnTheWay(element, rest) === undefined
	if (isAbsent && (value === null || value === undefined)) return []
	if (Array.isArray(element)) return elementEdits(element, rest, value, path)
	if (isJsonObject(element)) return editsFor(element, rest.join('.'), value)
	throw refused(`An element on the way to ${path} is a plain value in this document; edit it as a whole`)
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
		const next = ownValue(at, key)
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

/** `constructor` and its like are ordinary keys of documents, and every object inherits them. */
function ownValue(object: JsonObject, key: string): Json | undefined {
	return Object.hasOwn(object, key) ? object[key] : undefined
}

/** How many parts the next key takes: one, unless the document has an object under a dotted key. */
function longestObject(at: JsonObject, parts: readonly string[]): number {
	if (Object.hasOwn(at, parts[0] ?? '')) return 1
	for (let length = 2; length <= parts.length; length++) {
		if (isJsonObject(ownValue(at, parts.slice(0, length).join('.')))) return length
	}
	return 1
}

/** All edits of a document, each found in what those before it leave, and the document that they lead to. */
export function planEdits(document: JsonObject, values: FieldValues): { edits: readonly Edit[]; wanted: JsonObject } {
	const edits: Edit[] = []
	let wanted = document
	for (const [path, value] of values) {
		const next = editsFor(wanted, path, value)
		for (const edit of next) edits.push(edit)
		wanted = next.reduce((result, { place, value }) => setAt(result, place, value) as JsonObject, wanted)
	}
	return { edits, wanted }
}

/** The part of the wanted document that the edits change, at the same places; of an array that is the whole. */
export function partWith(wanted: JsonObject, edits: readonly Edit[]): JsonObject {
	return edits.reduce((part, { place, value }) => {
		const index = place.findIndex(step => typeof step === 'number')
		if (value === undefined && index < 0) return part
		const keys = index < 0 ? place : place.slice(0, index)
		return setAt(part, keys, valueAt(wanted, keys)) as JsonObject
	}, {} as JsonObject)
}

function valueAt(value: Json | undefined, [step, ...rest]: Place): Json | undefined {
	if (step === undefined) return value
	if (typeof step === 'number') return Array.isArray(value) ? valueAt(value[step], rest) : undefined
	return isJsonObject(value) ? valueAt(ownValue(value, step), rest) : undefined
}

function setAt(target: Json | undefined, [step, ...rest]: Place, value: Json | undefined): Json | undefined {
	if (step === undefined) return value
	if (typeof step === 'number') {
		if (!Array.isArray(target)) return target
		return target.with(step, setAt(target[step], rest, value) ?? null)
	}
	const object = isJsonObject(target) ? target : {}
	const next = setAt(ownValue(object, step), rest, value)
	if (next === undefined) {
		const { [step]: _, ...others } = object
		return others
	}
	return isJsonObject(target) ? { ...target, [step]: next } : { [step]: next }
}

/** What the engine makes of `{doc: part}`: objects merge, everything else is replaced. */
export function merged(document: JsonObject, part: JsonObject): JsonObject {
	const changed = Object.entries(part).map(([key, value]): [string, Json] => {
		const old = ownValue(document, key)
		return [key, isJsonObject(old) && isJsonObject(value) ? merged(old, value) : value]
	})
	return { ...document, ...Object.fromEntries(changed) }
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
