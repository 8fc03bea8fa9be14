/**
 * HTTP methods that the engine also accepts for an API. The client libraries describe one method for each API, and use
 * POST for reads with a body.
 */
export const otherMethods: Readonly<Record<string, readonly string[]>> = {
	GET: [
		...['msearch', 'msearch_template', 'mget', 'mtermvectors', 'rank_eval', 'field_caps', 'search_template', 'scroll'],
		...['render_search_template', 'explain', 'termvectors', 'terms_enum', 'search_mvt', 'search_shards', 'knn_search'],
		...[
			'scripts_painless_execute',
			'fleet.msearch',
			'fleet.search',
			'graph.explore',
			'eql.search',
			'transform.preview_transform',
		],
		...[
			'indices.validate_query',
			'indices.analyze',
			'indices.refresh',
			'indices.flush',
			'ingest.simulate',
			'simulate.ingest',
		],
		...['security.has_privileges', 'security.suggest_user_profiles', 'security.query_api_keys', 'security.query_user'],
		...[
			'security.has_privileges_user_profile',
			'security.query_role',
			'rollup.rollup_search',
			'search_application.search',
		],
		...['ml.preview_datafeed', 'ml.preview_data_frame_analytics', 'ml.explain_data_frame_analytics'],
	],
	POST: [
		...['create', 'put_script', 'indices.put_mapping', 'indices.put_alias', 'indices.put_template'],
		...[
			'indices.put_index_template',
			'indices.split',
			'indices.clone',
			'indices.shrink',
			'cluster.put_component_template',
		],
		...['snapshot.create', 'snapshot.create_repository', 'license.post', 'search', 'count'],
		...['watcher.put_watch', 'watcher.ack_watch', 'watcher.activate_watch', 'watcher.deactivate_watch'],
		...['security.put_user', 'security.put_role', 'security.put_role_mapping', 'security.put_privileges'],
		...['security.change_password', 'security.create_api_key', 'security.enable_user', 'security.disable_user'],
	],
	PUT: ['bulk', 'monitoring.bulk', 'watcher.execute_watch', 'security.create_api_key'],
}
