import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, openSample } from '../../test/fixture.ts'
import { recordRequests } from '../../test/recorder.ts'

let opened: Awaited<ReturnType<typeof openSample>>
let recorder: Awaited<ReturnType<typeof recordRequests>>
beforeAll(async () => {
	opened = await openSample()
	recorder = await recordRequests(opened.sample.url)
})
afterAll(async () => {
	await recorder.close()
	await opened[Symbol.asyncDispose]()
})

/** Returns the completions at the `|` of a text. */
async function at(marked: string) {
	const offset = marked.indexOf('|')
	const text = marked.slice(0, offset) + marked.slice(offset + 1)
	const { from, options } = (await recorder.connection.console.complete?.(text, offset, call())) ?? {
		from: -1,
		options: [],
	}
	const typed = text.slice(from, offset)
	return { typed, labels: options.map(({ label }) => label), options }
}
const labels = async (marked: string) => (await at(marked)).labels

test('completes a method at the start of a line', async () => {
	expect(await labels('|')).toEqual(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'FROM', 'ROW', 'SHOW INFO'])
	expect(await at('# note\np|')).toMatchObject({ typed: 'p', labels: ['POST', 'PUT'] })
	expect(await labels('GET /books/_search\n{"size": 1}\n\nd|')).toEqual(['DELETE'])
})

test('completes indices and endpoints in a path, by the method', async () => {
	// A cluster that answers late is completed without its names, which are there for the next key.
	await expect
		.poll(() => labels('GET |'))
		.toEqual(expect.arrayContaining(['books', 'events', 'places', '_search', '_cat']))
	expect(await at('get /bo|')).toMatchObject({ typed: 'bo', labels: ['books'] })
	expect(await at('GET /books,pl|')).toMatchObject({ typed: 'pl', labels: ['places'] })
	expect(await labels('GET /books/_sea|')).toEqual(['_search', '_search_shards', '_searchable_snapshots'])
	expect(await labels('POST /books/_upd|')).toEqual(['_update', '_update_by_query'])
	expect(await labels('GET /_cat/ind|')).toEqual(['indices'])
	// Tab inserts the first one.
	expect((await labels('GET /_ca|'))[0]).toBe('_cat')
	expect(await labels('DELETE /books/_sea|')).toEqual([])
	expect(await labels('GET /books/_doc/|')).toEqual([])
	expect(await labels('POST /_s|')).not.toContain('_sql')
	expect(await labels('GET /.|')).toEqual([])
})

test('describes an endpoint and its methods, and lists deprecated ones last', async () => {
	const { options } = await at('GET /_cat/indi|')
	expect(options).toEqual([
		{
			label: 'indices',
			kind: 'endpoint',
			detail: 'GET',
			info: 'Get index information.',
			url: expect.stringMatching(/^https:\/\/www\.elastic\.co\//),
		},
	])
	const templates = (await at('PUT /_|')).options
	expect(templates.at(-1)).toMatchObject({ isDeprecated: true })
	expect(templates.find(({ label }) => label === '_template')).toMatchObject({ isDeprecated: true })
	expect(templates.find(({ label }) => label === '_index_template')).not.toHaveProperty('isDeprecated')
})

test('offers what the version of the cluster has', async () => {
	const of = async (version: string, text: string) => {
		await using own = await openSample({}, version)
		const found = await own.connection.console.complete?.(text, text.length, call())
		return found?.options.map(({ label }) => label)
	}
	expect(await of('7.17.29', 'POST /_query')).toEqual([])
	expect(await of('8.19.1', 'POST /_query')).toContain('_query')
	expect(await of('7.17.29', 'GET /books/_search?local')).toEqual([])
	expect(await of('7.17.29', 'GET /_cat/indices?local')).toEqual(['local'])
	expect(await of('8.19.1', 'GET /_health')).toEqual(['_health_report'])
	expect(await of('7.17.29', 'GET /_health')).toEqual([])
})

test('completes parameters of the endpoint, and their values', async () => {
	expect(await at('GET /_cat/indices?v&for|')).toMatchObject({
		typed: 'for',
		options: [{ label: 'format', insert: 'format=', info: expect.stringContaining('format') }],
	})
	expect(await labels('GET /_cat/indices?format=|')).toEqual(['json', 'yaml', 'text', 'cbor', 'smile'])
	expect(await labels('POST /books/_doc?refresh=w|')).toEqual(['wait_for'])
	expect(await labels('GET /books/_search?if_seq|')).toEqual([])
	expect(await labels('GET /books/_search?si|')).toEqual(['size'])
})

test('completes the query language by place', async () => {
	expect(await labels('GET /books/_search\n{ "qu|')).toContain('query')
	expect(await at('GET /books/_search\n{ "query": { "bo|')).toMatchObject({
		typed: 'bo',
		labels: ['bool', 'boosting'],
	})
	expect(await labels('GET /books/_search\n{"query":{"bool":{"must":[{"te|')).toEqual([
		'term',
		'terms',
		'terms_set',
		'text_expansion',
	])
	expect(await labels('GET /books/_search\n{"query":{"bool":{"|')).toContain('must_not')
	expect(await labels('GET /books/_search\n{"query":{"range":{"pages":{"g|')).toEqual(['gt', 'gte'])
	expect(await labels('GET /books/_search\n{"aggs":{"mine":{"terms":{"order":{"_count":"|')).toEqual(['asc', 'desc'])
	expect(await labels('GET /books/_search\n{"aggs":{"mine":{"aggs":{"x":{"av|')).toEqual(['avg', 'avg_bucket'])
	expect(await labels('PUT /new\n{"mappings":{"properties":{"a":{"type":"geo|')).toEqual(['geo_point', 'geo_shape'])
	expect(await labels('POST /books/_count\n{"|')).toEqual(['query'])
	expect(await at('GET /books/_search\n{ |')).toMatchObject({
		options: expect.arrayContaining([
			expect.objectContaining({ label: 'query', kind: 'keyword', info: expect.stringContaining('Query DSL') }),
		]),
	})
})

/** `▮` is the cursor after the option is accepted. */
test.each([
	['{ |', 'query', '{ "query": {▮}'],
	['{ "|"', 'query', '{ "query": {▮}'],
	['{ "qu|"\n}', 'query', '{ "query": {▮}\n}'],
	['{ "|": {}', 'query', '{ "query▮": {}'],
	['{ |', 'sort', '{ "sort": [▮]'],
	['{ |', 'size', '{ "size": ▮'],
	['{"query":{"bool":{"|', 'must', '{"query":{"bool":{"must": [▮]'],
	['{"query":{"exists":{|', 'field', '{"query":{"exists":{"field": "▮"'],
	['{"query":{"term":{"|"', 'author.country', '{"query":{"term":{"author.country": "▮"'],
	['{"query":{"match":{|', 'pages', '{"query":{"match":{"pages": ▮'],
	['{"query":{"range":{|', 'pages', '{"query":{"range":{"pages": {▮}'],
	['{"query":{"terms":{|', 'genres', '{"query":{"terms":{"genres": [▮]'],
	['{ |', 'aggs', '{ "aggs": {▮}'],
	['{"aggs":{"mine":{"terms":{|', 'field', '{"aggs":{"mine":{"terms":{"field": "▮"'],
	['{"query":{"term":{"genres": |', 'essay', '{"query":{"term":{"genres": "essay"▮'],
	['{"query":{"term":{"genres": "es|"', 'essay', '{"query":{"term":{"genres": "essay▮"'],
	['{"query":{"bool":{"filter":[|]}}}', 'term', '{"query":{"bool":{"filter":[{ "term": {▮} }]}}}'],
	[
		'{"query":{"bool":{"filter":[{ "term": {} }, ra|]}}}',
		'range',
		'{"query":{"bool":{"filter":[{ "term": {} }, { "range": {▮} }]}}}',
	],
	['{"query": |}', 'match_all', '{"query": { "match_all": {▮} }}'],
	['{\n  |\n}', 'query', '{\n  "query": {\n    ▮\n  }\n}'],
	['{\n  "qu|"\n}', 'query', '{\n  "query": {\n    ▮\n  }\n}'],
	['{\n  "size": 1, |\n}', 'query', '{\n  "size": 1, "query": {▮}\n}'],
	['{\n\t|\n}', 'sort', '{\n\t"sort": [▮]\n}'],
	['{"query":{"range":{"author.born":{"gte": 186|', '1863', '{"query":{"range":{"author.born":{"gte": 1863▮'],
])('an option is inserted with the marks of its place: %s', async (marked, label, expected) => {
	const head = 'GET /books/_search\n'
	const cursor = head.length + marked.indexOf('|')
	const text = head + marked.replace('|', '')
	await using sample = await openSample()
	const found = await sample.connection.console.complete?.(text, cursor, call())
	const option = found?.options.find(option => option.label === label)
	const { insert = label, cursor: at = insert.length, replacesAfter = 0 } = option ?? {}
	const shown = `${insert.slice(0, at)}▮${insert.slice(at)}`
	expect(`${text.slice(0, found?.from)}${shown}${text.slice(cursor + replacesAfter)}`).toBe(head + expected)
})

test('the ES|QL of a request is a text', async () => {
	await using sample = await openSample()
	for (const path of ['/_query', '_query']) {
		const text = `POST ${path}\n{"q`
		const found = await sample.connection.console.complete?.(text, text.length, call())
		expect(found?.options.find(({ label }) => label === 'query')).toMatchObject({ insert: 'query": ""', cursor: 9 })
	}
})

test('completes bodies of other endpoints than searches', async () => {
	expect(await labels('POST /books/_bulk\n{"ind|')).toEqual(['index'])
	expect(await labels('POST /books/_bulk\n{"index": {}}\n{"tit|')).toEqual(expect.arrayContaining(['title']))
	expect(await labels('POST /_msearch\n{}\n{"que|')).toContain('query')
	expect(await labels('POST /books/_doc\n{"tit|')).toEqual(expect.arrayContaining(['title']))
	expect(await labels('PUT /new\n{"settings":{"number_of_r|')).toEqual([
		'number_of_replicas',
		'number_of_routing_shards',
	])
	expect(await labels('PUT /_ingest/pipeline/x\n{"processors":[{"gro|')).toEqual(['grok'])
	expect(await labels('POST /_query\n{"colu|')).toEqual(['columnar'])
	expect(await labels('POST /_reindex\n{"conflicts":"|')).toEqual(['abort', 'proceed'])
})

test('completes fields of the typed index, with types and subfields', async () => {
	expect(await at('GET /books/_search\n{"query":{"match":{"auth|')).toMatchObject({
		typed: 'auth',
		options: expect.arrayContaining([
			expect.objectContaining({ label: 'author.name', kind: 'column', detail: 'text' }),
		]),
	})
	expect(await labels('GET /books/_search\n{"sort":["title|')).toEqual(
		expect.arrayContaining(['title', 'title.keyword']),
	)
	expect(await labels('GET /places/_search\n{"sort":[{"rat|')).toEqual(['rating'])
	expect(await labels('GET /books/_search\n{"aggs":{"a":{"terms":{"field":"gen|')).toEqual(['genres'])
	expect(await labels('GET /books/_search\n{"query":{"exists":{"field":"rating|')).not.toContain('opened')
})

test('reads the fields of several indices merged, once for each pattern, and the mapping of one index once', async () => {
	recorder.clear()
	for (const target of ['', '/boo*', '/books,places', '', '/boo*']) {
		expect(await labels(`GET ${target}/_search\n{"query":{"match":{"tit|`)).toContain('title')
	}
	const caps = (path: string) => ({ line: `GET ${path}/_field_caps?fields=*&ignore_unavailable=true` })
	expect(recorder.requests).toEqual([caps(''), caps('/boo*'), caps('/books%2Cplaces')])
	recorder.clear()
	await labels('GET /library/_search\n{"query":{"match":{"|')
	await labels('GET /library/_search\n{"query":{"term":{"|')
	await labels('GET /nowhere/_search\n{"query":{"term":{"|')
	expect(recorder.requests.map(({ line }) => line)).toEqual(['GET /library/_mapping', 'GET /nowhere/_mapping'])
})

test('completes nothing in a comment, a long text or after the end of a body', async () => {
	for (const text of ['# G|', 'GET /books/_search\n{ // "qu|', 'GET /_x\n{"a": """ "que|', 'GET /books/_search x|']) {
		expect(await labels(text), text).toEqual([])
	}
})

test('completion never fails, whatever the text and offset', async () => {
	const piece = fc.oneof(
		fc.string({ unit: 'grapheme' }),
		fc.constantFrom(
			'GET /books/_search\n',
			'POST _bulk\n',
			'POST /_query\n{"query": "FROM books | ',
			'STATS a = AVG(',
			' | ',
			'{',
			'}',
			'[',
			']',
			'"',
			'"""',
			':',
			',',
			'\n',
			'#',
			'//',
			'/*',
			'?',
			'&',
			'"query"',
			'"bool"',
			'"__proto__"',
			'"constructor"',
			'PUT ',
			'/',
			'%',
			'\\',
			'_search',
			'books',
			'=',
			'toString',
		),
	)
	const text = fc.array(piece, { maxLength: 12 }).map(pieces => pieces.join(''))
	await fc.assert(
		fc.asyncProperty(text, fc.oneof(fc.integer({ min: -5, max: 80 }), fc.double()), async (given, offset) => {
			const found = await recorder.connection.console.complete?.(given, offset, call())
			expect(found?.from).toBeGreaterThanOrEqual(0)
			expect(found?.from).toBeLessThanOrEqual(given.length)
			expect(found?.options.length).toBeLessThanOrEqual(200)
		}),
		{ numRuns: 1500 },
	)
})

test('completes the language if the cluster does not answer', async () => {
	await using own = await openSample()
	await own.sample.close()
	const found = await own.connection.console.complete?.('GET /', 5, call())
	expect(found?.options.map(({ label }) => label)).toContain('_search')
})

test('completes in a buffer of many requests without a noticeable delay', async () => {
	const many = 'GET /books/_search\n{"query":{"bool":{"must":[{"term":{"pages":1}}]}}}\n\n'.repeat(2_000)
	expect(await labels(`${many}GET /books/_search\n{"query":{"bo|`)).toContain('bool')
})
