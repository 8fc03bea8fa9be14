import { isJsonObject, type Json, type JsonObject, stringifyJson } from '@roundhouse/kit'
import { objectOf } from '../transport/answer.ts'
import { type Field, mergeFields, readField, type Variant } from './field.ts'
import { type IndexSettings, readSettings } from './index-settings.ts'

/** The fields of an index, or of several behind one name, in the mapping's order. */
export interface Mapping {
	readonly fields: ReadonlyMap<string, Field>
	/** Objects with children. They have no value, and their paths are prefixes of their children's. */
	readonly objects: ReadonlySet<string>
	/** Objects with `subobjects: false`, the root as an empty path. Their fields have dotted keys in documents. */
	readonly flat: ReadonlySet<string>
	/** Indices that do not store their documents (`_source` is disabled), so nothing of them can be shown. */
	readonly sourceless: readonly string[]
	/** The number of rows that one search may skip or return: the smallest `max_result_window`. */
	readonly windowRows: number
	/** The engine's mapping, by index. */
	readonly definition: JsonObject
	/**
	 * Whether the credential may not read the mapping. Then `definition` is made of the fields that it may search, and
	 * lacks what documents leave out (`_source`).
	 */
	readonly isInferred: boolean
}

/** Reads the answer of `GET /<index>/_mapping`, and of `GET /<index>/_settings` if the credential may read that. */
export function readMapping(answer: Json, settingsAnswer: Json = {}): Mapping {
	const definition = objectOf(answer)
	const settings = readSettings(settingsAnswer)
	const alike = groupAlike(definition, settings.of)
	const objects = new Set<string>()
	const plainObjects = new Set<string>()
	const flat = new Set<string>()
	const variants = new Map<string, Variant[]>()
	for (const { indices, mappings, settings } of alike) {
		for (const field of fieldsOf(mappings, settings, { objects, plainObjects, flat })) {
			const known = variants.get(field.path)
			if (known === undefined) variants.set(field.path, [{ indices, field }])
			else known.push({ indices, field })
		}
	}
	const fields = new Map<string, Field>()
	for (const [path, own] of variants) {
		const isPartial = own.length < alike.length
		const field = mergeFields(own)
		// A field that only some indices have is no problem, unless others have a plain object in place of its nested one.
		const isTrouble = isPartial && nestedPaths(field).some(nested => plainObjects.has(nested))
		fields.set(path, { ...field, ...(isPartial && { isPartial }), ...(isTrouble && { variants: own }) })
	}
	const sourceless = alike.filter(({ mappings }) => objectOf(mappings._source).enabled === false)
	const windowRows = settings.windowRows
	return {
		fields,
		objects,
		flat,
		sourceless: sourceless.flatMap(({ indices }) => indices),
		windowRows,
		definition,
		isInferred: false,
	}
}

/** Returns the nested objects that a filter on the field must enter. */
export function nestedPaths(field: Field): readonly string[] {
	return field.type === 'nested' ? [...field.nestedIn, field.path] : field.nestedIn
}

interface Alike {
	readonly indices: string[]
	readonly mappings: JsonObject
	readonly settings: IndexSettings
}

/** Groups equal mappings. The indices of a data stream share one mapping, which is read once. */
function groupAlike(definition: JsonObject, settingsOf: (index: string) => IndexSettings): Alike[] {
	const groups = new Map<string, Alike>()
	for (const [name, index] of Object.entries(definition)) {
		const mappings = objectOf(objectOf(index).mappings)
		const settings = settingsOf(name)
		const key = `${settings.ignoresMalformed} ${stringifyJson(mappings)}`
		const group = groups.get(key)
		if (group === undefined) groups.set(key, { indices: [name], mappings, settings })
		else group.indices.push(name)
	}
	return [...groups.values()]
}

function* fieldsOf(mappings: JsonObject, settings: IndexSettings, sets: Omit<Found, 'settings'>): Generator<Field> {
	if (isFlat(mappings)) sets.flat.add('')
	if (isJsonObject(mappings.properties)) {
		const found = { settings, ...sets }
		yield* children(mappings.properties, { prefix: '', nestedIn: [] }, found)
	}
	if (isJsonObject(mappings.runtime)) {
		for (const [path, node] of Object.entries(mappings.runtime)) {
			if (isJsonObject(node)) yield { ...readField(path, node, { nestedIn: [], settings }), isRuntime: true }
		}
	}
}

/** Collected results, with the settings of the current index. */
interface Found {
	readonly settings: IndexSettings
	readonly objects: Set<string>
	readonly plainObjects: Set<string>
	readonly flat: Set<string>
}

function isFlat({ subobjects }: JsonObject): boolean {
	return subobjects === false || subobjects === 'false'
}

function* children(
	properties: JsonObject,
	{ prefix, nestedIn }: { readonly prefix: string; readonly nestedIn: readonly string[] },
	found: Found,
): Generator<Field> {
	for (const [name, node] of Object.entries(properties)) {
		if (!isJsonObject(node)) continue
		const path = `${prefix}${name}`
		const isNested = node.type === 'nested'
		const isObject = isNested || node.type === undefined || node.type === 'object'
		if (isFlat(node)) found.flat.add(path)
		const hasChildren = isJsonObject(node.properties) && Object.keys(node.properties).length > 0
		// An object without children is opaque (`enabled: false`, or no values yet). A nested object is also shown as a
		// whole.
		if (!isObject || isNested || !hasChildren) yield readField(path, node, { nestedIn, settings: found.settings })
		if (isJsonObject(node.properties) && hasChildren) {
			found.objects.add(path)
			if (!isNested) found.plainObjects.add(path)
			yield* children(
				node.properties,
				{ prefix: `${path}.`, nestedIn: isNested ? [...nestedIn, path] : nestedIn },
				found,
			)
		}
	}
}
