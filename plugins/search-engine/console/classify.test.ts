import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fullEngine } from '../test/fixture.ts'
import type { Engine } from '../transport/product.ts'
import { classifyRequest } from './classify.ts'
import { makeRequest } from './request.ts'

const classify = (line: string, body = '', engine: Engine = fullEngine) => {
	const [method = '', path = ''] = line.split(' ')
	return classifyRequest(makeRequest(method, path, body), engine).access
}

const golden = {
	read: [
		'GET /',
		'HEAD /',
		'GET /_cat/indices?format=json',
		'GET /_cat/nodes',
		'GET /_cluster/health',
		'GET /_cluster/health/books',
		'GET /_nodes/stats',
		'GET /_nodes/hot_threads',
		'GET /_tasks',
		'GET /_search',
		'POST /_search',
		'GET /books',
		'HEAD /books',
		'POST /books/_search',
		'POST /books//_search/',
		'POST /books,logs-*/_search',
		'POST /_all/_search',
		'GET /books/_doc/1',
		'HEAD /books/_doc/1',
		'GET /books/_source/1',
		'POST /books/_count',
		'POST /_msearch',
		'POST /books/_msearch/template',
		'POST /_mget',
		'POST /books/_explain/1',
		'POST /books/_validate/query',
		'POST /_analyze',
		'POST /books/_analyze',
		'POST /_field_caps',
		'POST /books/_termvectors/1',
		'POST /_render/template',
		'POST /_search/scroll',
		'POST /books/_pit',
		'POST /books/_async_search',
		'GET /_async_search/x',
		'POST /books/_eql/search',
		'POST /_query',
		'POST /_query/async',
		'GET /_query/async/FmNJRUZ1YWZCU3dHY1BIOUhaenVSRkEaaXFlZ3h4c1RTWFNocDdnY2FSaERnUTozNDE=',
		'POST /books/_terms_enum',
		'POST /books/_search_shards',
		'POST /_rank_eval',
		'GET /books/_mapping',
		'GET /books/_mapping/field/title',
		'GET /_alias',
		'GET /books/_settings',
		'GET /_index_template/x',
		'POST /_index_template/_simulate',
		'GET /_ingest/pipeline/x',
		'POST /_ingest/pipeline/_simulate',
		'POST /_ingest/pipeline/x/_simulate',
		'GET /_snapshot/r/s',
		'GET /_ilm/policy',
		'GET /books/_ilm/explain',
		'GET /_security/_authenticate',
		'POST /_security/user/_has_privileges',
		'GET /_license',
		'GET /_ml/anomaly_detectors',
		'POST /_ml/trained_models/m/_infer',
		'GET /_transform/t/_stats',
		'POST /_transform/_preview',
		'POST /_cluster/allocation/explain',
		'GET /_data_stream',
		'GET /_resolve/index/books',
		'GET /_health_report',
		'GET /_scripts/s',
	],
	write: [
		'PUT /books/_doc/1',
		'POST /books/_doc',
		'POST /books/_update/1',
		'PUT /books/_create/1',
		'POST /_bulk',
		'PUT /books/_bulk',
		'PUT /books',
		'PUT /books/_mapping',
		'POST /books/_mapping',
		'PUT /books/_settings',
		'POST /_aliases',
		'POST /_reindex',
		'POST /books/_update_by_query',
		'POST /books/_refresh',
		'GET /books/_refresh',
		'GET /_flush',
		'POST /books/_forcemerge',
		'POST /books/_open',
		'POST /books/_rollover',
		'PUT /_cluster/settings',
		'POST /_cluster/reroute',
		'PUT /_index_template/t',
		'PUT /_ingest/pipeline/p',
		'PUT /_scripts/s',
		'POST /_scripts/painless/_execute',
		'POST /_tasks/x/_cancel',
		'PUT /_ilm/policy/p',
		'PUT /_snapshot/r/s',
		'POST /_nodes/reload_secure_settings',
		'POST /_ml/anomaly_detectors/j/_open',
		'POST /_transform/t/_stop',
		'DELETE /_pit',
		'POST /_query/async/abc/stop',
		'GET /_connector/_secret/abc',
		'DELETE /_search/scroll',
		'DELETE /_search/scroll/abc',
		'GET /_unknown',
		'POST /books',
		'PUT /books/_doc/_close',
		'GET /books/_cache/clear',
		'GET /books/_doc/1?realtime=false&refresh=true',
		'HEAD /books/_source/1?realtime=false;re%66resh',
		'GET /books/_doc/1?refresh=false&refresh=true&realtime=false',
		'GET /books/_delete_by_query',
	],
	destructive: [
		'DELETE /books',
		'DELETE /books/_doc/1',
		'DELETE /_all',
		'DELETE /*',
		'DELETE /_ingest/pipeline/p',
		'DELETE /_scripts/s',
		'POST /books/_delete_by_query',
		'POST /_all/_delete_by_query',
		'POST /books/_close',
		'POST /_snapshot/r/s/_restore',
		'POST /logs-*/_update_by_query',
		'PUT /_all/_settings',
		'PUT /logs-*/_mapping',
		'POST /_snapshot/r/_cleanup',
		'DELETE /_snapshot/r/s',
		'POST //books//_delete_by_query',
		'POST /books/%5Fdelete_by_query',
		'POST /_migration/system_features/_reset',
		// Paths that the engine reads as a bulk request or a query that deletes.
		'POST /_text_structure/_bulk',
		'POST /books/_explain/_bulk',
		'POST /_security/_query/_bulk',
		'PUT /books/_doc/_bulk',
		'POST /books/_doc/_delete_by_query',
		'POST /books/_doc/_update_by_query',
		'POST /books/_mvt/_bulk',
		'POST /books/_create/_delete_by_query',
		'POST /books/_update/_delete_by_query',
		'POST /_scripts/_bulk',
		'POST /books/_update_by_query?source={}&source_content_type=application/json',
		'POST /books/_search?source={}',
		// A stored result of a search, and the scrolls of all users.
		'DELETE /_async_search/x',
		'DELETE /_eql/search/abc',
		'DELETE /_query/async/abc',
		'DELETE /_search/scroll/_all',
		'DELETE /_search/scroll/a,_all',
		'POST /_transform/t/_start',
		'POST /_ilm/start',
		'POST /books/_ilm/retry',
		'POST /_slm/start',
		'PUT /_watcher/watch/w/_activate',
		'POST /_data_stream/_migrate/books',
		// Endpoints with an unknown effect.
		'POST /_unknown/_search',
		'POST /books/_unknown',
		'PUT /_unknown',
		'POST /_ilm/move/books',
		'POST /_slm/_execute_retention',
		'PUT /_data_stream/d/_lifecycle',
		'PUT /_settings',
		'PUT /_security/user/u',
		'POST /_security/user/u/_password',
		'POST /_security/api_key',
		'PUT /_security/role/r',
		'PUT /_security/user/u/_disable',
		'POST /_license/start_basic',
		'PUT /_nodes/n/shutdown',
		'POST /_dangling/u?accept_data_loss=true',
		'PUT /books/_settings?accept_data_loss=true',
	],
} as const

for (const [access, lines] of Object.entries(golden)) {
	test.each(lines)(`${access}: %s`, line => {
		expect(classify(line)).toBe(access)
	})
}

test('the body of a request that reads or stores a document does not affect its access', () => {
	fc.assert(
		fc.property(
			fc.constantFrom('_search', '_count', '_delete_by_query', '_sql', '_cat', 'script', 'delete', 'remove_index'),
			fc.jsonValue(),
			(word, value) => {
				expect(classify('PUT /books/_doc/1', JSON.stringify({ [word]: value }))).toBe('write')
				expect(classify('PUT /books/_doc/constructor', JSON.stringify({ [word]: value }))).toBe('write')
				expect(classify('POST /books/_search', JSON.stringify({ [word]: value }))).toBe('read')
			},
		),
	)
})

const script = (source: string) => JSON.stringify({ script: { source } })

test.each([
	['POST /_aliases', '{"actions":[{"add":{"index":"a","alias":"b"}}]}'],
	['POST /books/_update/1', '{"doc":{"script":"a play"}}'],
	['POST /books/_update/1', script("ctx._source.count += 1; ctx._source.tag = 'x'; ctx._source.a.b = params.p.q")],
	['POST /books/_update_by_query', script("ctx._source.remove('old'); ctx._source.n++")],
	['POST /_reindex', '{"source":{"index":"a"},"dest":{"index":"b"}}'],
	['POST /_bulk', '{"index":{"_index":"a"}}\n{"delete":1}\n{"update":{"_id":"1"}}\n{"doc":{"script":"x"}}\n'],
	['PUT /_ilm/policy/p', '{"policy":{"phases":{"warm":{}}}}'],
	['PUT /books/_settings', '{"index":{"number_of_replicas":0}}'],
	['POST /_cluster/reroute', '{"commands":[{"move":{}}]}'],
])('write: %s %s', (line, body) => {
	expect(classify(line, body)).toBe('write')
})

test.each([
	['POST /_aliases', '{"actions":[{"remove_index":{"index":"books"}}]}'],
	['POST /_aliases', '{"actions":[{"remove\\u005findex":{"index":"books"}}]}'],
	['POST /_aliases', '{"actions":[{"remove_index":{"index":"books"}}],"actions":[]}'],
	['POST /books/_update_by_query', script("ctx.op = 'delete'")],
	['POST /books/_update_by_query', script("ctx['o' + 'p'] = 'delete'")],
	['POST /books/_update_by_query', script("ctx._source.a = 1; def c = ctx; c.op = 'delete'")],
	['POST /books/_update_by_query', script('/* ctx._source.a = 1 */ ctx.put(params.a, params.b)')],
	['POST /books/_update_by_query', '{"script":"ctx.op = \'delete\'"}'],
	['POST /books/_update_by_query', '{"script":{"id":"stored"}}'],
	['POST /books/_update_by_query', '{"script":{"source":"ctx._source.a = 1","lang":"mustache"}}'],
	['POST /books/_update_by_query', '{"script":{"source":"ctx.op=\'delete\'"},"script":{"source":"ctx._source.a = 1"}}'],
	['POST /books/_update_by_query', `{"script":{"source":"ctx._source.a = 1","inline":"ctx.op='delete'"}}`],
	['POST /books/_update_by_query', '{"script":{"source":"ctx._source.a = 1","stored":"wipe"}}'],
	['DELETE /_search/scroll', '{"scroll_id":["a","_all"]}'],
	['POST /_transform/t/_update', '{"dest":{"index":"books"}}'],
	['PUT /_watcher/watch/w', '{"actions":{"a":{"index":{"index":"books","doc_id":"1"}}}}'],
	['PUT /_transform/t', '{"retention_policy":{"time":{"max_age":"1d"}}}'],
	['PUT /_cluster/settings', '{"persistent":{"data_streams.lifecycle.retention.max":"1d"}}'],
	['PUT /_watcher/watch/w', '{"actions":{"a":{"webhook":{"method":"delete"}}}}'],
	['POST /_reindex', '{"source":{"index":"a"},"dest":{"index":"b"},"script":{"source":"ctx.op = \'delete\'"}}'],
	['POST /books/_update/1', script("ctx.op = 'delete'")],
	['POST /books/_update/1', '{"s\\u0063ript":{"source":"ctx.op = \'delete\'"}}'],
	['POST /_bulk', '{"delete":{"_index":"a","_id":"1"}}\n'],
	['PUT /books/_bulk', '{"index":{}}\n{"a":1}\n{"delete":{"_id":"1"}}\n'],
	['POST /_bulk', '{"index":{},"delete":{}}\n{}\n'],
	['POST /_bulk', '{"update":{"_id":"1"}}\n{"script":{"source":"ctx.op = \'delete\'"}}\n'],
	['PUT /_ilm/policy/p', '{"policy":{"phases":{"delete":{"min_age":"0ms","actions":{"delete":{}}}}}}'],
	['PUT /books/_settings', '{"index.lifecycle.name":"short"}'],
	['POST /_cluster/reroute', '{"commands":[{"allocate_empty_primary":{"accept_data_loss":true}}]}'],
	['PUT /_cluster/settings', '{"persistent":{"action.destructive_requires_name":false}}'],
])('destructive: %s %s', (line, body) => {
	expect(classify(line, body)).toBe('destructive')
})

test('neither the query string nor an index name turns a write into a read', () => {
	expect(classify('POST /books/_delete_by_query?q=_search')).toBe('destructive')
	expect(classify('PUT /x_search/_doc/1?pipeline=_count')).toBe('write')
	expect(classify('POST /books/_update/_search')).toBe('write')
	expect(classify('POST /books/_doc/_search')).toBe('write')
})
