import { expect, test } from 'vitest'
import { fullEngine } from '../test/fixture.ts'
import { classifyRequest } from './classify.ts'
import { destructionReason } from './destruction-reason.ts'
import { readRequest } from './request.ts'

const classified = (text: string) => classifyRequest(readRequest(text), fullEngine)
const byScript = 'A script that does more than set fields of a document can also delete it.'
const script = '{"script":{"source":"ctx.op = \'delete\'"}}'

test.each([
	[`POST /books/_update_by_query\n${script}`, byScript],
	[`POST /books/_update/1\n${script}`, byScript],
	[`POST /books/_bulk\n{"update":{"_id":"1"}}\n${script}`, byScript],
	[`POST /_reindex\n{"source":{"index":"a"},"dest":{"index":"b"},${script.slice(1)}`, byScript],
	['PUT /books/_settings\n{"index.lifecycle.name":"short"}', 'A policy or a retention deletes the index at its time.'],
	['POST /b*/_update_by_query', 'It may change or delete more than its text shows.'],
	['POST /books/_bulk\n{"index":{},"delete":{}}\n{}', 'It may change or delete more than its text shows.'],
])('%s may destroy data: %s', (text, reason) => {
	const request = classified(text)
	expect([request.access, destructionReason(request)]).toEqual(['destructive', reason])
})

test.each([
	'DELETE /books',
	'POST /books/_delete_by_query\n{"query":{"match_all":{}}}',
	`POST /books/_bulk\n{"delete":{"_id":"2"}}\n{"update":{"_id":"1"}}\n${script}`,
	'POST /_aliases\n{"actions":[{"remove_index":{"index":"books"}}]}',
])('%s says that it deletes', text => {
	const request = classified(text)
	expect([request.access, destructionReason(request)]).toEqual(['destructive', undefined])
})

test('a write has no reason', () => {
	expect(destructionReason(classified('PUT /books/_doc/1\n{}'))).toBeUndefined()
})
