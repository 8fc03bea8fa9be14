/**
 * The query DSL as a small grammar: what may stand under which key. A node is looked up by walking the keys from the
 * endpoint's own node; arrays on the way change nothing.
 */
export interface ClauseNode {
	/** Keys that may stand here, and the node under each. */
	readonly keys?: Readonly<Record<string, NodeName>>
	/** Keys are the names of fields; under each stands this. */
	readonly fields?: NodeName
	/** Keys are names that the person makes up; under each stands this. */
	readonly names?: NodeName
	/** Words that may stand here as a value. */
	readonly values?: readonly string[]
	/** A value is the name of a field. */
	readonly isField?: boolean
}
export type NodeName = string

const end = 'end'
const keysOf = (names: string, node: NodeName = end) => Object.fromEntries(names.split(' ').map(name => [name, node]))

const bucketOptions = {
	...keysOf('field', 'field'),
	...keysOf('script missing format'),
}
const metric = keysOf(
	'avg min max sum stats extended_stats value_count cardinality percentiles median_absolute_deviation',
	'metric',
)

const nodes: Readonly<Record<NodeName, ClauseNode>> = {
	end: {},
	flag: { values: ['true', 'false'] },
	field: { isField: true },
	order: { values: ['asc', 'desc'] },
	search: {
		keys: {
			query: 'query',
			aggs: 'aggs',
			aggregations: 'aggs',
			sort: 'sort',
			_source: 'source',
			fields: 'field',
			highlight: 'highlight',
			post_filter: 'query',
			collapse: 'metric',
			runtime_mappings: 'runtimes',
			pit: 'pit',
			knn: 'knn',
			...keysOf('from size search_after timeout min_score rescore suggest slice stored_fields docvalue_fields'),
			...keysOf('track_total_hits track_scores seq_no_primary_term version explain profile', 'flag'),
		},
	},
	count: { keys: { query: 'query' } },
	byQuery: { keys: { query: 'query', script: 'script', conflicts: 'conflicts', ...keysOf('max_docs slice') } },
	conflicts: { values: ['abort', 'proceed'] },
	update: {
		keys: { doc: 'document', script: 'script', upsert: 'document', ...keysOf('doc_as_upsert detect_noop', 'flag') },
	},
	document: { fields: 'document' },
	script: { keys: keysOf('source lang params id') },
	pit: { keys: keysOf('id keep_alive') },
	source: { isField: true, values: ['false'], keys: keysOf('includes excludes', 'field') },
	query: {
		keys: {
			bool: 'bool',
			...keysOf('match match_phrase match_phrase_prefix match_bool_prefix', 'matches'),
			...keysOf('term', 'terms of one'),
			...keysOf('prefix wildcard regexp fuzzy', 'patterns'),
			terms: 'any value',
			range: 'ranges',
			exists: 'metric',
			ids: 'ids',
			nested: 'nested',
			query_string: 'text query',
			simple_query_string: 'text query',
			multi_match: 'text query',
			constant_score: 'filtered',
			boosting: 'boosting',
			dis_max: 'several',
			function_score: 'function_score',
			geo_distance: 'geo',
			geo_bounding_box: 'geo',
			...keysOf('match_all match_none script script_score has_child has_parent more_like_this knn percolate'),
		},
	},
	bool: {
		keys: { ...keysOf('must filter should must_not', 'query'), ...keysOf('minimum_should_match boost') },
	},
	matches: { fields: 'match options' },
	'match options': { keys: { operator: 'operator', ...keysOf('query analyzer fuzziness minimum_should_match boost') } },
	operator: { values: ['and', 'or'] },
	'terms of one': { fields: 'term options' },
	'term options': { keys: { case_insensitive: 'flag', ...keysOf('value boost') } },
	patterns: { fields: 'pattern options' },
	'pattern options': { keys: { case_insensitive: 'flag', ...keysOf('value flags fuzziness boost') } },
	'any value': { fields: end },
	ranges: { fields: 'range options' },
	'range options': { keys: keysOf('gte gt lte lt format time_zone relation boost') },
	ids: { keys: keysOf('values') },
	nested: {
		keys: { path: 'field', query: 'query', score_mode: 'score mode', ignore_unmapped: 'flag', inner_hits: end },
	},
	'score mode': { values: ['avg', 'max', 'min', 'none', 'sum'] },
	'text query': {
		keys: {
			...keysOf('default_field fields', 'field'),
			...keysOf('lenient analyze_wildcard', 'flag'),
			...keysOf('default_operator operator', 'operator'),
			...keysOf('query type analyzer fuzziness minimum_should_match'),
		},
	},
	filtered: { keys: { filter: 'query', boost: end } },
	boosting: { keys: { positive: 'query', negative: 'query', negative_boost: end } },
	several: { keys: { queries: 'query', tie_breaker: end } },
	function_score: {
		keys: { query: 'query', functions: 'filtered', ...keysOf('boost boost_mode score_mode max_boost') },
	},
	geo: { fields: end, keys: keysOf('distance distance_type validation_method') },
	knn: { keys: { field: 'field', filter: 'query', ...keysOf('query_vector k num_candidates') } },
	sort: { isField: true, values: ['_score', '_doc', '_shard_doc'], fields: 'sort options' },
	'sort options': {
		values: ['asc', 'desc'],
		keys: { order: 'order', nested: 'nested', ...keysOf('missing mode unmapped_type format') },
	},
	highlight: { keys: { fields: 'any value', ...keysOf('pre_tags post_tags fragment_size number_of_fragments order') } },
	runtimes: { names: 'runtime' },
	runtime: { keys: { type: 'runtime type', script: 'script' } },
	'runtime type': { values: ['keyword', 'long', 'double', 'date', 'boolean', 'ip', 'geo_point'] },
	aggs: { names: 'agg' },
	agg: {
		keys: {
			aggs: 'aggs',
			...metric,
			terms: 'terms agg',
			histogram: 'histogram',
			date_histogram: 'date_histogram',
			filter: 'query',
			nested: 'nested',
			...keysOf('range date_range significant_terms rare_terms missing geohash_grid', 'bucket'),
			...keysOf('filters composite top_hits reverse_nested bucket_sort bucket_selector global'),
		},
	},
	metric: { keys: bucketOptions },
	bucket: { keys: { ...bucketOptions, ...keysOf('ranges keyed size') } },
	'terms agg': { keys: { ...bucketOptions, order: 'bucket order', ...keysOf('size min_doc_count include exclude') } },
	'bucket order': { keys: keysOf('_count _key', 'order') },
	histogram: { keys: { ...bucketOptions, ...keysOf('interval min_doc_count extended_bounds') } },
	date_histogram: {
		keys: {
			...bucketOptions,
			calendar_interval: 'calendar',
			...keysOf('fixed_interval time_zone min_doc_count offset extended_bounds'),
		},
	},
	calendar: { values: ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] },
	index: { keys: { mappings: 'mappings', ...keysOf('settings aliases') } },
	mappings: { keys: { properties: 'properties', ...keysOf('dynamic runtime _source _routing date_detection') } },
	properties: { names: 'property' },
	property: {
		keys: {
			type: 'type',
			...keysOf('properties fields', 'properties'),
			...keysOf('index doc_values enabled', 'flag'),
			...keysOf('format analyzer ignore_above null_value copy_to path'),
		},
	},
	type: {
		values:
			'text keyword long integer short byte double float half_float scaled_float unsigned_long boolean date date_nanos ip geo_point geo_shape object nested flattened alias binary join completion dense_vector integer_range date_range version wildcard'.split(
				' ',
			),
	},
	reindex: {
		keys: { source: 'reindex side', dest: 'reindex side', script: 'script', ...keysOf('conflicts max_docs') },
	},
	'reindex side': { keys: { query: 'query', ...keysOf('index size remote op_type pipeline') } },
	aliases: { keys: { actions: 'alias action' } },
	'alias action': { keys: keysOf('add remove remove_index', 'alias') },
	alias: { keys: { filter: 'query', is_write_index: 'flag', ...keysOf('index alias routing') } },
	analyze: { keys: { field: 'field', ...keysOf('text analyzer tokenizer filter char_filter explain') } },
}

/** The node of a whole body, by the last word of its endpoint. */
const roots: Readonly<Record<string, NodeName>> = {
	_search: 'search',
	_async_search: 'search',
	_msearch: 'search',
	_count: 'count',
	_validate: 'count',
	_explain: 'count',
	_delete_by_query: 'byQuery',
	_update_by_query: 'byQuery',
	_update: 'update',
	_doc: 'document',
	_create: 'document',
	_mapping: 'mappings',
	_reindex: 'reindex',
	_aliases: 'aliases',
	_analyze: 'analyze',
}

/** The node at a place of a body; `undefined` where the grammar knows nothing. */
export function nodeAt(segments: readonly string[], keys: readonly string[]): ClauseNode | undefined {
	const word = segments.findLast(segment => Object.hasOwn(roots, segment))
	const isIndex = segments.length === 1 && !segments[0]?.startsWith('_')
	let node = nodes[(word === undefined ? undefined : roots[word]) ?? (isIndex ? 'index' : end)]
	for (const key of keys) {
		const name = own(node?.keys, key) ?? node?.fields ?? node?.names
		if (name === undefined) return undefined
		node = nodes[name]
	}
	return node
}

function own(keys: ClauseNode['keys'], key: string): NodeName | undefined {
	return keys !== undefined && Object.hasOwn(keys, key) ? keys[key] : undefined
}
