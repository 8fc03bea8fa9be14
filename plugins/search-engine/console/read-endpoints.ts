import type { Version } from '../transport/product.ts'

/**
 * The endpoints of 7.x and 8.x that only read, by method and path. All others count at least as writes. Templates as in
 * endpoint-template.ts.
 */
export const readEndpoints: Readonly<Record<'GET' | 'POST', readonly string[]>> = {
	GET: [
		'',
		...[
			'_cat/**',
			'_cluster/**',
			'_nodes',
			'_nodes/**',
			'_tasks',
			'_tasks/:x',
			'_remote/info',
			'_features',
			'_xpack',
			'_xpack/usage',
		],
		...['_search', '_search/scroll', '_search/scroll/:x', '_search/template', '_search_shards', '_count', '_msearch'],
		...['_msearch/template', '_mget', '_field_caps', '_validate/query', '_analyze', '_rank_eval', '_mtermvectors'],
		...[
			'_resolve/**',
			'_render/template',
			'_render/template/:x',
			'_async_search/**',
			'_eql/search/**',
			'_query/async/:x',
		],
		...[
			'_stats',
			'_stats/**',
			'_segments',
			'_recovery',
			'_shard_stores',
			'_settings',
			'_settings/:x',
			'_mapping',
			'_mapping/**',
		],
		...[
			'_mappings',
			'_alias',
			'_alias/:x',
			'_aliases',
			'_template',
			'_template/:x',
			'_index_template',
			'_index_template/:x',
		],
		...[
			'_component_template',
			'_component_template/:x',
			'_data_stream',
			'_data_stream/**',
			'_health_report',
			'_health_report/:x',
		],
		...[
			'_ingest/pipeline',
			'_ingest/pipeline/:x',
			'_ingest/processor/grok',
			'_ingest/geoip/**',
			'_scripts/:x',
			'_script_context',
		],
		...[
			'_script_language',
			'_snapshot',
			'_snapshot/**',
			'_slm/**',
			'_ilm/**',
			'_license',
			'_license/**',
			'_ssl/certificates',
		],
		...[
			'_security/_authenticate',
			'_security/user',
			'_security/user/:x',
			'_security/user/_privileges',
			'_security/role',
		],
		...[
			'_security/role/:x',
			'_security/role_mapping',
			'_security/role_mapping/:x',
			'_security/privilege',
			'_security/privilege/**',
		],
		...[
			'_security/api_key',
			'_security/_query/**',
			'_security/user/_has_privileges',
			'_security/user/:x/_has_privileges',
		],
		...['_security/service', '_security/service/**', '_security/profile/:x', '_security/settings'],
		...['_ml/**', '_transform', '_transform/**', '_rollup/**', '_watcher/**', '_enrich/**', '_ccr/**', '_migration/**'],
		...[
			'_autoscaling/**',
			'_logstash/pipeline',
			'_logstash/pipeline/:x',
			'_synonyms',
			'_synonyms/**',
			'_query_rules',
			'_query_rules/**',
		],
		...[
			'_application/**',
			'_connector',
			'_connector/_sync_job',
			'_connector/_sync_job/:x',
			'_connector/:name',
			'_inference',
			'_inference/**',
			'_internal/desired_balance',
		],
		...['_cat', '_info/:x', '_capabilities', '_reindex', '_reindex/:x', '_lifecycle/stats', '_streams/status'],
		...['_query/queries', '_query/queries/:x', '_query/view', '_query/view/:x', '_query/dataset', '_query/dataset/:x'],
		...['_query/data_source', '_query/data_source/:x', '_project_routing', '_project_routing/:x', '_security/stats'],
		...['_ingest/ip_location/database', '_ingest/ip_location/database/:x', '_ingest/pipeline/:x/_simulate'],
		...['_ingest/_simulate', '_ingest/:name/_simulate', '_fleet/_fleet_msearch', '_searchable_snapshots/stats'],
		...['_searchable_snapshots/cache/stats', '_searchable_snapshots/:x/cache/stats'],
		...['_text_structure/find_field_structure', '_text_structure/find_message_structure'],
		...['_text_structure/test_grok_pattern', ':index/_searchable_snapshots/stats', ':index/_upgrade'],
		...[':index/_fleet/_fleet_search', ':index/_fleet/_fleet_msearch', ':index/_fleet/global_checkpoints'],
		...['_dangling', '_flush/synced/none', '_graph/explore', '_terms_enum', '_knn_search', '_profiling/status'],
		':index',
		...[':index/_search', ':index/_search/template', ':index/_search_shards', ':index/_count', ':index/_msearch'],
		...[':index/_msearch/template', ':index/_mget', ':index/_field_caps', ':index/_validate/query', ':index/_analyze'],
		...[
			':index/_rank_eval',
			':index/_explain/:x',
			':index/_termvectors',
			':index/_termvectors/:x',
			':index/_mtermvectors',
		],
		...[
			':index/_doc/:x',
			':index/_source/:x',
			':index/_mapping',
			':index/_mapping/**',
			':index/_mappings',
			':index/_settings',
		],
		...[
			':index/_settings/:x',
			':index/_alias',
			':index/_alias/:x',
			':index/_aliases',
			':index/_stats',
			':index/_stats/**',
		],
		...[
			':index/_segments',
			':index/_recovery',
			':index/_shard_stores',
			':index/_ilm/explain',
			':index/_lifecycle/explain',
		],
		...[':index/_eql/search', ':index/_graph/explore', ':index/_terms_enum', ':index/_knn_search', ':index/_mvt/**'],
		...[
			':index/_ccr/info',
			':index/_ccr/stats',
			':index/_rollup/data',
			':index/_rollup_search',
			':index/_migration/deprecations',
		],
		...[':index/_field_usage_stats', ':index/_cat/**', ':index/_percolate', ':index/_percolate/count'],
	],
	POST: [
		...[
			'_search',
			'_search/scroll',
			'_search/template',
			'_search_shards',
			'_count',
			'_msearch',
			'_msearch/template',
			'_mget',
		],
		...[
			'_field_caps',
			'_validate/query',
			'_analyze',
			'_rank_eval',
			'_mtermvectors',
			'_render/template',
			'_render/template/:x',
		],
		...['_async_search', '_query', '_query/async', '_terms_enum', '_graph/explore', '_cluster/allocation/explain'],
		...['_ingest/pipeline/_simulate', '_ingest/pipeline/:x/_simulate', '_ingest/_simulate', '_ingest/:x/_simulate'],
		...[
			'_index_template/_simulate',
			'_index_template/_simulate/:x',
			'_index_template/_simulate_index/:x',
			'_features/_get',
		],
		...[
			'_security/user/_has_privileges',
			'_security/user/:x/_has_privileges',
			'_security/_query/api_key',
			'_security/_query/user',
			'_security/_query/role',
			'_security/profile/_suggest',
		],
		...[
			'_security/profile/_has_privileges',
			'_transform/_preview',
			'_transform/:x/_preview',
			'_text_structure/find_structure',
			'_text_structure/test_grok_pattern',
			'_text_structure/find_field_structure',
			'_text_structure/find_message_structure',
		],
		...['_ml/data_frame/_explain', '_ml/data_frame/analytics/_explain', '_ml/data_frame/analytics/_preview'],
		...['_ml/data_frame/analytics/:x/_explain', '_ml/data_frame/analytics/:x/_preview', '_ml/datafeeds/_preview'],
		...['_ml/datafeeds/:x/_preview', '_ml/anomaly_detectors/_estimate_model_memory', '_ml/anomaly_detectors/_validate'],
		...[
			'_ml/anomaly_detectors/_validate/detector',
			'_ml/anomaly_detectors/:x/results/:x',
			'_ml/anomaly_detectors/:x/results/:x/:x',
			'_ml/calendars',
			'_ml/calendars/:x',
		],
		...[
			'_ml/anomaly_detectors/:x/model_snapshots',
			'_ml/trained_models/:x/_infer',
			'_ml/trained_models/:x/deployment/_infer',
		],
		...[
			'_application/search_application/:x/_search',
			'_application/search_application/:x/_render_query',
			'_snapshot/:x/:x/_status',
		],
		...[':index/_search', ':index/_search_shards', ':index/_count', ':index/_msearch'],
		...[':index/_mget', ':index/_field_caps', ':index/_validate/query', ':index/_analyze'],
		...[':index/_explain/:x', ':index/_termvectors', ':index/_termvectors/:x', ':index/_mtermvectors'],
		...['_fleet/_fleet_msearch', '_watcher/_query/watches', '_query_rules/:x/_test'],
		...['_profiling/flamegraph', '_profiling/stacktraces', '_profiling/topn/functions', '_ml/data_frame/_evaluate'],
	],
}

/** A read endpoint that only some supported engines have. */
export interface LaterReadEndpoint {
	readonly path: string
	readonly since: Version
	/** First version without it. */
	readonly until?: Version
	/** Whether it is part of X-Pack, which the open-source distribution of 7.x lacks. */
	readonly isXpack?: boolean
	/** Whether it takes no body. Without a body, 7.x cannot store a document instead. */
	readonly hasNoBody?: boolean
}

/**
 * POST endpoints of an index that are modules, or were added later. A 7.x engine without such an endpoint reads `POST
 * /books/_rank_eval` as the typed API `POST /<index>/<type>`, and creates the index `books`. A module can be missing
 * from any 7.x, so they are reads from 8.0 on, which has no typed API. Endpoints without an index need no row: an index
 * name cannot begin with `_`, so such an engine rejects them.
 */
export const laterReadEndpoints: readonly LaterReadEndpoint[] = [
	...[':index/_rank_eval', ':index/_search/template', ':index/_msearch/template', ':index/_graph/explore'],
	...[':index/_rollup_search', ':index/_async_search', ':index/_eql/search', ':index/_terms_enum'],
	...[':index/_mvt/:x/:x/:x/:x', ':index/_fleet/_fleet_search', ':index/_fleet/_fleet_msearch'],
]
	.map((path): LaterReadEndpoint => ({ path, since: [8, 0] }))
	.concat(
		{ path: ':index/_knn_search', since: [8, 0], until: [9, 0] },
		{ path: ':index/_pit', since: [7, 10], isXpack: true, hasNoBody: true },
	)
