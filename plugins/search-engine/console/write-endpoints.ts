/**
 * The endpoints that write, but delete nothing that another request could not restore. The patterns have the same
 * syntax as in read-endpoints.ts. All other endpoints count as destructive, because an unlisted endpoint might:
 *
 * - start the deletion of an index (`_ilm/move`, `_ilm/start`, `/<index>/_ilm/retry`) or of snapshots (`_slm/start`),
 *   or lock users out (`_security`);
 * - run a stored action that the request does not show: a watch (`_watcher/watch/<id>/_execute`, `_activate`), or a
 *   transform that replaces documents by id and has a retention (`_transform/<id>/_start`);
 * - replace an alias by a data stream (`_data_stream/_migrate`);
 * - accept the loss of data.
 */
const indexEndpoints = [
	'_doc',
	'_doc/:x',
	'_create/:x',
	'_update/:x',
	'_bulk',
	'_update_by_query',
	'_mapping',
	'_mappings',
	'_settings',
	'_alias/:name',
	'_aliases/:name',
	'_refresh',
	'_flush',
	'_forcemerge',
	'_cache/clear',
	'_open',
	'_block/:name',
	'_freeze',
	'_unfreeze',
	'_rollover',
	'_rollover/:name',
	'_clone/:name',
	'_split/:name',
	'_shrink/:name',
]

const clusterEndpoints = [
	...['_bulk', '_reindex', '_aliases', '_refresh', '_flush', '_forcemerge', '_cache/clear', '_monitoring/bulk'],
	...['_index_template/:name', '_component_template/:name', '_template/:name', '_data_stream/:name'],
	...['_data_stream/_promote/:name', '_ingest/pipeline/:name', '_logstash/pipeline/:name'],
	...['_scripts/:name', '_scripts/:name/:name', '_scripts/painless/_execute', '_synonyms/:name', '_query_rules/:name'],
	...[
		'_cluster/settings',
		'_cluster/reroute',
		'_nodes/reload_secure_settings',
		'_tasks/_cancel',
		'_tasks/:name/_cancel',
	],
	...['_ilm/policy/:name', '_ilm/stop', '_slm/stop', '_slm/policy/:name/_execute'],
	...[
		'_snapshot/:name',
		'_snapshot/:name/:name',
		'_snapshot/:name/_verify',
		'_snapshot/:name/:name/_clone/:name',
		'_snapshot/:name/:name/_mount',
	],
	...['_transform/:name', '_transform/:name/_update', '_transform/:name/_stop'],
	...['_enrich/policy/:name', '_enrich/policy/:name/_execute', '_watcher/watch/:name'],
	...['_watcher/watch/:name/_ack', '_watcher/watch/:name/_deactivate'],
	...[
		'_ml/anomaly_detectors/:name',
		'_ml/anomaly_detectors/:name/_open',
		'_ml/datafeeds/:name',
		'_ml/datafeeds/:name/_start',
	],
	...['_ml/datafeeds/:name/_stop', '_ml/data_frame/analytics/:name', '_ml/data_frame/analytics/:name/_start'],
	...['_inference/:name', '_inference/:name/:name', '_query/async/:name/stop'],
]

export const writeEndpoints: readonly string[] = [
	':index',
	...indexEndpoints.map(endpoint => `:index/${endpoint}`),
	...clusterEndpoints,
]
