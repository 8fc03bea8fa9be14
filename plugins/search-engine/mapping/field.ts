import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'

/** One field of a mapping, at its dotted path. */
export interface Field {
	readonly path: string
	/** The engine's word; two words with `|` where indices behind one name disagree. */
	readonly type: string
	/** Paths of the `nested` fields around it, outermost first; a nested field does not count itself. */
	readonly nestedIn: readonly string[]
	/** Other ways in which its values are indexed, by their name: `keyword` for `title.keyword`. */
	readonly subfields: ReadonlyMap<string, Field>
	/** For dates: the mapping's own format, where it gives one. */
	readonly format?: string
	/** Longer texts are stored and not indexed, in characters: no filter on this field and no sort sees them. */
	readonly ignoreAbove?: number
	/** Takes a value that does not fit, and does not index it. */
	readonly ignoresMalformed?: boolean
	/** Real path of an `alias` field. */
	readonly aliasOf?: string
	/** Computed at query time; not in `_source`. */
	readonly isRuntime: boolean
	/** `doc_values: false`, or a type without any: the engine cannot sort on it. */
	readonly hasDocValues: boolean
	readonly isIndexed: boolean
	/** Indexed, in doc values, or stored: else the engine finds no value of it. */
	readonly isFindable: boolean
	/** Some index behind the name has no such field. */
	readonly isPartial?: boolean
	/** How each index has it, where those behind one name disagree. */
	readonly variants?: readonly Variant[]
}

/** A field as some of the indices behind a name have it. */
export interface Variant {
	readonly indices: readonly string[]
	readonly field: Field
}

const unindexedTypes = new Set(['binary'])

/** Reads a node of a mapping that has a value of its own. */
export function readField(
	path: string,
	node: JsonObject,
	nestedIn: readonly string[],
	settings: { readonly ignoresMalformed: boolean },
): Field {
	const type = textOf(node.type) || 'object'
	const subfields = new Map<string, Field>()
	for (const [name, subfield] of Object.entries(isJsonObject(node.fields) ? node.fields : {})) {
		if (isJsonObject(subfield)) subfields.set(name, readField(`${path}.${name}`, subfield, nestedIn, settings))
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
		...((ignoresMalformed === true || ignoresMalformed === 'true') && { ignoresMalformed: true }),
		...(typeof node.path === 'string' && type === 'alias' && { aliasOf: node.path }),
		isRuntime: false,
		hasDocValues,
		isIndexed: isIndexed && node.enabled !== false,
		isFindable: node.enabled !== false && (isIndexed || hasDocValues || node.store === true),
	}
}

/** One field of several indices behind one name: what only one of them can do, the name cannot. */
export function mergeFields(variants: readonly Variant[]): Field {
	const [first, ...others] = groupAlike(variants)
	if (first === undefined) throw new Error('a field of no index')
	if (others.length === 0) return first.field
	const all = [first, ...others]
	return { ...others.reduce((merged, { field }) => merge(merged, field), first.field), variants: all }
}

/** Indices that have the field in one and the same way, together. */
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

/** The field with its subfields in one order. Made a text once: a text within a text doubles what it quotes. */
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
