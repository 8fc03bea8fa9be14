import type { HiddenChanges, HiddenPart, JsonObject } from '@roundhouse/kit'
import { isJsonObject, type Json } from '@roundhouse/kit'
import { objectOf, stringsIn } from '../transport/answer.ts'
import { matchesPattern } from '../transport/pattern.ts'
import type { Version } from '../transport/product.ts'

/**
 * What the definition of an index says about its hidden fields. A field is hidden with all that is below its first name, so
 * that no spelling of a path and no list of objects shows a part. What is not known here is refused.
 */

export interface IndexDefinition {
	readonly name: string
	readonly mappings: JsonObject
	/** By their whole names. Absent if the credential may not read them. */
	readonly settings: JsonObject | undefined
	/** How often the mapping and the settings were changed, from 1. Absent if the cluster does not say. */
	readonly changes: { readonly mapping: number; readonly settings: number } | undefined
}

/** Members of a mapping that the rules here know. */
const knownMembers = new Set(
	'properties dynamic dynamic_templates date_detection numeric_detection dynamic_date_formats _meta _source _routing runtime'.split(
		' ',
	),
)

/** Types that a client may set. */
const plainTypes = new Set(
	'text match_only_text keyword wildcard version long integer short byte unsigned_long double float half_float scaled_float boolean date date_nanos ip binary geo_point flattened integer_range long_range float_range double_range date_range ip_range'.split(
		' ',
	),
)
/** Types whose values decide nothing about other fields of a document. */
const steadyTypes = new Set([
	...plainTypes,
	...'object nested alias token_count search_as_you_type constant_keyword geo_shape dense_vector'.split(' '),
])
/** Types whose values stay in their field. */
const knownTypes = new Set([
	...steadyTypes,
	...'join percolator completion rank_feature rank_features sparse_vector point shape histogram aggregate_metric_double annotated_text'.split(
		' ',
	),
])

/** Parameters of a field that a client may set. */
const plainParameters = new Set(
	'type fields copy_to index doc_values store norms analyzer search_analyzer search_quote_analyzer normalizer similarity index_options index_phrases index_prefixes position_increment_gap term_vector fielddata fielddata_frequency_filter eager_global_ordinals split_queries_on_whitespace ignore_above ignore_malformed ignore_z_value coerce null_value format locale scaling_factor depth_limit boost meta'.split(
		' ',
	),
)

/** Returns the first name of a path. */
const rootOf = (path: string): string => path.split('.', 1)[0] ?? ''

interface Node {
	/** First name of its path. */
	readonly root: string
	readonly path: string
	readonly node: JsonObject
	/** Whether it is another form of the values of the field above it. */
	readonly isForm: boolean
}

/** Returns all nodes of a mapping. */
function* nodesOf(properties: Json | undefined, prefix = '', isForm = false): Generator<Node> {
	for (const [name, node] of Object.entries(objectOf(properties))) {
		if (!isJsonObject(node)) continue
		const path = `${prefix}${name}`
		yield { root: rootOf(path), path, node, isForm }
		yield* nodesOf(node.properties, `${path}.`)
		yield* nodesOf(node.fields, `${path}.`, true)
	}
}

const typeOf = ({ type }: JsonObject): string => (typeof type === 'string' ? type : 'object')
const textsIn = (json: Json | undefined): readonly string[] => (typeof json === 'string' ? [json] : stringsIn(json))

/** Returns what is hidden of an index, by the marks of its fields. */
export function partOf(index: IndexDefinition, marked: readonly string[], version: Version): HiddenPart {
	const { mappings, settings } = index
	const nodes = [...nodesOf(mappings.properties)]
	const refused = whyUnknown(index, { nodes, marked })
	if (refused !== undefined) return { columns: [...new Set(marked.map(rootOf))], refused }
	const roots = new Set(nodes.map(({ root }) => root))
	const hidden = new Set(
		marked.flatMap(column =>
			column.includes('*') ? [...roots].filter(root => matchesPattern(root, rootOf(column))) : [rootOf(column)],
		),
	)
	for (const path of Object.keys(objectOf(mappings.runtime))) hidden.add(rootOf(path))
	const computed = nodes.filter(({ node }) => node.script !== undefined)
	for (const { root } of computed) hidden.add(root)
	for (let isNew = true; isNew; ) {
		const before = hidden.size
		for (const { root, node } of nodes) {
			if (hidden.has(root)) for (const target of textsIn(node.copy_to)) hidden.add(rootOf(target))
			if (typeOf(node) === 'alias' && textsIn(node.path).some(path => hidden.has(rootOf(path)))) hidden.add(root)
		}
		isNew = hidden.size > before
	}
	const columns = [...new Set([...hidden, ...marked])]
	const sorted = textsIn(settings?.['index.sort.field']).find(path => hidden.has(rootOf(path)))
	if (sorted !== undefined) return { columns, refused: `The rows of ${index.name} are in the order of a hidden field.` }
	const takesNoChanges =
		computed.length > 0
			? `${index.name} computes fields when a document is written, and that could read hidden fields.`
			: whyUnchanging(index)
	if (takesNoChanges !== undefined) return { columns, takesNoChanges }
	return { columns, changes: changesOf(index, { nodes, hidden }, version) }
}

/** Returns why an index takes no changes while its connection hides columns, as a sentence. */
export function whyUnchanging({ name, settings }: IndexDefinition): string | undefined {
	if (settings === undefined) return `The settings of ${name} cannot be read, and could name a pipeline.`
	const piped = ['index.default_pipeline', 'index.final_pipeline'].find(
		key => settings[key] !== undefined && settings[key] !== '_none',
	)
	return piped && `${name} has a pipeline (${piped}), which could read hidden fields.`
}

/** Returns the columns of an index without marks that can show documents of another one. */
export const lookUpsOf = ({ mappings }: IndexDefinition): readonly string[] =>
	Object.entries(objectOf(mappings.runtime)).flatMap(([path, node]) => (objectOf(node).type === 'lookup' ? [path] : []))

/** Returns why no row of an index can be read without its hidden fields, as a sentence. */
function whyUnknown(
	{ name, mappings, settings }: IndexDefinition,
	{ nodes, marked }: { readonly nodes: readonly Node[]; readonly marked: readonly string[] },
): string | undefined {
	if (settings === undefined)
		return `The settings of ${name} cannot be read, so what shows its hidden fields is not known.`
	const member = Object.keys(mappings).find(key => !knownMembers.has(key))
	if (member !== undefined) return `The mapping of ${name} has ${member}, which could show hidden fields.`
	const mode = settings['index.mode']
	if (mode !== undefined && mode !== 'standard')
		return `${name} has the mode ${String(mode)}, which makes ids and orders of values.`
	if (String(objectOf(mappings._routing).required) === 'true')
		return `The documents of ${name} have a routing, which can be made of hidden fields.`
	const unknown = nodes.find(({ node }) => !knownTypes.has(typeOf(node)))
	if (unknown) return `${unknown.path} in ${name} has the type ${typeOf(unknown.node)}, which could show hidden fields.`
	const takesUnmapped = mappings.dynamic !== undefined && ['false', 'runtime'].includes(String(mappings.dynamic))
	for (const column of marked) {
		const root = rootOf(column)
		if (root.startsWith('_')) return `${column} of ${name} is hidden, and is in what the engine says of each document.`
		if (root.includes('*') && takesUnmapped)
			return `${name} takes fields that are not in its mapping, so what ${column} hides is not known.`
		if (root.includes('*') || takesUnmapped || nodes.some(one => one.root === root)) continue
		return `${name} has no field ${column} any more, which the user hid. The user must hide its new name.`
	}
	return undefined
}

interface Found {
	readonly nodes: readonly Node[]
	readonly hidden: ReadonlySet<string>
}

function changesOf(index: IndexDefinition, { nodes, hidden }: Found, version: Version): HiddenChanges {
	const free = settableIn({ nodes, hidden })
	const reason = whyUnsteady(index, { nodes, version })
	return {
		// A document is deleted by its id, and a new one has none of the hidden fields.
		inserts: true,
		deletes: true,
		insertSets: ['_id', ...free],
		updates: reason === undefined ? free : [],
		...(reason !== undefined && { reason }),
	}
}

/** Returns the fields that a client may set, by their paths. */
function settableIn({ nodes, hidden }: Found): readonly string[] {
	const byRoot = Map.groupBy(nodes, ({ root }) => root)
	return [...byRoot].flatMap(([root, own]) => {
		if (hidden.has(root)) return []
		// Not one that is copied into a hidden field, which may take only one value.
		if (own.some(({ node }) => textsIn(node.copy_to).some(path => hidden.has(rootOf(path))))) return []
		const lists = own.filter(({ node }) => typeOf(node) === 'nested').map(({ path }) => `${path}.`)
		return own.flatMap(({ path, node, isForm }) => {
			const forms = own.filter(one => one.isForm && one.path.startsWith(`${path}.`))
			const isPlain =
				!isForm &&
				plainTypes.has(typeOf(node)) &&
				Object.keys(node).every(key => plainParameters.has(key)) &&
				forms.every(one => steadyTypes.has(typeOf(one.node))) &&
				!lists.some(list => path.startsWith(list))
			return isPlain ? [path] : []
		})
	})
}

/**
 * The engine reads a whole document again when a part of it is changed. Returns why it could refuse a hidden field that it
 * took before, as a sentence.
 */
function whyUnsteady(
	{ name, mappings, settings = {}, changes }: IndexDefinition,
	{ nodes, version }: { readonly nodes: readonly Node[]; readonly version: Version },
): string | undefined {
	const decided = 'so a value of a hidden field could decide whether an update succeeds.'
	if (changes === undefined) return `The cluster does not say whether the mapping of ${name} was changed, ${decided}`
	if (changes.mapping !== 1) return `The mapping of ${name} was changed after it was made, ${decided}`
	if (changes.settings !== 1) return `The settings of ${name} were changed after it was made, ${decided}`
	// A snapshot can be restored with other settings, without another number of them.
	const copied = Object.keys(settings).find(key =>
		/^index\.(resize|shrink|split|history|xpack\.ccr|store\.snapshot)\b/.test(key),
	)
	if (copied !== undefined) return `${name} is a copy of another index, ${decided}`
	const created = Number(settings['index.version.created'])
	if (majorOf(created) !== version[0]) return `${name} was made by another version, ${decided}`
	const source = objectOf(mappings._source)
	const mode = settings['index.mapping.source.mode'] ?? 'stored'
	if (Object.keys(source).length > 0 || mode !== 'stored')
		return `${name} does not keep its documents as they were, ${decided}`
	const unsteady = nodes.find(({ node }) => !steadyTypes.has(typeOf(node)))
	if (unsteady) return `${unsteady.path} has the type ${typeOf(unsteady.node)}, ${decided}`
	return undefined
}

/** OpenSearch adds a bit. */
const openSearchBit = 0x8_00_00_00

const majorOf = (id: number): number => Math.floor((id > openSearchBit ? id - openSearchBit : id) / 1_000_000)
