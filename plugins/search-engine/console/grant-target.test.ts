import { expect, test } from 'vitest'
import { grantOf } from './grant-target.ts'
import { makeRequest } from './request.ts'

const grant = (line: string, body = '') => {
	const [method = '', path = ''] = line.split(' ')
	return grantOf(makeRequest(method, path, body))
}

test('a temporary consent covers one endpoint of one index, with the number of documents', () => {
	expect(grant('PUT /books/_doc/1', '{}')).toEqual({ target: 'PUT /books/_doc', rows: 1 })
	expect(grant('POST /books/_update/1', '{"doc":{}}')).toEqual({ target: 'POST /books/_update', rows: 1 })
	const lines = '{"index":{}}\n{"_index":"x","pipeline":"y"}\n{"update":{"_id":"1","_index":"books"}}\n{"doc":{}}\n'
	expect(grant('POST /books/_bulk', lines)).toEqual({ target: 'POST /books/_bulk', rows: 2 })
})

test.each([
	['POST /books/_update_by_query', '{"query":{"match_none":{}}}'],
	['POST /books/_update/1', '{"script":{"source":"ctx._source.a = 1"}}'],
	['POST /books/_update/1', '{"s\\u0063ript":"ctx._source.a = 1"}'],
	['POST /_reindex', '{"source":{"index":"a"},"dest":{"index":"b"}}'],
	['PUT /books/_doc/1?pipeline=elsewhere', '{}'],
	['PUT /books/_doc/1?refresh;pip%65line=elsewhere', '{}'],
	['POST /books/_bulk?pipeline=elsewhere', '{"index":{}}\n{}'],
	['POST /books/_bulk', '{"index":{"pipeline":"elsewhere"}}\n{}'],
	['POST /books/_bulk', '{"index":{"pip\\u0065line":"elsewhere"}}\n{}'],
	['POST /books/_bulk', '{"index":{"_index":"other"}}\n{}'],
	['POST /books/_bulk', '{"index":{"_index":"other","_index":"books"}}\n{}'],
	['POST /books/_bulk', '{"index":{}}\n{}\n{"update":{"_id":"1"}}\n{"script":"ctx._source.a = 1"}'],
	['POST /books/_bulk', '{"index":{},"create":{}}\n{}'],
	['POST /_bulk', '{"index":{"_index":"books"}}\n{}'],
	['POST /boo*/_doc', '{}'],
	['POST /books,places/_doc', '{}'],
	['PUT /%3Cbooks-%7Bnow%2Fd%7D%3E/_doc/1', '{}'],
	['POST /books/_doc/_mapping?include_type_name=true', '{"properties":{}}'],
	['POST /books/_doc?id=1&op_type=index', '{}'],
	['PUT /books/_settings', '{}'],
	['PUT /books', '{}'],
])('%s %s requires consent each time', (line, body) => {
	expect(grant(line, body)).toBeUndefined()
})
