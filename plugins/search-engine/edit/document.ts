import { isJsonObject, type Json, type JsonObject, stringifyJson } from '@roundhouse/kit'
import { refused } from './cell-value.ts'

/** New values by dotted path. `undefined` removes the field. */
export type FieldValues = ReadonlyMap<string, Json | undefined>

/** Keys and array indices from the root of a document to a value. */
export type JsonPath = readonly (string | number)[]

/** A value at a place. `undefined` removes the existing value. */
export interface Edit {
	readonly place: JsonPath
	readonly value: Json | undefined
}

/** Paths of the objects whose fields have dotted keys (`subobjects: false`), the root as an empty path. */
type FlatObjects = ReadonlySet<string>

const none: FlatObjects = new Set()

/** Where a user edits what no column shows, at the end of a sentence. */
const inJson = 'in the JSON of the document, in the panel beside the grid'

interface NewValue {
	readonly path: string
	readonly value: Json | undefined
	readonly flat?: FlatObjects | undefined
}

/**
 * Returns the edits that set a field's new value in this document. A path follows the document's existing spelling
 * (`"a.b"` as one key, or nested), and is nested otherwise, because a second spelling would give the field two values.
 * For an array of objects, the value contains one value per element, as the column shows it.
 *
 * @throws DriverError `invalid_argument` if another value is on the path.
 */
export function editsFor(document: JsonObject, { path, value, flat = none }: NewValue): Edit[] {
	const parts = path.split('.')
	const [own, other] = spellingsIn(document, parts)
	if (own !== undefined && other !== undefined)
		throw refused(
			`${path} has values in two places of this document, ${JSON.stringify(own)} and ${JSON.stringify(other)}. Edit them ${inJson}`,
		)
	if (own !== undefined) return [{ place: own, value }]
	const isFlat = parts.some((_, length) => flat.has(parts.slice(0, length).join('.')))
	const array = isFlat ? undefined : arrayOnTheWay(document, parts)
	if (array === undefined) return [{ place: nestedSpelling(document, parts, flat), value }]
	const { place, elements, rest } = array
	return elementEdits(elements, { rest, value, path }).map(edit => ({ ...edit, place: [...place, ...edit.place] }))
}

interface ArrayOnTheWay {
	readonly place: JsonPath
	readonly elements: readonly Json[]
	/** The part of the path inside the elements. */
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

/** A value for a path inside of array elements. `path` is the whole path, for messages. */
interface ElementEdit {
	readonly rest: readonly string[]
	readonly value: Json | undefined
	readonly path: string
}

function elementEdits(elements: readonly Json[], { rest, value, path }: ElementEdit): Edit[] {
	const values = value === undefined ? elements.map(() => undefined) : value
	if (!Array.isArray(values) || values.length !== elements.length) {
		const array = path.split('.').slice(0, -rest.length).join('.')
		throw refused(
			`${array} has ${elements.length} elements in this document. Set ${path} to an array of ${elements.length} values in the same order, or edit ${array} ${inJson}`,
		)
	}
	return elements.flatMap((element, index) => {
		const next: Json | undefined = values[index]
		return editsInElement(element, { rest, value: next, path }).map(edit => ({
			...edit,
			place: [index, ...edit.place],
		}))
	})
}

function editsInElement(element: Json, { rest, value, path }: ElementEdit): Edit[] {
	// The column shows null for an element without the field.
	const isAbsent = spellingsIn(element, rest).length === 0 && arrayOnTheWay(element, rest) === undefined
	if (isAbsent && (value === null || value === undefined)) return []
	if (Array.isArray(element)) return elementEdits(element, { rest, value, path })
	if (isJsonObject(element)) return editsFor(element, { path: rest.join('.'), value })
	throw refused(`An element on the path ${path} is a plain value in this document. Edit it ${inJson}`)
}

/** Returns the keys of an existing field, for each of its spellings, the shortest keys first. */
function spellingsIn(value: Json, parts: readonly string[]): string[][] {
	if (parts.length === 0) return [[]]
	if (!isJsonObject(value)) return []
	return parts.flatMap((_, index) => {
		const key = parts.slice(0, index + 1).join('.')
		if (!Object.hasOwn(value, key)) return []
		return spellingsIn(value[key] ?? null, parts.slice(index + 1)).map(rest => [key, ...rest])
	})
}

/**
 * Returns the keys for a new field: the existing objects on the path in the document's spelling, then one key per
 * remaining part.
 */
function nestedSpelling(document: JsonObject, parts: readonly string[], flat: FlatObjects): string[] {
	const keys: string[] = []
	let at: JsonObject = document
	let from = 0
	while (from < parts.length - 1 && !flat.has(parts.slice(0, from).join('.'))) {
		const length = longestObject(at, parts.slice(from, -1))
		const key = parts.slice(from, from + length).join('.')
		const next = ownValue(at, key)
		if (next !== undefined && next !== null && !isJsonObject(next)) {
			const what = Array.isArray(next) ? 'an array' : 'a plain value'
			throw refused(
				`${parts.slice(0, from + length).join('.')} is ${what} in this document, so ${parts.join('.')} cannot be set in it. Edit it ${inJson}`,
			)
		}
		keys.push(key)
		from += length
		at = isJsonObject(next) ? next : {}
	}
	return [...keys, parts.slice(from).join('.')]
}

/**
 * Returns an own property only. Names such as `constructor` can be keys of a document, but every JavaScript object also
 * inherits them.
 */
function ownValue(object: JsonObject, key: string): Json | undefined {
	return Object.hasOwn(object, key) ? object[key] : undefined
}

/**
 * Returns how many parts of the path form the next key. The result is 1 unless the document has an object under a
 * dotted key.
 */
function longestObject(at: JsonObject, parts: readonly string[]): number {
	if (Object.hasOwn(at, parts[0] ?? '')) return 1
	for (let length = 2; length <= parts.length; length++) {
		if (isJsonObject(ownValue(at, parts.slice(0, length).join('.')))) return length
	}
	return 1
}

/** Returns all edits of a document, each based on the result of the earlier ones, and the resulting document. */
export function planEdits(
	document: JsonObject,
	values: FieldValues,
	flat?: FlatObjects,
): { edits: readonly Edit[]; wanted: JsonObject } {
	const edits: Edit[] = []
	let wanted = document
	for (const [path, value] of values) {
		const next = editsFor(wanted, { path, value, flat })
		for (const edit of next) edits.push(edit)
		wanted = next.reduce((result, { place, value }) => setAt(result, place, value) as JsonObject, wanted)
	}
	return { edits, wanted }
}

/**
 * Returns the part of the wanted document that the edits change, at the same places. An array is included completely.
 */
export function partWith(wanted: JsonObject, edits: readonly Edit[]): JsonObject {
	return edits.reduce((part, { place, value }) => {
		const index = place.findIndex(step => typeof step === 'number')
		if (value === undefined && index < 0) return part
		const keys = index < 0 ? place : place.slice(0, index)
		return setAt(part, keys, valueAt(wanted, keys)) as JsonObject
	}, {} as JsonObject)
}

function valueAt(value: Json | undefined, [step, ...rest]: JsonPath): Json | undefined {
	if (step === undefined) return value
	if (typeof step === 'number') return Array.isArray(value) ? valueAt(value[step], rest) : undefined
	return isJsonObject(value) ? valueAt(ownValue(value, step), rest) : undefined
}

function setAt(target: Json | undefined, [step, ...rest]: JsonPath, value: Json | undefined): Json | undefined {
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

/**
 * Returns the document that the engine stores after an update with `{doc: part}`. The engine merges objects and
 * replaces all other values.
 */
export function merged(document: JsonObject, part: JsonObject): JsonObject {
	const changed = Object.entries(part).map(([key, value]): [string, Json] => {
		const old = ownValue(document, key)
		return [key, isJsonObject(old) && isJsonObject(value) ? merged(old, value) : value]
	})
	return { ...document, ...Object.fromEntries(changed) }
}

/** Returns whether two values are equal as JSON, without regard to the order of keys. */
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
