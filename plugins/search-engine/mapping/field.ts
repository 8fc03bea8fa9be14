import { isJsonObject, type Json, type JsonObject, stringifyJson } from '@roundhouse/kit'
import { isText } from './field-type.ts'

/** A field of a mapping, at its dotted path. */
export interface Field {
	readonly path: string
	/** The engine's type, or two types with `|` if the indices behind one name disagree. */
	readonly type: string
	/** Paths of the enclosing `nested` fields, outermost first. A nested field does not include itself. */
	readonly nestedIn: readonly string[]
	/** Other index forms of its values, by name: `keyword` for `title.keyword`. */
	readonly subfields: ReadonlyMap<string, Field>
	/** For dates: the format in the mapping, if any. */
	readonly format?: string
	/** Length in characters above which texts are stored but not indexed. Filters and sorts ignore them. */
	readonly ignoreAbove?: number
	/** The value that the engine indexes for null, as JSON. */
	readonly nullValue?: string
	/** Whether a malformed value is accepted without being indexed. */
	readonly ignoresMalformed?: boolean
	/** How many numbers a vector of a `dense_vector` has, if the mapping says it. */
	readonly dims?: number
	/** Whether the mapping says that a `dense_vector` is indexed. `undefined`: the default of the version. */
	readonly hasVectorIndex?: boolean
	/** Target path of an `alias` field. */
	readonly aliasOf?: string
	/** Whether it is computed at query time and not in `_source`. */
	readonly isRuntime: boolean
	/** `false` for `doc_values: false`, or for a type without doc values: the engine cannot sort by it. */
	readonly hasDocValues: boolean
	readonly isIndexed: boolean
	/** Whether it is indexed, in doc values, or stored. Otherwise, the engine finds no value of it. */
	readonly isFindable: boolean
	/** Whether some index behind the name lacks the field. */
	readonly isPartial?: boolean
	/** The field in each index, if the indices behind one name disagree. */
	readonly variants?: readonly Variant[]
}

/** A field as some of the indices behind a name define it. */
export interface Variant {
	readonly indices: readonly string[]
	readonly field: Field
}

const unindexedTypes = new Set(['binary'])

/** The nested objects around a field, and the settings of its index. */
interface FieldParents {
	readonly nestedIn: readonly string[]
	readonly settings: { readonly ignoresMalformed: boolean }
}

/** Reads a node of a mapping that has a value. */
export function readField(path: string, node: JsonObject, parents: FieldParents): Field {
	const { nestedIn, settings } = parents
	const type = textOf(node.type) || 'object'
	const subfields = new Map<string, Field>()
	for (const [name, subfield] of Object.entries(isJsonObject(node.fields) ? node.fields : {})) {
		if (isJsonObject(subfield)) subfields.set(name, readField(`${path}.${name}`, subfield, parents))
	}
	const isPlain = !unindexedTypes.has(type)
	const hasDocValues = isPlain ? node.doc_values !== false : node.doc_values === true
	const isIndexed = isPlain && node.index !== false
	const ignoresMalformed = node.ignore_malformed ?? settings.ignoresMalformed
	return {
		path,
		type,
		nestedIn,
		subfields,
		...(typeof node.format === 'string' && { format: node.format }),
		...(typeof node.ignore_above === 'number' && { ignoreAbove: node.ignore_above }),
		...(node.null_value !== undefined && { nullValue: stringifyJson(node.null_value) }),
		...((ignoresMalformed === true || ignoresMalformed === 'true') && { ignoresMalformed: true }),
		// A vector of bits is written as bytes.
		...(typeof node.dims === 'number' && { dims: node.element_type === 'bit' ? node.dims / 8 : node.dims }),
		...(type === 'dense_vector' && typeof node.index === 'boolean' && { hasVectorIndex: node.index }),
		...(typeof node.path === 'string' && type === 'alias' && { aliasOf: node.path }),
		isRuntime: false,
		hasDocValues,
		isIndexed: isIndexed && node.enabled !== false,
		// Analysed text has no doc values, whatever the mapping says.
		isFindable: node.enabled !== false && (isIndexed || (hasDocValues && !isText(type)) || node.store === true),
	}
}

/** Merges the field of several indices behind one name. The result supports only what all of them support. */
export function mergeFields(variants: readonly Variant[]): Field {
	const [first, ...others] = groupAlike(variants)
	if (first === undefined) throw new Error('a field of no index')
	if (others.length === 0) return first.field
	const all = [first, ...others]
	return { ...others.reduce((merged, { field }) => merge(merged, field), first.field), variants: all }
}

/** Groups the indices that define the field in the same way. */
function groupAlike(variants: readonly Variant[]): Variant[] {
	const groups = new Map<string, { indices: string[]; field: Field }>()
	for (const { indices, field } of variants) {
		const key = JSON.stringify(signatureOf(field))
		const group = groups.get(key)
		if (group === undefined) groups.set(key, { indices: [...indices], field })
		else group.indices.push(...indices)
	}
	return [...groups.values()]
}

/**
 * Returns the field with its subfields in a fixed order. An object, because nested JSON texts would double their quotes
 * at each level.
 */
function signatureOf(field: Field): object {
	const subfields = [...field.subfields].toSorted(([a], [b]) => (a < b ? -1 : 1))
	return { ...field, subfields: subfields.map(([, subfield]) => signatureOf(subfield)) }
}

function merge(a: Field, b: Field): Field {
	const subfields = new Map<string, Field>()
	for (const [name, own] of a.subfields) {
		const other = b.subfields.get(name)
		if (other?.type === own.type) subfields.set(name, merge(own, other))
	}
	const ignoreAbove = Math.min(a.ignoreAbove ?? Number.POSITIVE_INFINITY, b.ignoreAbove ?? Number.POSITIVE_INFINITY)
	return {
		...a,
		type: a.type.split(' | ').includes(b.type) ? a.type : `${a.type} | ${b.type}`,
		subfields,
		...(Number.isFinite(ignoreAbove) && { ignoreAbove }),
		ignoresMalformed: a.ignoresMalformed === true && b.ignoresMalformed === true,
		hasDocValues: a.hasDocValues && b.hasDocValues,
		isIndexed: a.isIndexed && b.isIndexed,
		isFindable: a.isFindable && b.isFindable,
	}
}

function textOf(value: Json | undefined): string {
	return typeof value === 'string' ? value : ''
}
