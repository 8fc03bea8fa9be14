/** Query parameters by the word of the endpoint that takes them, and the values of those that have few. */
const byEndpoint: Readonly<Record<string, string>> = {
	_search:
		'q size from sort _source _source_includes _source_excludes track_total_hits routing preference scroll timeout ignore_unavailable allow_no_indices expand_wildcards request_cache search_type',
	_count: 'q routing preference ignore_unavailable allow_no_indices expand_wildcards min_score',
	_cat: 'format v h s bytes time health help pri expand_wildcards',
	_doc: 'routing refresh if_seq_no if_primary_term op_type version version_type pipeline timeout _source',
	_create: 'routing refresh pipeline timeout',
	_update: 'routing refresh if_seq_no if_primary_term retry_on_conflict _source timeout',
	_bulk: 'refresh routing pipeline timeout require_alias',
	_update_by_query: 'conflicts refresh wait_for_completion slices scroll_size max_docs requests_per_second routing q',
	_delete_by_query: 'conflicts refresh wait_for_completion slices scroll_size max_docs requests_per_second routing q',
	_reindex: 'refresh wait_for_completion slices max_docs requests_per_second',
	_mapping: 'ignore_unavailable allow_no_indices expand_wildcards write_index_only',
	_settings: 'flat_settings include_defaults ignore_unavailable expand_wildcards preserve_existing',
	_pit: 'keep_alive routing preference',
	_cluster: 'level wait_for_status timeout flat_settings include_defaults',
	_tasks: 'detailed actions group_by wait_for_completion',
	_nodes: 'human timeout',
}
const everywhere = 'pretty human error_trace filter_path'

const yesNo = ['true', 'false']
const values: Readonly<Record<string, readonly string[]>> = {
	format: ['json', 'yaml', 'text', 'cbor', 'smile'],
	refresh: [...yesNo, 'wait_for'],
	op_type: ['index', 'create'],
	conflicts: ['abort', 'proceed'],
	bytes: ['b', 'kb', 'mb', 'gb', 'tb'],
	health: ['green', 'yellow', 'red'],
	wait_for_status: ['green', 'yellow', 'red'],
	level: ['cluster', 'indices', 'shards'],
	expand_wildcards: ['all', 'open', 'closed', 'hidden', 'none'],
	search_type: ['query_then_fetch', 'dfs_query_then_fetch'],
	version_type: ['external', 'external_gte', 'internal'],
	group_by: ['nodes', 'parents', 'none'],
}
const flags = new Set(
	'v help pri pretty human error_trace wait_for_completion ignore_unavailable allow_no_indices track_total_hits request_cache flat_settings include_defaults detailed require_alias write_index_only preserve_existing'.split(
		' ',
	),
)

export function parameterNames(segments: readonly string[]): string[] {
	const own = segments.flatMap(segment => (Object.hasOwn(byEndpoint, segment) ? [byEndpoint[segment] ?? ''] : []))
	return [...new Set([...own, everywhere].flatMap(names => names.split(' ')))]
}

export function parameterValues(name: string): readonly string[] {
	if (flags.has(name)) return yesNo
	return Object.hasOwn(values, name) ? (values[name] ?? []) : []
}
