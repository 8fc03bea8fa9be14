import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'

/** One field of a mapping, at its dotted path. */
export interface Field {
	readonly path: string
	/** The engine's word; two words with `|` where indices behind one name disagree. */
	readonly type: string
	/** Paths of the `nested` fields around it, outermost first; a nested field does not count itself. */
	readonly nestedIn: readonly string[]
	/** Subfields by name, with their type: `keyword` for `title.keyword`. */
	readonly subfields: ReadonlyMap<string, string>
	/** For dates: the mapping's own format, where it gives one. */
	readonly format?: string
	/** Takes a value that does not fit, and does not index it. */
	readonly ignoresMalformed?: boolean
	/** Real path of an `alias` field. */
	readonly aliasOf?: string
	/** Computed at query time; not in `_source`. */
	readonly isRuntime: boolean
	/** `doc_values: false`, or an index without any: the engine cannot sort on it. */
	readonly hasDocValues: boolean
	readonly isIndexed: boolean
}

/** The fields of an index or of several behind one name, in the mapping's order. */
export interface Mapping {
	readonly fields: ReadonlyMap<string, Field>
	/** Objects with children: they have no value of their own, and their children's paths begin with theirs. */
	readonly objects: ReadonlySet<string>
	/** The engine's own mapping, by index. */
	readonly definition: JsonObject
}

/** Reads the answer of `GET /<index>/_mapping`. */
export function readMapping(answer: Json): Mapping {
	const definition = isJsonObject(answer) ? answer : {}
	const fields = new Map<string, Field>()
	const objects = new Set<string>()
	for (const index of Object.values(definition)) {
		const mappings = isJsonObject(index) && isJsonObject(index.mappings) ? index.mappings : {}
		for (const field of fieldsOf(mappings, objects)) {
			const known = fields.get(field.path)
			fields.set(field.path, known === undefined ? field : merge(known, field))
		}
	}
	return { fields, objects, definition }
}

function* fieldsOf(mappings: JsonObject, objects: Set<string>): Generator<Field> {
	if (isJsonObject(mappings.properties)) yield* children(mappings.properties, '', [], objects)
	if (isJsonObject(mappings.runtime)) {
		for (const [path, node] of Object.entries(mappings.runtime)) {
			if (isJsonObject(node)) yield { ...leaf(path, textOf(node.type), node, []), isRuntime: true }
		}
	}
}

function* children(
	properties: JsonObject,
	prefix: string,
	nestedIn: readonly string[],
	objects: Set<string>,
): Generator<Field> {
	for (const [name, node] of Object.entries(properties)) {
		if (!isJsonObject(node)) continue
		const path = `${prefix}${name}`
		const type = textOf(node.type) || 'object'
		const hasChildren = isJsonObject(node.properties) && Object.keys(node.properties).length > 0
		// An object without children is opaque (`enabled: false`, or nothing written yet); a nested one is shown whole too.
		if (type !== 'object' || !hasChildren) yield leaf(path, type, node, nestedIn)
		if (isJsonObject(node.properties) && hasChildren) {
			objects.add(path)
			yield* children(node.properties, `${path}.`, type === 'nested' ? [...nestedIn, path] : nestedIn, objects)
		}
	}
}

function leaf(path: string, type: string, node: JsonObject, nestedIn: readonly string[]): Field {
	const subfields = new Map<string, string>()
	for (const [name, subfield] of Object.entries(isJsonObject(node.fields) ? node.fields : {})) {
		if (isJsonObject(subfield)) subfields.set(name, textOf(subfield.type))
	}
	return {
		path,
		type,
		nestedIn,
		subfields,
		...(typeof node.format === 'string' && { format: node.format }),
		...(node.ignore_malformed === true && { ignoresMalformed: true }),
		...(typeof node.path === 'string' && type === 'alias' && { aliasOf: node.path }),
		isRuntime: false,
		hasDocValues: node.doc_values !== false,
		isIndexed: node.index !== false && node.enabled !== false,
	}
}

/** Two indices behind one name: what only one of them can do, the name cannot. */
function merge(a: Field, b: Field): Field {
	return {
		...a,
		type: a.type.split(' | ').includes(b.type) ? a.type : `${a.type} | ${b.type}`,
		subfields: new Map([...a.subfields].filter(([name, type]) => b.subfields.get(name) === type)),
		hasDocValues: a.hasDocValues && b.hasDocValues,
		isIndexed: a.isIndexed && b.isIndexed,
	}
}

function textOf(value: Json | undefined): string {
	return typeof value === 'string' ? value : ''
}
