import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, direct, openSample, statement } from '../test/fixture.ts'
import { recordRequests } from '../test/recorder.ts'

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
const query = '{"query": {"term": {"author.country": "DE"}}}'
const german = async () =>
	JSON.parse(await direct(opened.sample.url, '/books/_count', { method: 'POST', body: query })).count as number

test('a write by query touches what its query counts', async () => {
	const value = await german()
	expect(value).toBeGreaterThan(10)
	expect(await assess(`POST /books/_update_by_query?conflicts=proceed\n${query}`)).toEqual({ affects: count(value) })
	expect(await assess(`POST /books/_delete_by_query\n${query}`)).toEqual({
		affects: count(value),
		destroys: `${value.toLocaleString('en')} documents of books`,
	})
	expect(await assess('POST /books/_delete_by_query?q=author.country:DE&wait_for_completion=false')).toMatchObject({
		affects: count(value),
	})
	expect(await assess(`POST /books/_delete_by_query?max_docs=5\n${query}`)).toMatchObject({ affects: count(5) })
	expect(await assess('POST /books/_delete_by_query\n{"max_docs": 1, "query": {"match_all": {}}}')).toEqual({
		affects: count(1),
		destroys: '1 document of books',
	})
})

test('deleting an index takes all its documents, and the indices of a pattern are named', async () => {
	expect(await assess('DELETE /books')).toEqual({
		affects: count(3003),
		destroys: 'the index books with 3,003 documents',
	})
	expect(await assess('DELETE /boo*,places')).toEqual({
		affects: count(5503),
		destroys: '2 indices (books, places) with 5,503 documents',
	})
	expect(await assess('DELETE /_all')).toMatchObject({ affects: count(29_503) })
})

test('one document is one document, and what a replacement loses is said', async () => {
	expect(await assess('DELETE /books/_doc/1')).toEqual({ affects: count(1), destroys: 'the document 1 of books' })
	expect(await assess('PUT /books/_doc/1\n{}')).toEqual({
		affects: count(1),
		destroys: 'what the document 1 of books holds now',
	})
	for (const statement of [
		'PUT /books/_doc/new\n{}',
		'PUT /books/_doc/1?op_type=create\n{}',
		'PUT /books/_create/1\n{}',
		'POST /books/_update/1\n{"doc": {}}',
		'POST /books/_doc\n{}',
	]) {
		expect(await assess(statement), statement).toEqual({ affects: count(1) })
	}
})

test('_bulk is counted by its actions, without asking the cluster', async () => {
	recorder.clear()
	const lines = [
		'{"index":{"_id":"1"}}',
		'{"delete":{"_id":"not an action"}}',
		'{"delete":{"_id":"2"}}',
		'{"create":{}}',
		'{}',
	]
	expect(await assess(`POST /books/_bulk\n${lines.join('\n')}`)).toEqual({
		affects: count(3),
		destroys: '1 document',
	})
	expect(recorder.requests).toEqual([])
})

test('_reindex copies what its source counts', async () => {
	const body = '{"source": {"index": ["books"], "query": {"ids": {"values": ["1", "2"]}}}, "dest": {"index": "copy"}}'
	expect(await assess(`POST /_reindex\n${body}`)).toEqual({ affects: count(2) })
})

test('what cannot be found out is left out', async () => {
	expect(await assess('DELETE /nowhere')).toEqual({ destroys: 'nowhere with all its documents' })
	expect(await assess('POST /nowhere/_update_by_query')).toEqual({})
	expect(await assess('DELETE /_index_template/logs')).toEqual({ destroys: '_index_template/logs' })
	expect(await assess('DELETE /_pit\n{"id": "x"}')).toEqual({})
	expect(await assess('PUT /books/_settings\n{}')).toEqual({})
	expect(await assess('GET /books/_search')).toEqual({})
})

test('assessing writes nothing, and a stopped one ends', async () => {
	recorder.clear()
	await assess(`POST /books/_delete_by_query\n${query}`)
	await assess('DELETE /books')
	await assess('PUT /books/_doc/1\n{}')
	expect(recorder.requests.map(({ line }) => line.replace(/\?.*/, ''))).toEqual([
		'POST /books/_count',
		'POST /books/_count',
		'GET /books/_settings',
		'GET /books/_doc/1',
	])
	await expect(assess('DELETE /books', AbortSignal.abort())).rejects.toMatchObject({ code: 'user_cancelled' })
})

test('what a script or an alias action takes away is said as far as it can be', async () => {
	const value = await german()
	const script = `{"script": {"source": "ctx.op = 'delete'"}, ${query.slice(1)}`
	expect(await assess(`POST /books/_update_by_query\n${script}`)).toEqual({
		affects: count(value),
		destroys: `${value.toLocaleString('en')} documents, if its script deletes what it visits`,
	})
	expect(await assess(`POST /books/_update/1\n{"script": "ctx.op = 'delete'"}`)).toEqual({
		affects: count(1),
		destroys: '1 document, if its script deletes what it visits',
	})
	const all = JSON.parse(await direct(opened.sample.url, '/books/_count')).count as number
	expect(await assess('POST /_aliases\n{"actions": [{"remove_index": {"index": "books"}}]}')).toEqual({
		affects: count(all),
		destroys: `the index books with ${all.toLocaleString('en')} documents`,
	})
	expect(await assess('POST /_aliases\n{"actions": [{"add": {"index": "books", "alias": "b"}}]}')).toEqual({})
})
