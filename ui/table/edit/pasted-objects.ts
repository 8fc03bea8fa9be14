import { readJsonValue } from '@roundhouse/kit/cell-input'
import { isJsonObject, type Json, type JsonObject, parseJson } from '@roundhouse/kit/json'
import type { Cell, Column, Manifest } from '../../../host/api/api.ts'
import { withNestedValue } from '../../cells/value-at.ts'

/** New rows of a pasted text of JSON. Pure. */

/** Reads one object, a list of objects, or one object in each line; `undefined` if the text is anything else. */
export function parseObjects(text: string): readonly JsonObject[] | undefined {
	if (!/^\s*[[{]/.test(text)) return undefined
	const rows = listOf(parsed(text)) ?? text.split('\n').flatMap(line => (line.trim() === '' ? [] : parsed(line)))
	return rows.length > 0 && rows.every(isJsonObject) ? rows : undefined
}

const listOf = (value: Json | undefined): readonly (Json | undefined)[] | undefined =>
	value === undefined ? undefined : Array.isArray(value) ? value : [value]

function parsed(text: string): Json | undefined {
	try {
		return parseJson(text)
	} catch {
		return undefined
	}
}

/** An object of columns, and what stood beside it. */
export interface PastedRow {
	readonly values: JsonObject
	readonly beside?: JsonObject
}

/** Takes rows out of the objects that the driver's exports and the engine's answers have around them. */
export function unwrapped(objects: readonly JsonObject[], wrapping: Manifest['wrappedRow']): readonly PastedRow[] {
	if (!wrapping) return objects.map(values => ({ values }))
	const { values: name, beside, list, before } = wrapping
	const kept = (object: JsonObject) =>
		Object.fromEntries(Object.entries(object).filter(([key]) => beside.includes(key)))
	const all = objects.flatMap(object => listAt(object, list) ?? [object])
	const headings = all.filter((_, at) => at % 2 === 0).map(object => headingIn(object, before))
	// A text that is no sequence of pairs has rows alone, so that none is taken for the heading of another one.
	if (all.length === 2 * headings.length && headings.every(heading => heading !== undefined)) {
		return headings.map((heading, at) => ({ values: all[2 * at + 1] ?? {}, beside: kept(heading) }))
	}
	return all.map(object => {
		const values = object[name]
		return isJsonObject(values) ? { values, beside: kept(object) } : { values: object }
	})
}

/** Returns what the line before a row says of it. */
function headingIn(object: JsonObject, before: readonly string[]): JsonObject | undefined {
	const [[name = '', inner] = [], ...others] = Object.entries(object)
	return others.length === 0 && before.includes(name) && isJsonObject(inner) ? inner : undefined
}

/** Returns the objects of the list to which the members of an answer lead. */
function listAt(answer: JsonObject, path: readonly string[]): readonly JsonObject[] | undefined {
	let found: Json | undefined = answer
	for (const name of path) found = isJsonObject(found) ? found[name] : undefined
	return path.length > 0 && Array.isArray(found) && found.every(isJsonObject) ? found : undefined
}

/**
 * Returns the values of a new row, and the names that it cannot have: of unknown columns, and of those that only the
 * engine sets.
 * @param takesAny rows may have values that are no column yet
 */
export function newRowOf(
	{ values: object, beside = {} }: PastedRow,
	columns: readonly Column[],
	takesAny: boolean,
): {
	readonly values: Readonly<Record<string, Cell>>
	readonly left: readonly string[]
	/** Why values were left out. */
	readonly faults: readonly string[]
} {
	const known = new Map(columns.map(column => [column.name, column]))
	const left: string[] = []
	const faults: string[] = []
	let keys: JsonObject = {}
	let row: JsonObject = {}
	const inside = Object.entries(object).map(([name, value]) => ({ name, value, isFree: takesAny }))
	const around = Object.entries(beside).map(([name, value]) => ({ name, value, isFree: false }))
	for (const { name, value, isFree } of [...around, ...inside]) {
		const column = known.get(name)
		if (column ? column.isReadOnly === true || column.generated === 'always' : !isFree) left.push(name)
		else if (column?.isKey) keys = { ...keys, [name]: value }
		else row = takesAny ? withNestedValue(row, name, value) : { ...row, [name]: value }
	}
	const values: [string, Cell][] = []
	for (const [name, value] of [...Object.entries(keys), ...Object.entries(row)]) {
		const read = readJsonValue(known.get(name)?.kind ?? 'other', value)
		if ('fault' in read) faults.push(`${name} was left out: it is ${read.fault}.`)
		else values.push([name, read.cell])
	}
	return { values: Object.fromEntries(values), left, faults }
}
