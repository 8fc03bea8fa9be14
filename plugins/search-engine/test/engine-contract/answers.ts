import { isJsonObject, type Json, parseJson } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { type EngineUnderTest, filter } from './subject.ts'

/** Tests the parts of responses that the driver reads. The sample must return the same values as a real engine. */
export function describeAnswers(engine: EngineUnderTest) {
	test('errors have the types and reasons that the driver reads', async () => {
		expect(await engine.errorOf('GET', '/rh-nowhere/_search')).toMatchObject({
			status: 404,
			type: 'index_not_found_exception',
			reason: 'no such index [rh-nowhere]',
		})
		expect(await engine.errorOf('POST', `/${engine.largeTable}/_search`, { from: 9_999, size: 2 })).toMatchObject({
			status: 400,
			type: 'illegal_argument_exception',
			reason: expect.stringMatching(
				/^Result window is too large, from \+ size must be less than or equal to: \[10000\] but was \[10001\]/,
			),
		})
		expect(await engine.errorOf('POST', '/_search', { pit: { id: 'nonsense' } })).toMatchObject({ status: 400 })
		expect(await engine.errorOf('POST', `/${engine.table}/_search`, { query: { foo: {} } })).toMatchObject({
			status: 400,
			type: 'parsing_exception',
			reason: expect.stringContaining('unknown query [foo]'),
		})
		expect(await engine.errorOf('POST', `/${engine.table}/_search`, { sort: ['note'] })).toMatchObject({
			status: 400,
			type: 'illegal_argument_exception',
			reason: expect.stringContaining('Text fields are not optimised'),
		})
		expect(await engine.errorOf('POST', `/${engine.table}/_search`, { sort: ['nope'] })).toMatchObject({
			status: 400,
			type: 'query_shard_exception',
			reason: 'No mapping found for [nope] in order to sort on',
		})
		expect(await engine.errorOf('POST', `/${engine.table}/_search`, { query: { term: { n: 'abc' } } })).toMatchObject({
			status: 400,
			type: 'query_shard_exception',
			reason: expect.stringContaining('For input string: "abc"'),
		})
		expect(
			await engine.errorOf('POST', `/${engine.table}/_search`, { query: { wildcard: { n: '1*' } } }),
		).toMatchObject({
			status: 400,
			type: 'query_shard_exception',
			reason: expect.stringContaining('Can only use wildcard queries on keyword, text and wildcard fields'),
		})
		expect(
			await engine.errorOf('POST', `/${engine.table}/_search`, { query: { query_string: { query: '(open' } } }),
		).toMatchObject({ status: 400, type: 'query_shard_exception', reason: 'Failed to parse query [(open]' })
		expect(await engine.errorOf('POST', `/${engine.table}/_update/missing`, { doc: { n: 1 } })).toMatchObject({
			status: 404,
			type: 'document_missing_exception',
		})
		expect(await engine.errorOf('PUT', `/${engine.table}/_doc/a?op_type=create`, {})).toMatchObject({
			status: 409,
			type: 'version_conflict_engine_exception',
		})
		expect(await engine.errorOf('PUT', `/${engine.table}/_doc/a?if_seq_no=999&if_primary_term=1`, {})).toMatchObject({
			status: 409,
			reason: expect.stringContaining(
				'version conflict, required seqNo [999], primary term [1]. current document has seqNo',
			),
		})
		expect(await engine.errorOf('PUT', `/${engine.table}`, {})).toMatchObject({
			status: 400,
			type: 'resource_already_exists_exception',
		})
	})

	test('reports a closed point in time as missing, and rejects a search that names both an index and a point in time', async () => {
		const { body } = await engine.request('POST', `/${engine.largeTable}/_pit?keep_alive=1m`)
		const id = isJsonObject(body) ? body.id : null
		expect(await engine.errorOf('POST', `/${engine.largeTable}/_search`, { pit: { id: id as Json } })).toMatchObject({
			status: 400,
		})
		expect((await engine.request('DELETE', '/_pit', { id })).status).toBe(200)
		expect(await engine.errorOf('POST', '/_search', { pit: { id: id as Json } })).toMatchObject({
			status: 404,
			type: 'search_context_missing_exception',
		})
	})

	test('a write can be read at once, and searched after a refresh', async () => {
		await engine.request('PUT', `/${engine.table}/_doc/fresh`, { tag: 'fresh' })
		expect((await engine.request('GET', `/${engine.table}/_doc/fresh`)).status).toBe(200)
		await engine.request('POST', `/${engine.table}/_refresh`)
		expect(await engine.idsMatching(filter('tag', 'equals', 'fresh'))).toBe('fresh')
		await engine.request('DELETE', `/${engine.table}/_doc/fresh?refresh=true`)
		expect(await engine.idsMatching(filter('tag', 'equals', 'fresh'))).toBe('')
		expect((await engine.request('DELETE', `/${engine.table}/_doc/fresh`)).status).toBe(404)
	})

	test('a scroll returns every document once, and can be cleared', async () => {
		const body = { size: 4_000, sort: ['_doc'], track_total_hits: true, _source: false }
		let answer = await engine.request('POST', `/${engine.largeTable}/_search?scroll=1m`, body)
		const seen = new Set<Json | undefined>()
		for (;;) {
			const { hits, _scroll_id } = answer.body as { hits: { hits: { _id: string }[] }; _scroll_id: string }
			for (const hit of hits.hits) seen.add(hit._id)
			if (hits.hits.length === 0) {
				expect(await engine.request('DELETE', '/_search/scroll', { scroll_id: _scroll_id })).toMatchObject({
					status: 200,
				})
				break
			}
			answer = await engine.request('POST', '/_search/scroll', { scroll: '1m', scroll_id: _scroll_id })
		}
		expect(seen.size).toBe(10_500)
	})

	test('aggregations return the same buckets', async () => {
		const aggs = {
			tags: { terms: { field: 'tag' } },
			months: { date_histogram: { field: 'at', calendar_interval: 'month' } },
			ages: { stats: { field: 'who.age' } },
			kinds: { cardinality: { field: 'tag' } },
			count: { value_count: { field: 'n' } },
		}
		const { body } = await engine.request('POST', `/${engine.table}/_search`, { size: 0, aggs })
		expect(isJsonObject(body) ? body.aggregations : undefined).toMatchObject({
			tags: {
				sum_other_doc_count: 0,
				buckets: [
					{ key: 'red', doc_count: 2 },
					{ key: 'blue', doc_count: 1 },
					{ key: 'green', doc_count: 1 },
				],
			},
			months: {
				buckets: [
					{ key_as_string: '2024-02-01T00:00:00.000Z', key: 1706745600000, doc_count: 2 },
					{ key_as_string: '2024-03-01T00:00:00.000Z', key: 1709251200000, doc_count: 1 },
				],
			},
			ages: parseJson('{"count":2,"min":30.0,"max":50.0,"avg":40.0,"sum":80.0}'),
			kinds: { value: 3 },
			count: { value: 4 },
		})
	})

	test('analysis returns words in lower case with their positions', async () => {
		const { body } = await engine.request('POST', '/_analyze', { analyzer: 'standard', text: "It's 2 Fox-Tails" })
		expect(isJsonObject(body) ? body.tokens : undefined).toMatchObject([
			{ token: "it's", start_offset: 0, end_offset: 4, type: '<ALPHANUM>', position: 0 },
			{ token: '2', type: '<NUM>', position: 1 },
			{ token: 'fox', position: 2 },
			{ token: 'tails', start_offset: 11, end_offset: 16, position: 3 },
		])
	})
}
