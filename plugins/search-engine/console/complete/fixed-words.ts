/** Words of the engine that its published clients type as any text. From Elastic's reference. */

const statsMetrics = [
	'completion',
	'docs',
	'fielddata',
	'flush',
	'get',
	'indexing',
	'merge',
	'query_cache',
	'recovery',
	'refresh',
	'request_cache',
	'search',
	'segments',
	'store',
	'translog',
	'warmer',
]
const nodeInfoMetrics = [
	'aggregations',
	'http',
	'indices',
	'ingest',
	'jvm',
	'os',
	'plugins',
	'process',
	'settings',
	'thread_pool',
	'transport',
]
const nodeStatsMetrics = [
	'adaptive_selection',
	'breaker',
	'discovery',
	'fs',
	'http',
	'indexing_pressure',
	'indices',
	'ingest',
	'jvm',
	'os',
	'process',
	'thread_pool',
	'transport',
]
const stateMetrics = ['blocks', 'master_node', 'metadata', 'nodes', 'routing_nodes', 'routing_table', 'version']

/** Metrics that can follow a path. */
export function metricsAfter(segments: readonly string[]): readonly string[] {
	const [first, second] = segments
	if (first === '_cluster') return second === 'state' ? stateMetrics : []
	if (first === '_watcher') return ['current_watches', 'pending_watches', 'queued_watches']
	if (first !== '_nodes') return segments.includes('_stats') ? statsMetrics : []
	if (segments.includes('usage')) return ['aggregations', 'rest_actions']
	const stats = segments.indexOf('stats')
	if (stats < 0) return nodeInfoMetrics
	return segments.length - stats > 1 ? statsMetrics : nodeStatsMetrics
}

const languages = [
	'arabic',
	'armenian',
	'basque',
	'bengali',
	'brazilian',
	'bulgarian',
	'catalan',
	'cjk',
	'czech',
	'danish',
	'dutch',
	'english',
	'estonian',
	'finnish',
	'french',
	'galician',
	'german',
	'greek',
	'hindi',
	'hungarian',
	'indonesian',
	'irish',
	'italian',
	'latvian',
	'lithuanian',
	'norwegian',
	'persian',
	'portuguese',
	'romanian',
	'russian',
	'sorani',
	'spanish',
	'swedish',
	'thai',
	'turkish',
]
const analyzers = ['standard', 'simple', 'whitespace', 'stop', 'keyword', 'pattern', 'fingerprint', ...languages]

/** Values of a key, wherever it is in a body. */
export const valuesOfKey: ReadonlyMap<string, readonly string[]> = new Map([
	...['analyzer', 'search_analyzer', 'search_quote_analyzer', 'quote_analyzer'].map(key => [key, analyzers] as const),
	['normalizer', ['lowercase']],
])

/** Endpoints that people use most, in this order. The others follow by name. */
export const usedFirst: readonly string[] = [
	'_search',
	'_cat',
	'_cluster',
	'_mapping',
	'_settings',
	'_count',
	'_doc',
	'_bulk',
	'_aliases',
	'_nodes',
	'_stats',
	'_update',
	'_reindex',
	'_tasks',
	'_index_template',
	'_analyze',
	'_refresh',
	'indices',
	'shards',
	'nodes',
	'health',
	'aliases',
	'count',
]
