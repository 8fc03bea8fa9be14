import { isExactNumber, isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { failure } from '../values/failure.ts'
import type { SampleField } from '../values/field.ts'
import { comparable } from '../values/field-value.ts'

/** The mapping of one index, flattened for look-ups. Rebuilt when a document adds a field. */
export class SampleMapping {
	definition: JsonObject
	/** Grows with each change. */
	version = 1
	fields: ReadonlyMap<string, SampleField> = new Map()
	nestedPaths: ReadonlySet<string> = new Set()

	constructor(definition: JsonObject) {
		this.definition = definition
		this.#flatten()
	}

	get keepsSource(): boolean {
		return !isJsonObject(this.definition._source) || this.definition._source.enabled !== false
	}

	/** Returns a field by its path, or a key of a `flattened` field. */
	field(path: string): SampleField | undefined {
		const known = this.fields.get(path)
		if (known !== undefined) return known
		for (let end = path.lastIndexOf('.'); end > 0; end = path.lastIndexOf('.', end - 1)) {
			const parent = this.fields.get(path.slice(0, end))
			if (parent?.type === 'flattened') return { ...parent, path, key: path.slice(end + 1) }
		}
		return undefined
	}

	/** Returns the nested object of a path: `reviews` for `reviews.stars`. */
	scopeOf(path: string): string {
		let scope = ''
		for (const nested of this.nestedPaths)
			if (path.startsWith(`${nested}.`) && nested.length > scope.length) scope = nested
		return scope
	}

	/**
	 * Validates a document against the mapping and adds its new fields.
	 * @param ignoresMalformed default for fields without this setting
	 * @throws Failure if a value does not match
	 */
	accept(document: JsonObject, id: string, ignoresMalformed: boolean) {
		for (const field of this.fields.values()) {
			if (field.source !== field.path || field.isRuntime || (field.ignoresMalformed ?? ignoresMalformed)) continue
			for (const value of valuesAt(document, field.path)) checkValue(value, field, id)
		}
		const properties = learn(propertiesOf(this.definition), document, this.definition.dynamic)
		if (properties === undefined) return
		this.definition = { ...this.definition, properties }
		this.version++
		this.#flatten()
	}

	addProperties(properties: JsonObject) {
		this.definition = { ...this.definition, properties: { ...propertiesOf(this.definition), ...properties } }
		this.version++
		this.#flatten()
	}

	#flatten() {
		const fields = new Map<string, SampleField>()
		const nestedPaths = new Set<string>()
		const visit = (properties: JsonObject, prefix: string, scope: string) => {
			for (const [name, node] of Object.entries(properties)) {
				if (!isJsonObject(node)) continue
				const path = `${prefix}${name}`
				const type = String(node.type ?? 'object')
				if (type === 'nested') nestedPaths.add(path)
				if (type !== 'object' && type !== 'nested') addField(fields, { path, node, scope })
				if (isJsonObject(node.properties)) visit(node.properties, `${path}.`, type === 'nested' ? path : scope)
			}
		}
		visit(propertiesOf(this.definition), '', '')
		const runtime = isJsonObject(this.definition.runtime) ? this.definition.runtime : {}
		for (const [path, node] of Object.entries(runtime)) {
			if (isJsonObject(node)) fields.set(path, { ...fieldOf(path, node, ''), isRuntime: true })
		}
		this.fields = new Map([...fields].map(([path, field]) => [path, followAlias(field, fields)]))
		this.nestedPaths = nestedPaths
	}
}

function propertiesOf(definition: JsonObject): JsonObject {
	return isJsonObject(definition.properties) ? definition.properties : {}
}

function addField(
	fields: Map<string, SampleField>,
	{ path, node, scope }: { readonly path: string; readonly node: JsonObject; readonly scope: string },
) {
	fields.set(path, fieldOf(path, node, scope))
	if (!isJsonObject(node.fields)) return
	for (const [name, subfield] of Object.entries(node.fields)) {
		if (isJsonObject(subfield))
			fields.set(`${path}.${name}`, { ...fieldOf(`${path}.${name}`, subfield, scope), source: path })
	}
}

function fieldOf(path: string, node: JsonObject, scope: string): SampleField {
	return {
		path,
		type: String(node.type ?? 'object'),
		...(typeof node.format === 'string' && { format: node.format }),
		scope,
		source: typeof node.path === 'string' && node.type === 'alias' ? node.path : path,
		ignoreAbove: Number(node.ignore_above ?? Number.POSITIVE_INFINITY),
		isRuntime: false,
		...(node.ignore_malformed !== undefined && { ignoresMalformed: String(node.ignore_malformed) === 'true' }),
		isFindable: isFindable(node),
	}
}

function isFindable({ type, index, doc_values: docValues, store }: JsonObject): boolean {
	const isPlain = type !== 'binary'
	return (isPlain && index !== false) || (isPlain ? docValues !== false : docValues === true) || store === true
}

function followAlias(field: SampleField, fields: ReadonlyMap<string, SampleField>): SampleField {
	return field.type === 'alias' ? (fields.get(field.source) ?? field) : field
}

/** Returns all plain values at a dotted path, through arrays and keys with dots. */
export function valuesAt(value: Json | undefined, path: string): Json[] {
	return [...visit(value, path === '' ? [] : path.split('.'))]
}

function* visit(value: Json | undefined, keys: readonly string[]): Generator<Json> {
	if (value === undefined || value === null) return
	if (Array.isArray(value)) {
		for (const element of value) yield* visit(element, keys)
	} else if (keys.length === 0) {
		yield value
	} else if (isJsonObject(value)) {
		for (let length = 1; length <= keys.length; length++) {
			const key = keys.slice(0, length).join('.')
			if (Object.hasOwn(value, key)) yield* visit(value[key], keys.slice(length))
		}
	}
}

function checkValue(value: Json, field: SampleField, id: string) {
	const isPlain = !isJsonObject(value)
	const takesObjects = ['geo_point', 'geo_shape', 'flattened', 'join', 'binary', 'completion'].includes(field.type)
	if (takesObjects || field.type.endsWith('_range') || field.type.endsWith('vector')) return
	if (isPlain && comparable(value, field) !== undefined) return
	const preview = isPlain ? String(isExactNumber(value) ? value.rawJSON : value) : JSON.stringify(value)
	throw failure(400, {
		type: 'document_parsing_exception',
		reason: `[1:1] failed to parse field [${field.path}] of type [${field.type}] in document with id '${id}'. Preview of field's value: '${preview}'`,
	})
}

/** Returns the properties with the document's new fields, or `undefined` if there are none. */
function learn(properties: JsonObject, document: JsonObject, dynamic: Json | undefined): JsonObject | undefined {
	if (dynamic === false || dynamic === 'false') return undefined
	let result: JsonObject | undefined
	for (const [key, value] of Object.entries(document)) {
		const known = Object.hasOwn(properties, key) ? properties[key] : undefined
		const objects = (Array.isArray(value) ? value : [value]).filter(isJsonObject)
		if (known === undefined && !key.includes('.')) {
			const node = guess(value)
			if (node !== undefined) result = { ...(result ?? properties), [key]: node }
		} else if (isJsonObject(known) && (isJsonObject(known.properties) || known.type === undefined)) {
			for (const object of objects) {
				const before = propertiesOf(((result ?? properties)[key] as JsonObject) ?? {})
				const inner = learn(before, object, known.dynamic)
				if (inner !== undefined) result = { ...(result ?? properties), [key]: { ...known, properties: inner } }
			}
		}
	}
	return result
}

/** Dynamic mapping: returns the engine's mapping of a new value. */
function guess(value: Json): JsonObject | undefined {
	if (Array.isArray(value)) return guess(value.find(element => element !== null) ?? null)
	if (value === null) return undefined
	if (typeof value === 'boolean') return { type: 'boolean' }
	if (isExactNumber(value)) return { type: /[.eE]/.test(value.rawJSON) ? 'float' : 'long' }
	if (typeof value === 'number') return { type: Number.isInteger(value) ? 'long' : 'float' }
	if (isJsonObject(value)) return { properties: learn({}, value, undefined) ?? {} }
	if (/^\d{4}-\d{2}-\d{2}(T|$)/.test(String(value))) return { type: 'date' }
	return { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } }
}
