import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accessOf } from './classify.ts'
import { makeRequest } from './request.ts'

const classify = (line: string, body = '') => {
	const [method = '', path = ''] = line.split(' ')
	return accessOf(makeRequest(method, path, body))
}

const golden = {
	read: [
		...[
			'GET /',
			'HEAD /',
			'GET /_cat/indices?format=json',
			'GET /_cat/nodes',
			'GET /_cluster/health',
			'GET /_cluster/health/books',
		],
		...[
			'GET /_nodes/stats',
			'GET /_nodes/hot_threads',
			'GET /_tasks',
			'GET /_search',
			'POST /_search',
			'GET /books',
			'HEAD /books',
		],
		...[
			'POST /books/_search',
			'POST /books//_search/',
			'POST /books,logs-*/_search',
			'POST /_all/_search',
			'GET /books/_doc/1',
		],
		...[
			'HEAD /books/_doc/1',
			'GET /books/_source/1',
			'POST /books/_count',
			'POST /_msearch',
			'POST /books/_msearch/template',
		],
		...[
			'POST /_mget',
			'POST /books/_explain/1',
			'POST /books/_validate/query',
			'POST /_analyze',
			'POST /books/_analyze',
		],
		...[
			'POST /_field_caps',
			'POST /books/_termvectors/1',
			'POST /_render/template',
			'POST /_search/scroll',
			'POST /books/_pit',
		],
		...[
			'POST /books/_async_search',
			'GET /_async_search/x',
			'POST /books/_eql/search',
			'POST /_query',
			'POST /books/_terms_enum',
		],
		...[
			'POST /books/_search_shards',
			'POST /_rank_eval',
			'GET /books/_mapping',
			'GET /books/_mapping/field/title',
			'GET /_alias',
		],
		...['GET /books/_settings', 'GET /_index_template/x', 'POST /_index_template/_simulate', 'GET /_ingest/pipeline/x'],
		...[
			'POST /_ingest/pipeline/_simulate',
			'POST /_ingest/pipeline/x/_simulate',
			'GET /_snapshot/r/s',
			'GET /_ilm/policy',
		],
		...[
			'GET /books/_ilm/explain',
			'GET /_security/_authenticate',
			'POST /_security/user/_has_privileges',
			'GET /_license',
		],
		...[
			'GET /_ml/anomaly_detectors',
			'POST /_ml/trained_models/m/_infer',
			'GET /_transform/t/_stats',
			'POST /_transform/_preview',
		],
		...[
			'POST /_cluster/allocation/explain',
			'GET /_data_stream',
			'GET /_resolve/index/books',
			'GET /_health_report',
			'GET /_scripts/s',
		],
	],
	write: [
		...[
			'PUT /books/_doc/1',
			'POST /books/_doc',
			'POST /books/_update/1',
			'PUT /books/_create/1',
			'POST /_bulk',
			'PUT /books/_bulk',
		],
		...[
			'PUT /books',
			'PUT /books/_mapping',
			'POST /books/_mapping',
			'PUT /books/_settings',
			'POST /_aliases',
			'POST /_reindex',
		],
		...[
			'POST /books/_update_by_query',
			'POST /books/_refresh',
			'GET /books/_refresh',
			'GET /_flush',
			'POST /books/_forcemerge',
		],
		...[
			'POST /books/_open',
			'POST /books/_rollover',
			'PUT /_cluster/settings',
			'POST /_cluster/reroute',
			'PUT /_index_template/t',
		],
		...[
			'PUT /_ingest/pipeline/p',
			'PUT /_scripts/s',
			'POST /_scripts/painless/_execute',
			'POST /_tasks/x/_cancel',
			'PUT /_ilm/policy/p',
		],
		...[
			'PUT /_snapshot/r/s',
			'PUT /_security/user/u',
			'POST /_security/api_key',
			'POST /_nodes/reload_secure_settings',
		],
		...[
			'POST /_ml/anomaly_detectors/j/_open',
			'POST /_transform/t/_start',
			'DELETE /_pit',
			'DELETE /_search/scroll',
			'DELETE /_async_search/x',
		],
		...[
			'GET /_unknown',
			'POST /_unknown/_search',
			'POST /books/_unknown',
			'POST /books',
			'PUT /books/_doc/_close',
			'GET /books/_cache/clear',
		],
		...['POST /books/_update/_delete_by_query', 'GET /books/_delete_by_query'],
	],
	destructive: [
		...[
			'DELETE /books',
			'DELETE /books/_doc/1',
			'DELETE /_all',
			'DELETE /*',
			'DELETE /_ingest/pipeline/p',
			'DELETE /_scripts/s',
		],
		...[
			'POST /books/_delete_by_query',
			'POST /_all/_delete_by_query',
			'POST /books/_close',
			'POST /_snapshot/r/s/_restore',
		],
		...[
			'POST /logs-*/_update_by_query',
			'PUT /_all/_settings',
			'PUT /logs-*/_mapping',
			'POST /_snapshot/r/_cleanup',
			'DELETE /_snapshot/r/s',
		],
		...['POST //books//_delete_by_query', 'POST /books/%5Fdelete_by_query', 'POST /_migration/system_features/_reset'],
	],
} as const

for (const [access, lines] of Object.entries(golden)) {
	test.each(lines)(`${access}: %s`, line => {
		expect(classify(line)).toBe(access)
	})
}

test('the body says nothing about the access', () => {
	fc.assert(
		fc.property(
			fc.constantFrom('_search', '_count', '_delete_by_query', '_sql', '_cat'),
			fc.jsonValue(),
			(word, value) => {
				expect(classify('PUT /books/_doc/1', JSON.stringify({ [word]: value }))).toBe('write')
				expect(classify('POST /books/_search', JSON.stringify({ [word]: value }))).toBe('read')
			},
		),
	)
})

test('neither the query string nor an index name makes a write a read', () => {
	expect(classify('POST /books/_delete_by_query?q=_search')).toBe('destructive')
	expect(classify('PUT /x_search/_doc/1?pipeline=_count')).toBe('write')
	expect(classify('POST /books/_update/_search')).toBe('write')
	expect(classify('POST /books/_doc/_search')).toBe('write')
})
