import { rawText } from '@roundhouse/kit'
import { denseRow } from '@roundhouse/kit/cell'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../tests/contract/proves.ts'
import { call, decode, openSample, statement } from '../test/fixture.ts'
import { withEngine } from '../test/scripted-engine.ts'

let opened: Awaited<ReturnType<typeof openSample>>
beforeAll(async () => {
	opened = await openSample()
})
afterAll(() => opened[Symbol.asyncDispose]())

const run = async (text: string, maxRows = 100) =>
	decode(await opened.connection.console.run(statement(opened.connection, text), { maxRows }, call()))

async function table(statement: string, maxRows?: number) {
	const { body } = await run(statement, maxRows)
	if (body.view !== 'rows') throw new Error(`not a table: ${body.view}`)
	return { ...body, names: body.columns.map(column => column.name) }
}

test(proves('B.console.search', 'shows the hits of a search as rows, with every digit'), async () => {
	const { names, rows, total } = await table(
		'POST /books/_search\n{"size": 2, "sort": ["pages"], "query": {"exists": {"field": "isbn"}}}',
	)
	expect(names.slice(0, 3)).toEqual(['_id', '_index', '_score'])
	expect(names).toContain('author.name')
	expect(rows).toHaveLength(2)
	expect(rows[0]?.[names.indexOf('isbn')]).toEqual({ number: expect.stringMatching(/^90\d{17}$/) })
	expect(total).toEqual({ value: 3001, isExact: true })
})

test('hits of one index say so, and are read by their ids with the same values', async () => {
	const { names, rows, origins } = await table(
		'POST /books/_search\n{"size": 2, "sort": ["pages"], "_source": ["title", "author", "pages", "isbn"]}',
	)
	const [origin, ...others] = origins ?? []
	expect(others).toEqual([])
	expect(origin).toMatchObject({ table: 'books', key: [{ column: '_id', at: 0 }] })
	expect(origin?.names?.slice(0, 3)).toEqual(['_id', '', ''])
	const filters = [{ column: '_id', operator: 'in', values: rows.map(([id]) => String(id)) }] as const
	const { connection } = opened
	const grid = await connection.openGrid({ table: 'books', filters, match: 'all', sort: [] }, call())
	const page = decode(await grid.page({ offset: 0, limit: 10 }, call()))
	await grid.close()
	expect(page.rows).toHaveLength(2)
	for (const read of page.rows.map(row => denseRow(row, page.columns.length))) {
		const shown = rows.find(([id]) => id === read.cells[0])
		expect(read.version).toBeDefined()
		for (const [at, { name }] of page.columns.entries()) {
			const place = origin?.names?.indexOf(name) ?? -1
			if (place >= 0) expect([name, read.cells[at]]).toEqual([name, shown?.[place]])
		}
	}
	expect(names).toContain('author.name')
	expect((await table('GET /books,events/_search?size=100&sort=_index')).origins?.length ?? 0).toBeLessThan(2)
})

test(proves('B.console.array', 'shows an array as a table with ordered columns, up to the limit'), async () => {
	const { names, rows, isTruncated } = await table('GET /_cat/indices?format=json&s=index', 2)
	expect(names.slice(0, 3)).toEqual(['health', 'status', 'index'])
	expect(rows).toHaveLength(2)
	expect(isTruncated).toBe(true)
})

test('shows aggregations as a table: a column for each level of buckets and each number', async () => {
	const statement = `POST /events/_search
{ "size": 0, "aggs": { "by_level": { "terms": { "field": "level" }, "aggs": {
  "by_month": { "date_histogram": { "field": "@timestamp", "calendar_interval": "month" }, "aggs": { "slowest": { "max": { "field": "duration_ns" } } } } } } } }`
	const { names, rows } = await table(statement)
	expect(names).toEqual(['by_level', 'by_month', 'doc_count', 'slowest'])
	expect(rows[0]?.slice(0, 3)).toEqual(['info', '2024-01-01T00:00:00.000Z', expect.any(Number)])
	const sum = rows.reduce((total, row) => total + Number(row[2]), 0)
	expect(sum).toBe(24_000)
})

test('shows aggregations side by side as JSON, because they do not fit one table', async () => {
	const statement =
		'POST /events/_search\n{"size":0,"aggs":{"a":{"terms":{"field":"level"}},"b":{"terms":{"field":"service"}}}}'
	expect((await run(statement)).body.view).toBe('json')
	const both = await run('POST /events/_search\n{"size":1,"aggs":{"a":{"max":{"field":"bytes"}}}}')
	expect(both.notices).toEqual([])
	expect(both.more).toMatchObject([{ title: 'Aggregations', body: { view: 'rows', columns: [{ name: 'a' }] } }])
})

test(proves('B.console.json', 'shows any other answer as JSON in its order, and plain text as it is'), async () => {
	const answer = await run('GET /')
	expect(answer).toMatchObject({ status: '200 OK', body: { view: 'json' } })
	expect(rawText(answer)).toMatch(/^\{"name":"sample-node","cluster_name"/)
	const text = await run('GET /_cat/indices?h=index')
	expect(text.body).toEqual({ view: 'text' })
	expect(rawText(text)).toMatch(/^books/)
})

test(proves('B.scope.console', 'sends the body of a GET'), async () => {
	const { total } = await table('GET /books/_search\n{"query": {"ids": {"values": ["1", "2"]}}}')
	expect(total?.value).toBe(2)
})

test('sends the lines of _bulk and _msearch', async () => {
	const result = await run(`POST _bulk?refresh=true
{"index": {"_index": "notes", "_id": "1"}}
{"n": 12345678901234567890}
{"delete": {"_index": "notes", "_id": "9"}}
`)
	expect(result).toMatchObject({
		notices: [],
		body: {
			view: 'rows',
			rows: [
				['index', 'notes', '1', 201, 'created'],
				['delete', 'notes', '9', 404, 'not_found'],
			],
		},
	})
	expect(rawText(result)).toContain('"errors":false')
	const { rows, names } = await table('GET /notes/_search')
	expect(rows[0]?.[names.indexOf('n')]).toEqual({ number: '12345678901234567890' })
	const several = await run('POST _msearch\n{"index": "notes"}\n{"query": {"match_all": {}}}\n{"index": "nowhere"}\n{}')
	expect(rawText(several)).toMatch(/"hits"[\s\S]*index_not_found_exception/)
})

test('an error of the engine is an error, a plain 404 is an answer', async () => {
	await expect(run('GET /nowhere/_search')).rejects.toMatchObject({
		code: 'not_found',
		message: 'Elasticsearch error: “index_not_found_exception: no such index [nowhere]”',
	})
	await expect(run('POST /books/_search\n{"query": {"foo": {}}}')).rejects.toMatchObject({ code: 'query_failed' })
	expect(await run('GET /books/_doc/missing')).toMatchObject({ status: '404 Not Found', body: { view: 'json' } })
	const head = await run('HEAD /nowhere')
	expect(head).toMatchObject({ status: '404 Not Found', body: { view: 'text' } })
	expect(rawText(head)).toBe('')
	expect(await run('HEAD /books')).toMatchObject({ status: '200 OK' })
})

test('shows a rejection as a result with the complete answer of the engine, if requested', async () => {
	const { connection } = opened
	const asked = statement(connection, 'GET /nowhere/_search')
	const result = decode(await connection.console.run(asked, { maxRows: 1, showsRefusals: true }, call()))
	expect(result).toMatchObject({
		status: '404 Not Found',
		fault: { code: 'not_found', message: expect.stringContaining('no such index [nowhere]') },
		body: { view: 'json' },
	})
	expect(rawText(result)).toMatch(/^\{"error":.*"status":404\}$/)
})

test(proves('B.sql.unreachable', 'never sends _sql'), async () => {
	await expect(run('POST /%5fsql?format=txt\n{"query": "SHOW TABLES"}')).rejects.toMatchObject({ code: 'unsupported' })
})

test.each([
	['GET', '/books/_doc/1', undefined, '200'],
	['HEAD', '/books', undefined, '200'],
	['PUT', '/console-made/_doc/1?refresh=true', '{"a": 1}', '201'],
	['POST', '/console-made/_search', '{"query": {"match_all": {}}}', '200'],
	['DELETE', '/console-made', undefined, '200'],
	['GET', '/no/such/thing', undefined, '400'],
])(proves('B.calls.console', 'sends any method and path: %s %s'), async (method, path, body, status) => {
	const answered = run(body === undefined ? `${method} ${path}` : `${method} ${path}\n${body}`)
	const outcome = await answered.then(
		result => result.status,
		(error: Error) => error.message,
	)
	expect(outcome).toMatch(status === '400' ? /no handler found for uri/ : new RegExp(`^${status} `))
})

test('splits a text into statements, with access and summary of each', () => {
	const text = '# go\ndelete //books/_doc/1\nGET /books/_search'
	const verdicts = opened.connection.console.analyse(text)
	expect(verdicts.map(({ start, end }) => text.slice(start, end))).toEqual([
		'delete //books/_doc/1',
		'GET /books/_search',
	])
	expect(verdicts).toMatchObject([
		{ access: 'destructive', summary: 'DELETE /books/_doc/1' },
		{ access: 'read', summary: 'GET /books/_search' },
	])
})

test('reports a statement that cannot be parsed, and still classifies the others', () => {
	const statements = opened.connection.console.analyse('POST /books/_search\n{"size": }\n\nGET /books/_count')
	expect(statements).toMatchObject([
		{ access: 'destructive', fault: { code: 'invalid_argument', message: expect.stringContaining('not valid JSON') } },
		{ access: 'read', summary: 'GET /books/_count' },
	])
	expect(statements[1]).not.toHaveProperty('fault')
})

test('no statement blocks the driver or the classification of the others', () => {
	const { console } = opened.connection
	const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
	const faulty = [
		`GET /books\n${'"\\'.repeat(200_000)}`,
		`POST /books/_doc\n${nested}`,
		`POST /_bulk\n${nested}`,
		'GET /\ud800',
	]
	const statements = console.analyse([...faulty, 'GET /books'].join('\n'))
	expect(statements.map(({ fault }) => fault?.code)).toEqual([...faulty.map(() => 'invalid_argument'), undefined])
})

test('an error in a query of ES|QL has its place in the text', async () => {
	const text = '# all\nFROM books\n| LIMT 1'
	const reason = "line 2:3: mismatched input 'LIMT' expecting {'limit', 'where'}"
	const answers = { 'POST /_query': [400, { error: { type: 'parsing_exception', reason } }] } as const
	const { fault } = await withEngine(answers, async connection =>
		decode(await connection.console.run(statement(connection, text), { maxRows: 10, showsRefusals: true }, call())),
	)
	expect(fault).toMatchObject({ at: expect.any(Number) })
	const [only] = await withEngine({}, async connection => connection.console.analyse(text))
	expect(text.slice((only?.start ?? 0) + (fault?.at ?? 0))).toBe('LIMT 1')
})
