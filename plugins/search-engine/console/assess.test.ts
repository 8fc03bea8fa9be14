import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, direct, openSample, statement } from '../test/fixture.ts'
import { recordRequests } from '../test/recorder.ts'
import { assessedBy } from '../test/scripted-engine.ts'

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

const assess = (text: string, signal?: AbortSignal) =>
	Promise.resolve(recorder.connection.console.assess?.(statement(recorder.connection, text), call(signal)))
const count = (value: number) => ({ value, isExact: true })
const changes = (table: string, kind: 'inserted' | 'updated' | 'deleted', value: number) => ({
	effect: {
		place: expect.any(String),
		tables: [expect.objectContaining({ table, inserted: 0, updated: 0, deleted: 0, [kind]: value })],
	},
})
const query = '{"query": {"term": {"author.country": "DE"}}}'
const german = async () =>
	JSON.parse(await direct(opened.sample.url, '/books/_count', { method: 'POST', body: query })).count as number

test('a write by query affects the documents that its query counts', async () => {
	const value = await german()
	expect(value).toBeGreaterThan(10)
	expect(await assess(`POST /books/_update_by_query?conflicts=proceed\n${query}`)).toEqual(
		changes('books', 'updated', value),
	)
	const deletion = changes('books', 'deleted', value)
	expect(await assess(`POST /books/_delete_by_query\n${query}`)).toEqual(deletion)
	expect(await assess('POST /books/_delete_by_query?q=author.country:DE&wait_for_completion=false')).toEqual(deletion)
	expect(await assess(`POST /books/_delete_by_query?max_docs=5\n${query}`)).toEqual(changes('books', 'deleted', 5))
	expect(await assess('POST /books/_delete_by_query\n{"max_docs": 1, "query": {"match_all": {}}}')).toEqual(
		changes('books', 'deleted', 1),
	)
})

test('the effect of a write by query is by index, with the first ids', async () => {
	const ids = (...values: readonly string[]) => JSON.stringify({ query: { ids: { values } } })
	const found = JSON.parse(await direct(opened.sample.url, '/places/_search?size=1'))
	const of = { books: '1', places: String(found.hits.hits[0]._id) }
	expect(await assess(`POST /boo*,places/_delete_by_query\n${ids(of.books, of.places)}`)).toEqual({
		effect: {
			place: expect.any(String),
			tables: Object.entries(of).map(([table, id]) => ({
				table,
				inserted: 0,
				updated: 0,
				deleted: 1,
				rows: { columns: ['_id'], changes: [{ before: [id] }] },
				keys: expect.any(String),
			})),
		},
	})
	expect((await assess(`POST /books/_update_by_query\n${ids('2')}`))?.effect?.tables).toMatchObject([
		{ updated: 1, rows: { changes: [{ before: ['2'], after: ['2'] }] } },
	])
	const many = (await assess('POST /books/_delete_by_query\n{"query": {"match_all": {}}}'))?.effect?.tables[0]
	expect(many?.rows?.changes).toHaveLength(10)
	expect(many).not.toHaveProperty('keys')
	// Which of the documents of two indices an upper limit leaves is not known.
	expect(await assess('POST /books,places/_delete_by_query?max_docs=5\n{"query": {"match_all": {}}}')).toEqual({
		destroys: 'an unknown number of documents of books,places',
		unrehearsed: expect.any(String),
	})
	expect(await assess(`POST /books/_delete_by_query\n${ids('no such')}`)).toMatchObject({ effect: { tables: [] } })
})

test('an index deletion is assessed as the loss of all its documents, and the assessment lists the indices that a pattern matches', async () => {
	expect(await assess('DELETE /books')).toEqual({
		affects: count(3003),
		destroys: 'the index books with 3,003 documents',
	})
	expect(await assess('DELETE /boo*,places')).toEqual({
		affects: count(5503),
		destroys: '2 indices (books, places) with 5,503 documents',
	})
	// In the order of the list, whatever the order of the request.
	expect(await assess('DELETE /places,boo*')).toMatchObject({ destroys: expect.stringContaining('(books, places)') })
	expect(await assess('DELETE /_all')).not.toHaveProperty('affects')
})

test('counts one document, and says what a replacement destroys', async () => {
	expect(await assess('DELETE /books/_doc/1')).toEqual({ affects: count(1), destroys: 'the document 1 of books' })
	expect(await assess('PUT /books/_doc/1\n{}')).toEqual({
		affects: count(1),
		destroys: 'the current content of document 1 of books',
	})
	for (const statement of [
		'PUT /books/_doc/new\n{}',
		'PUT /books/_doc/1?op_type=create\n{}',
		'PUT /books/_create/1\n{}',
		'POST /books/_update/1\n{"doc": {}}',
		'POST /books/_doc\n{}',
	]) {
		expect(await assess(statement), statement).toEqual({ affects: count(1), scope: expect.any(String) })
	}
})

test('counts _bulk by its actions, and names its indices', async () => {
	const lines = [
		'{"index":{"_id":"1"}}',
		'{"delete":{"_id":"not an action"}}',
		'{"delete":{"_id":"2"}}',
		'{"create":{}}',
		'{}',
	]
	expect(await assess(`POST /books/_bulk\n${lines.join('\n')}`)).toEqual({
		affects: count(3),
		destroys: '1 document of books, and the current content of 1 document of books, if it exists',
	})
	const others = ['{"index":{"_id":"1","_index":"places"}}', '{}', '{"index":{"_id":"2"}}', '{}']
	expect(await assess(`POST /books/_bulk\n${others.join('\n')}`)).toEqual({
		affects: count(2),
		destroys: 'the current content of 1 document of places, 1 document of books, if it exists',
	})
})

test('_reindex affects the documents that its source counts', async () => {
	const body = '{"source": {"index": ["books"], "query": {"ids": {"values": ["1", "2"]}}}, "dest": {"index": "copy"}}'
	expect(await assess(`POST /_reindex\n${body}`)).toEqual(changes('copy', 'inserted', 2))
})

test('omits what cannot be determined', async () => {
	expect(await assess('DELETE /nowhere')).toEqual({ destroys: 'nowhere with all its documents' })
	expect(await assess('POST /nowhere/_update_by_query')).toEqual({ unrehearsed: expect.any(String) })
	expect(await assess('DELETE /_index_template/logs')).toEqual({ destroys: '_index_template/logs' })
	expect(await assess('DELETE /_pit\n{"id": "x"}')).toEqual({})
	expect(await assess('PUT /books/_settings\n{}')).toEqual({})
	expect(await assess('GET /books/_search')).toEqual({})
})

test('assessment writes nothing, and can be cancelled', async () => {
	recorder.clear()
	await assess(`POST /books/_delete_by_query\n${query}`)
	await assess('DELETE /books')
	await assess('PUT /books/_doc/1\n{}')
	expect(recorder.requests.map(({ line }) => line.replace(/\?.*/, ''))).toEqual([
		'POST /books/_search',
		'GET /books/_settings',
		'GET /books/_mapping',
		'GET /books/_alias',
		'POST /books/_count',
		'GET /books/_settings',
		'GET /books/_settings',
		'GET /books/_doc/1',
	])
	expect(await assess('DELETE /books', AbortSignal.abort())).toEqual({ destroys: 'books with all its documents' })
})

test('reports what a script or an alias action destroys, as far as known', async () => {
	const value = await german()
	const script = `{"script": {"source": "ctx.op = 'delete'"}, ${query.slice(1)}`
	expect(await assess(`POST /books/_update_by_query\n${script}`)).toEqual({
		affects: count(value),
		destroys: `${value.toLocaleString('en')} documents, if the script deletes the documents it processes`,
		unrehearsed: 'What its script does was not tried.',
	})
	// A plain script changes each document, in a way that only the engine knows.
	expect(await assess('POST /books/_update_by_query\n{"script": "ctx._source.a = 1"}')).toMatchObject({
		unrehearsed: 'What its script does was not tried.',
	})
	expect(await assess(`POST /books/_update/1\n{"script": "ctx.op = 'delete'"}`)).toEqual({
		affects: count(1),
		destroys: '1 document, if the script deletes the documents it processes',
		unrehearsed: 'What its script does was not tried.',
	})
	const all = JSON.parse(await direct(opened.sample.url, '/books/_count')).count as number
	expect(await assess('POST /_aliases\n{"actions": [{"remove_index": {"index": "books"}}]}')).toEqual({
		affects: count(all),
		destroys: `the index books with ${all.toLocaleString('en')} documents`,
	})
	expect(await assess('POST /_aliases\n{"actions": [{"add": {"index": "books", "alias": "b"}}]}')).toEqual({})
	expect(await assess('DELETE /books/_alias/library')).toEqual({})
})

test('an alias that is removed loses its filter or routing, but no documents', async () => {
	const answers = {
		'GET /books/_alias/part': [200, { books: { aliases: { part: { filter: { term: { a: 1 } } } } } }],
	} as const
	const remove = 'POST /_aliases\n{"actions":[{"remove":{"index":"books","alias":"part"}}]}'
	for (const text of ['DELETE /books/_alias/part', remove])
		expect(await assessedBy(answers, text)).toEqual({ destroys: 'the filter and routing of the alias part of books' })
})

test('a query in the query string replaces that of the body, in every spelling', async () => {
	const value = await german()
	const words = 'author.country:DE'
	for (const search of [`q=${words}`, `%71=${words}`, `refresh=true;q=${words}`, `=q=${words}`, `q=x&q=${words}`]) {
		recorder.clear()
		expect(await assess(`POST /books/_delete_by_query?${search}\n{"query": {"match_all": {}}}`), search).toEqual(
			changes('books', 'deleted', value),
		)
		expect(recorder.requests[0]).toMatchObject({ line: 'POST /books/_search?q=author.country%3ADE' })
	}
})

test.each([
	'POST /books/_delete_by_query?source={}&source_content_type=application/json',
	'POST /books/_delete_by_query?terminate_after=1',
	'POST /books/_delete_by_query?max_docs=1e1',
	'POST /books/_delete_by_query?max_docs=5\n{"max_docs": 2, "query": {"match_all": {}}}',
	'POST /books/_delete_by_query\n{"slice": {"id": 0, "max": 2}, "query": {"match_all": {}}}',
	'POST /books/_delete_by_query\n{"size": 2, "query": {"match_all": {}}}',
])('states no number if it is uncertain: %s', async text => {
	const assessment = await assess(text)
	expect(assessment).not.toHaveProperty('affects')
	expect(assessment?.destroys ?? '').not.toMatch(/\d|all its/)
})

test('uses the last of two upper limits in the query string', async () => {
	expect(await assess(`POST /books/_delete_by_query?max_docs=2;max_docs=9\n${query}`)).toEqual(
		changes('books', 'deleted', 9),
	)
})

test('look-ups for a deletion use the parameters of the deletion', async () => {
	recorder.clear()
	await assess('DELETE /boo*?expand_wildcards=all;ignore_unavailable=true')
	await assess('DELETE /boo*')
	expect(recorder.requests.map(({ line }) => line)).toEqual([
		'POST /boo*/_count?expand_wildcards=all',
		'GET /boo*/_settings?expand_wildcards=all&ignore_unavailable=true&filter_path=*.settings.index.uuid,*.settings.index.refresh_interval',
		'POST /boo*/_count?expand_wildcards=open%2Cclosed',
		'GET /boo*/_settings?expand_wildcards=open%2Cclosed&filter_path=*.settings.index.uuid,*.settings.index.refresh_interval',
	])
	recorder.clear()
	expect(await assess('DELETE /_data_stream/logs*')).toEqual({
		destroys: 'the data stream logs* with all its documents',
	})
	expect(recorder.requests).toEqual([])
})

test('counts a bulk action correctly if its JSON contains escapes or spaces', async () => {
	const lines = ['{"del\\u0065te":{"_id":"1"}}', '{ "index" : {} }', '{"delete":{}}']
	expect(await assess(`POST /books/_bulk\n${lines.join('\n')}`)).toEqual({
		affects: count(2),
		destroys: '1 document of books',
	})
	expect(await assess('POST /books/_bulk\n{"index":{},"delete":{}}\n{}')).toEqual({
		destroys: 'the documents that its actions select; one action cannot be parsed',
	})
})

test('reports what _reindex replaces', async () => {
	const into = (dest: string) => assess(`POST /_reindex\n{"source": {"index": "places"}, "dest": ${dest}}`)
	expect(await into('{"index": "books"}')).toEqual({
		affects: count(2500),
		destroys: 'the current content of each document in books that has the same id as a copied document',
		unrehearsed: 'Which documents of its destination it replaces was not tried.',
	})
	expect(await into('{"index": "books", "op_type": "create"}')).toEqual(changes('books', 'inserted', 2500))
	expect(await into('{"index": "new", "pipeline": "p"}')).toMatchObject({
		destroys: expect.any(String),
		unrehearsed: 'What the pipeline does was not tried.',
	})
	expect(await assess('POST /_reindex?max_docs=2\n{"source":{"index":"places"},"dest":{"index":"new"}}')).toEqual({
		unrehearsed: expect.any(String),
	})
})
