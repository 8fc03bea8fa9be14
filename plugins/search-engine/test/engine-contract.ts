import type { Cell, Filter, GridQuery } from '@roundhouse/kit'
import { isJsonObject, type Json, parseJson } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../connect.ts'
import type { SearchConnection } from '../connection.ts'
import { readEndpoints } from '../console/read-endpoints.ts'
import { call, decode, statement } from './fixture.ts'

/**
 * What the driver relies on in an engine, as tests that run on any cluster: on the sample in every test run, and on
 * real Elasticsearch nodes where there are some. Where they disagree the sample is wrong.
 */
export function describeEngine(name: string, open: () => Promise<{ readonly url: string; close(): Promise<void> }>) {
	describe(name, () => {
		let engine: Awaited<ReturnType<typeof open>>
		let connection: SearchConnection
		const table = `rh-contract-${Date.now().toString(36)}`
		const many = `${table}-many`

		beforeAll(async () => {
			engine = await open()
			connection = await connect({ hosts: engine.url, auth: 'none' }, directContext(), call())
			await request('PUT', `/${table}`, { settings: { number_of_shards: 1, number_of_replicas: 0 }, mappings })
			await request('PUT', `/${many}`, {
				settings: { number_of_shards: 1, number_of_replicas: 0 },
				mappings: { properties: { m: keyword, n: { type: 'long' } } },
			})
			await bulk(table, documents)
			await bulk(
				many,
				Array.from({ length: 10_500 }, (_, n) => [String(n), manySource(n)] as const),
			)
		}, 120_000)
		afterAll(async () => {
			await request('DELETE', `/${table}`)
			await request('DELETE', `/${many}`)
			await connection.close()
			await engine.close()
		})

		async function request(method: string, path: string, body?: unknown) {
			const text = typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body)
			const response = await fetch(`${engine.url}${path}`, {
				method,
				...(text !== undefined && { body: text }),
				headers: { 'content-type': 'application/json' },
			})
			const answer = await response.text()
			return { status: response.status, body: answer === '' ? null : parseJson(answer) }
		}

		async function bulk(index: string, lines: readonly (readonly [string, string])[]) {
			const text = lines.map(([id, source]) => `{"index":{"_index":"${index}","_id":"${id}"}}\n${source}\n`).join('')
			const { body } = await request('POST', '/_bulk?refresh=true', text)
			expect(isJsonObject(body) && body.errors).toBe(false)
		}

		async function errorOf(method: string, path: string, body?: unknown) {
			const answer = await request(method, path, body)
			const error = isJsonObject(answer.body) && isJsonObject(answer.body.error) ? answer.body.error : {}
			const shards = Array.isArray(error.failed_shards) ? error.failed_shards : []
			const shard = isJsonObject(shards[0]) && isJsonObject(shards[0].reason) ? shards[0].reason : error
			return { status: answer.status, type: shard.type, reason: String(shard.reason) }
		}

		const queryOf = (more: Partial<GridQuery> = {}): GridQuery => ({
			table,
			filters: [],
			match: 'all',
			sort: [],
			...more,
		})
		const filter = (column: string, operator: Filter['operator'], ...values: string[]): Filter => ({
			column,
			operator,
			values,
		})

		async function idsOf(more: Partial<GridQuery>): Promise<string[]> {
			const grid = await connection.openGrid(queryOf(more), call())
			const page = decode(await grid.page({ offset: 0, limit: 100 }, call()))
			await grid.close()
			return page.rows.map(row => String(row.cells[0]))
		}

		const found = async (...filters: Filter[]) => (await idsOf({ filters })).sort().join(' ')

		/** What reading must leave as it was: documents with their versions, and everything that is set. */
		async function state(): Promise<string> {
			const paths = [
				...['_settings', '_mapping', '_alias'].map(what => `/${table},${many}/${what}`),
				...['/_template', '/_index_template', '/_component_template', '/_ingest/pipeline', '/_cluster/settings'],
				`/${table},${many}/_search?size=10000&seq_no_primary_term=true&version=true&sort=_doc`,
				'/_cat/indices?h=index&s=index&format=json',
			]
			const answers = await Promise.all(paths.map(path => request('GET', path)))
			const isOwn = (key: string) => key !== 'took' && key !== '_shards'
			return JSON.stringify(answers, (key, value) => (isOwn(key) ? value : undefined)).replaceAll(
				/\{"index":"\.[^"]*"\},?/g,
				'',
			)
		}

		test('whatever the console calls a read leaves everything as it was', async () => {
			const before = await state()
			const bodies = ['', '{}', '{"query":{"match_all":{}}}', '{"docs":[{"_id":"1"}]}']
			const statements = [
				...readEndpoints.GET.map(template => `GET ${filled(template, table)}`),
				...readEndpoints.POST.flatMap(template => bodies.map(body => `POST ${filled(template, table)}\n${body}`)),
			]
			for (const text of statements) {
				const read = statement(connection, text)
				expect(read.access, text).toBe('read')
				await connection.console.run(read, { maxRows: 10 }, call()).catch(() => {})
			}
			expect(await state()).toBe(before)
		}, 120_000)

		test('columns come from the mapping', async () => {
			const { columns } = await connection.describeTable(table, call())
			expect(columns.map(column => `${column.name}:${column.type}`).sort()).toEqual(
				[
					...[
						'_id:_id',
						'_index:_index',
						'_score:float',
						'title:text',
						'note:text',
						'tag:keyword',
						'n:long',
						'price:double',
					],
					...['at:date', 'day:date', 'ip:ip', 'flag:boolean', 'where:geo_point', 'who.name:text', 'who.age:integer'],
					...[
						'parts:nested',
						'parts.kind:keyword',
						'parts.size:integer',
						'other:alias',
						'span:integer_range',
						'small:keyword',
					],
				].sort(),
			)
			const tables = await connection.listTables(call())
			expect(tables.map(known => known.name)).toContain(table)
			expect(tables.filter(known => known.name.startsWith('.'))).toEqual([])
		})

		test.each<[Filter, string]>([
			[filter('tag', 'equals', 'red'), 'a c'],
			[filter('tag', 'not_equals', 'red'), 'b d e'],
			[filter('tag', 'in', 'blue', 'green'), 'a b'],
			[filter('tag', 'not_in', 'blue', 'green'), 'c d e'],
			[filter('tag', 'contains', 'RE'), 'a b c'],
			[filter('tag', 'wildcard', 'r?d'), 'a c'],
			[filter('tag', 'starts_with', 'gr'), 'b'],
			[filter('tag', 'ends_with', 'e'), 'a'],
			[filter('title', 'equals', 'The Quick Fox'), 'a'],
			[filter('title', 'equals', 'the quick fox'), ''],
			[filter('title', 'contains', 'quick'), 'a b'],
			[filter('note', 'equals', 'Fox'), 'a'],
			[filter('note', 'contains', 'oX'), 'a'],
			[filter('n', 'equals', '9223372036854775807'), 'a'],
			[filter('n', 'equals', '9223372036854775806'), 'b'],
			[filter('n', 'greater', '9223372036854775806'), 'a'],
			[filter('n', 'between', '-5', '5'), 'c d'],
			[filter('price', 'less', '1.10'), 'c'],
			[filter('price', 'less_or_equal', '1.10'), 'a c'],
			[filter('at', 'equals', '2024-02-29'), 'a'],
			[filter('at', 'greater', '2024-02-29'), 'b'],
			[filter('at', 'less_or_equal', '2024-02'), 'c'],
			[filter('at', 'less_or_equal', '2024'), ''],
			[filter('at', 'greater_or_equal', '2024-02-29||/M'), 'a b c'],
			[filter('day', 'equals', '2020-05-04'), 'b'],
			[filter('day', 'greater', '31/12/2019'), 'a b'],
			[filter('ip', 'equals', '10.1.0.0/16'), 'a'],
			[filter('ip', 'greater', '10.0.0.255'), 'a b'],
			[filter('flag', 'equals', 'false'), 'b'],
			[filter('who.name', 'equals', 'Ann'), 'a b'],
			[filter('other', 'equals', 'Ann'), 'a b'],
			[filter('who.age', 'less', '40'), 'a'],
			[filter('note', 'exists'), 'a d'],
			[filter('note', 'missing'), 'b c e'],
			[filter('parts', 'exists'), 'a b'],
			[filter('parts', 'missing'), 'c d e'],
			[filter('parts.kind', 'equals', 'x'), 'a b'],
			[filter('parts.kind', 'not_equals', 'x'), 'c d e'],
			[filter('where', 'exists'), 'a'],
			[filter('span', 'equals', '5'), 'a'],
			[filter('_id', 'in', 'b', 'c'), 'b c'],
			[filter('_index', 'equals', table), 'a b c d e'],
			[filter('small', 'equals', 'longer than ten'), ''],
		])('%o', async (given, expected) => {
			expect(await found(given)).toBe(expected)
		})

		test('filters on one nested object hold in one element', async () => {
			expect(await found(filter('parts.kind', 'equals', 'x'), filter('parts.size', 'greater', '5'))).toBe('b')
		})

		test.each([
			['fox', 'a'],
			['title:quick AND note:fox', 'a'],
			['quick OR tag:red', 'a b c'],
			['quick -fox', 'b'],
			['"quick brown"', 'b'],
			['n:[1 TO 3]', 'c d'],
			['n:>100', 'a b'],
			['tag:gr*', 'b'],
			['_exists_:note', 'a d'],
			['who.name:(ann OR bob)', 'a b c'],
			['at:[2024-02-29 TO 2024-02-29]', 'a'],
			['NOT _exists_:tag', 'd e'],
			['+quick +brown', 'b'],
			['price:1.1', 'a'],
		])('the raw query %s', async (raw, expected) => {
			expect((await idsOf({ raw })).sort().join(' ')).toBe(expected)
		})

		test.each([
			['title', 'asc', 'c b a d e'],
			['n', 'asc', 'c d b a e'],
			['n', 'desc', 'a b d c e'],
			['tag', 'asc', 'a b c d e'],
			['tag', 'desc', 'a c b d e'],
			['at', 'desc', 'b a c d e'],
			['ip', 'asc', 'c b a d e'],
			['flag', 'asc', 'b a c d e'],
			['parts.size', 'asc', 'a b c d e'],
			['parts.size', 'desc', 'a b c d e'],
			['who.age', 'desc', 'b a c d e'],
		] as const)('sorted by %s %s', async (column, direction, expected) => {
			expect((await idsOf({ sort: [{ column, direction }] })).join(' ')).toBe(expected)
		})

		test('values come back as they were written', async () => {
			const grid = await connection.openGrid(queryOf({ filters: [filter('_id', 'equals', 'a')] }), call())
			const { columns, rows } = decode(await grid.page({ offset: 0, limit: 1 }, call()))
			await grid.close()
			const cells = Object.fromEntries(columns.map((column, index) => [column.name, rows[0]?.cells[index] as Cell]))
			expect(cells).toMatchObject({
				n: { number: '9223372036854775807' },
				price: { number: '1.10' },
				'parts.size': { json: '[3,9]' },
				tag: { json: '["red","blue"]' },
				flag: true,
				other: 'Ann',
			})
		})

		test('edits: applied, conflict, taken, gone', async () => {
			const rowId = JSON.stringify([table, 'edit'])
			const apply = (...changes: Parameters<SearchConnection['applyChanges']>[1]) =>
				connection.applyChanges(table, changes, call())
			const [inserted] = await apply({
				kind: 'insert',
				values: { _id: 'edit', 'who.name': 'Eve', n: { number: '9007199254740993' } },
			})
			expect(inserted).toMatchObject({ status: 'applied', rowId })
			const version = inserted?.status === 'applied' ? inserted.version : undefined
			expect(await apply({ kind: 'insert', values: { _id: 'edit' } })).toMatchObject([{ status: 'failed' }])
			const stale = version === undefined ? {} : { version }
			expect(await apply({ kind: 'update', rowId, ...stale, set: { 'who.age': 5 } })).toMatchObject([
				{ status: 'applied' },
			])
			expect(await apply({ kind: 'update', rowId, ...stale, set: { n: 1 } })).toMatchObject([{ status: 'conflict' }])
			expect(await apply({ kind: 'delete', rowId, ...stale })).toMatchObject([{ status: 'conflict' }])
			expect(await apply({ kind: 'update', rowId, set: { day: 'no date' } })).toMatchObject([
				{ status: 'failed', message: expect.stringContaining('[day]') },
			])
			const { body } = await request('GET', `/${table}/_source/edit`)
			expect(body).toEqual({ who: { name: 'Eve', age: 5 }, n: parseJson('9007199254740993') })
			expect(await apply({ kind: 'update', rowId, set: { 'who.age': { missing: true } } })).toMatchObject([
				{ status: 'applied' },
			])
			expect(await apply({ kind: 'delete', rowId })).toMatchObject([{ status: 'applied' }])
			expect(await apply({ kind: 'delete', rowId })).toMatchObject([{ status: 'conflict' }])
			expect(await apply({ kind: 'update', rowId, set: { n: 1 } })).toMatchObject([{ status: 'conflict' }])
		})

		test('pages go on behind 10,000, to the end and back', async () => {
			const grid = await connection.openGrid(
				{ table: many, filters: [], match: 'all', sort: [{ column: 'n', direction: 'desc' }] },
				call(),
			)
			for (const [offset, expected] of [
				[9_990, 509],
				[10_010, 489],
				[10_480, 19],
				[10_460, 39],
				[0, 10_499],
			] as const) {
				const page = decode(await grid.page({ offset, limit: 20 }, call()))
				expect(page.rows[0]?.cells[0], `at ${offset}`).toBe(String(expected))
				expect(page.total).toEqual({ value: 10_500, isExact: true })
			}
			await grid.close()
			const plain = await connection.openGrid({ table: many, filters: [], match: 'all', sort: [] }, call())
			const around = [
				decode(await plain.page({ offset: 9_980, limit: 20 }, call())),
				decode(await plain.page({ offset: 10_000, limit: 20 }, call())),
			]
			expect(new Set(around.flatMap(page => page.rows.map(row => row.id))).size).toBe(40)
			await plain.close()
		})

		test('read from the end, rows without a value and with several stand where they stand from the start', async () => {
			for (const sort of [
				{ column: 'm', direction: 'asc' },
				{ column: 'm', direction: 'desc' },
			] as const) {
				const query = { table: many, filters: [], match: 'all', sort: [sort] } as const
				const [stepping, jumping] = [await connection.openGrid(query, call()), await connection.openGrid(query, call())]
				const idsOf = async (grid: typeof stepping, offset: number) =>
					decode(await grid.page({ offset, limit: 1_000 }, call())).rows.map(row => row.id)
				// 9,100 is read from the start and leaves its end behind; 10,100 goes on there, or is jumped to from the end.
				await idsOf(stepping, 9_100)
				expect(await idsOf(jumping, 10_100)).toEqual(await idsOf(stepping, 10_100))
				await stepping.close()
				await jumping.close()
			}
		})

		async function exported(index: string, format: 'ndjson' | 'json' | 'csv', through = connection) {
			const file = await through.openExport({ ...queryOf(), table: index }, { format }, call())
			let text = ''
			for (let piece = await file.read(call()); piece !== undefined; piece = await file.read(call())) {
				text += new TextDecoder().decode(piece)
			}
			await file.close()
			return text
		}

		test('the list of tables counts documents, not the elements of their nested arrays', async () => {
			const tables = new Map((await connection.listTables(call())).map(known => [known.name, known.rowCount]))
			const rows = async (index: string) => (await connection.countRows({ ...queryOf(), table: index }, call())).value
			expect(tables.get(table)).toBe(await rows(table))
			expect(tables.get(many)).toBe(10_500)
		})

		test('a statement is assessed by what the cluster counts, and does nothing', async () => {
			const assess = (text: string) => Promise.resolve(connection.console.assess?.(statement(connection, text), call()))
			const affects = { value: 10_500, isExact: true }
			expect(await assess(`DELETE /${many}`)).toEqual({ affects, destroys: `the index ${many} with 10,500 documents` })
			const body = '{"query": {"range": {"n": {"lt": 100}}}}'
			expect(await assess(`POST /${many}/_delete_by_query\n${body}`)).toEqual({
				affects: { value: 100, isExact: true },
				destroys: `100 documents of ${many}`,
			})
			expect(await assess(`PUT /${many}/_doc/1\n{}`)).toMatchObject({ destroys: expect.stringContaining('holds now') })
			expect((await connection.countRows({ ...queryOf(), table: many }, call())).value).toBe(10_500)
		})

		test('completion reads the names and fields of the cluster', async () => {
			const labels = async (text: string) =>
				(await connection.console.complete?.(text, text.length, call()))?.options.map(({ label }) => label)
			expect(await labels(`GET /${table}`)).toContain(many)
			expect(await labels(`GET /${table}/_search\n{"sort": ["who`)).toEqual(
				expect.arrayContaining(['who.name', 'who.age']),
			)
		})

		test('an export holds every document once, as it was written', async () => {
			const lines = (await exported(many, 'ndjson')).trimEnd().split('\n')
			expect(new Set(lines).size).toBe(10_500)
			expect((await exported(table, 'ndjson')).split('\n')).toContain(
				`{"_index":"${table}","_id":"a","_source":${documents.find(([id]) => id === 'a')?.[1]}}`,
			)
			expect(await exported(table, 'csv')).toContain('9223372036854775807')
		})

		test('a scroll gives every document once, and is cleared', async () => {
			const body = { size: 4_000, sort: ['_doc'], track_total_hits: true, _source: false }
			let answer = await request('POST', `/${many}/_search?scroll=1m`, body)
			const seen = new Set<Json | undefined>()
			for (;;) {
				const { hits, _scroll_id } = answer.body as { hits: { hits: { _id: string }[] }; _scroll_id: string }
				for (const hit of hits.hits) seen.add(hit._id)
				if (hits.hits.length === 0) {
					expect(await request('DELETE', '/_search/scroll', { scroll_id: _scroll_id })).toMatchObject({ status: 200 })
					break
				}
				answer = await request('POST', '/_search/scroll', { scroll: '1m', scroll_id: _scroll_id })
			}
			expect(seen.size).toBe(10_500)
		})

		test('errors have the types and words that the driver reads', async () => {
			expect(await errorOf('GET', '/rh-nowhere/_search')).toMatchObject({
				status: 404,
				type: 'index_not_found_exception',
				reason: 'no such index [rh-nowhere]',
			})
			expect(await errorOf('POST', `/${many}/_search`, { from: 9_999, size: 2 })).toMatchObject({
				status: 400,
				type: 'illegal_argument_exception',
				reason: expect.stringMatching(
					/^Result window is too large, from \+ size must be less than or equal to: \[10000\] but was \[10001\]/,
				),
			})
			expect(await errorOf('POST', '/_search', { pit: { id: 'nonsense' } })).toMatchObject({ status: 400 })
			expect(await errorOf('POST', `/${table}/_search`, { query: { foo: {} } })).toMatchObject({
				status: 400,
				type: 'parsing_exception',
				reason: expect.stringContaining('unknown query [foo]'),
			})
			expect(await errorOf('POST', `/${table}/_search`, { sort: ['note'] })).toMatchObject({
				status: 400,
				type: 'illegal_argument_exception',
				reason: expect.stringContaining('Text fields are not optimised'),
			})
			expect(await errorOf('POST', `/${table}/_search`, { sort: ['nope'] })).toMatchObject({
				status: 400,
				type: 'query_shard_exception',
				reason: 'No mapping found for [nope] in order to sort on',
			})
			expect(await errorOf('POST', `/${table}/_search`, { query: { term: { n: 'abc' } } })).toMatchObject({
				status: 400,
				type: 'query_shard_exception',
				reason: expect.stringContaining('For input string: "abc"'),
			})
			expect(await errorOf('POST', `/${table}/_search`, { query: { wildcard: { n: '1*' } } })).toMatchObject({
				status: 400,
				type: 'query_shard_exception',
				reason: expect.stringContaining('Can only use wildcard queries on keyword, text and wildcard fields'),
			})
			expect(await errorOf('POST', `/${table}/_search`, { query: { query_string: { query: '(open' } } })).toMatchObject(
				{ status: 400, type: 'query_shard_exception', reason: 'Failed to parse query [(open]' },
			)
			expect(await errorOf('POST', `/${table}/_update/nobody`, { doc: { n: 1 } })).toMatchObject({
				status: 404,
				type: 'document_missing_exception',
			})
			expect(await errorOf('PUT', `/${table}/_doc/a?op_type=create`, {})).toMatchObject({
				status: 409,
				type: 'version_conflict_engine_exception',
			})
			expect(await errorOf('PUT', `/${table}/_doc/a?if_seq_no=999&if_primary_term=1`, {})).toMatchObject({
				status: 409,
				reason: expect.stringContaining(
					'version conflict, required seqNo [999], primary term [1]. current document has seqNo',
				),
			})
			expect(await errorOf('PUT', `/${table}`, {})).toMatchObject({
				status: 400,
				type: 'resource_already_exists_exception',
			})
		})

		test('a point-in-time that was closed is missing, and one is not told an index', async () => {
			const { body } = await request('POST', `/${many}/_pit?keep_alive=1m`)
			const id = isJsonObject(body) ? body.id : null
			expect(await errorOf('POST', `/${many}/_search`, { pit: { id: id as Json } })).toMatchObject({ status: 400 })
			expect((await request('DELETE', '/_pit', { id })).status).toBe(200)
			expect(await errorOf('POST', '/_search', { pit: { id: id as Json } })).toMatchObject({
				status: 404,
				type: 'search_context_missing_exception',
			})
		})

		test('a write is read at once, and searched after a refresh', async () => {
			await request('PUT', `/${table}/_doc/fresh`, { tag: 'fresh' })
			expect((await request('GET', `/${table}/_doc/fresh`)).status).toBe(200)
			await request('POST', `/${table}/_refresh`)
			expect(await found(filter('tag', 'equals', 'fresh'))).toBe('fresh')
			await request('DELETE', `/${table}/_doc/fresh?refresh=true`)
			expect(await found(filter('tag', 'equals', 'fresh'))).toBe('')
			expect((await request('DELETE', `/${table}/_doc/fresh`)).status).toBe(404)
		})

		test('an id of any characters is written, read, changed and deleted', async () => {
			for (const id of ['a/b', '%2F', 'a b?c#d', '..', '_sql', '😀', 'ü', '"', '\\', '+', '&=', 'x'.repeat(512)]) {
				const rowId = JSON.stringify([table, id])
				const change = (kind: 'update' | 'delete') =>
					kind === 'update' ? { kind, rowId, set: { n: 2 } } : { kind, rowId }
				const insert = { kind: 'insert', values: { _id: id, n: 1 } } as const
				const [inserted] = await connection.applyChanges(table, [insert], call())
				expect(inserted, id).toMatchObject({ status: 'applied', rowId })
				const outcomes = await connection.applyChanges(table, [change('update')], call())
				expect(decode(await connection.readRow(table, rowId, call())).document, id).toEqual({ n: 2 })
				expect([...outcomes, ...(await connection.applyChanges(table, [change('delete')], call()))], id).toMatchObject([
					{ status: 'applied' },
					{ status: 'applied' },
				])
			}
		})

		test('a new field is mapped by its first value, and a field outside the mapping shows', async () => {
			await request('PUT', `/${many}/_doc/dynamic?refresh=true`, {
				d: '2020-01-01',
				s: 'txt',
				f: 1.5,
				i: 3,
				b: true,
				o: { deep: 'x' },
			})
			const { columns } = await connection.describeTable(many, call())
			expect(
				columns
					.slice(3)
					.map(column => `${column.name}:${column.type}`)
					.sort(),
			).toEqual(['b:boolean', 'd:date', 'f:float', 'i:long', 'm:keyword', 'n:long', 'o.deep:text', 's:text'].sort())
			await request('DELETE', `/${many}/_doc/dynamic?refresh=true`)
		})

		test('aggregations give the same buckets', async () => {
			const aggs = {
				tags: { terms: { field: 'tag' } },
				months: { date_histogram: { field: 'at', calendar_interval: 'month' } },
				ages: { stats: { field: 'who.age' } },
				kinds: { cardinality: { field: 'tag' } },
				count: { value_count: { field: 'n' } },
			}
			const { body } = await request('POST', `/${table}/_search`, { size: 0, aggs })
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

		test('analysing gives words in lower case with their places', async () => {
			const { body } = await request('POST', '/_analyze', { analyzer: 'standard', text: "It's 2 Fox-Tails" })
			expect(isJsonObject(body) ? body.tokens : undefined).toMatchObject([
				{ token: "it's", start_offset: 0, end_offset: 4, type: '<ALPHANUM>', position: 0 },
				{ token: '2', type: '<NUM>', position: 1 },
				{ token: 'fox', position: 2 },
				{ token: 'tails', start_offset: 11, end_offset: 16, position: 3 },
			])
		})
	})
}

const keyword = { type: 'keyword' }

/** Every fortieth has no `m`, the others have two. */
function manySource(n: number): string {
	return n % 40 === 0 ? `{"n":${n}}` : `{"n":${n},"m":["${n % 7}","${n % 11}"]}`
}

const textWithKeyword = { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } }

const mappings = {
	properties: {
		at: { type: 'date' },
		day: { type: 'date', format: 'dd/MM/yyyy' },
		flag: { type: 'boolean' },
		ip: { type: 'ip' },
		n: { type: 'long' },
		note: { type: 'text' },
		other: { type: 'alias', path: 'who.name' },
		parts: { type: 'nested', properties: { kind: keyword, size: { type: 'integer' } } },
		price: { type: 'double' },
		small: { type: 'keyword', ignore_above: 10 },
		span: { type: 'integer_range' },
		tag: keyword,
		title: textWithKeyword,
		where: { type: 'geo_point' },
		who: { properties: { age: { type: 'integer' }, name: textWithKeyword } },
	},
}

const documents: readonly (readonly [id: string, source: string])[] = [
	[
		'a',
		`{"title":"The Quick Fox","note":"A fox runs.","tag":["red","blue"],"n":9223372036854775807,"price":1.10,
		"at":"2024-02-29T12:00:00.000Z","day":"03/02/2021","ip":"10.1.2.3","flag":true,"where":{"lat":48.1,"lon":11.5},
		"who":{"name":"Ann","age":30},"parts":[{"kind":"x","size":3},{"kind":"y","size":9}],"span":{"gte":1,"lte":9},"small":"short"}`,
	],
	[
		'b',
		`{"title":"Quick Brown Dogs","tag":"green","n":9223372036854775806,"price":2.5,"at":"2024-03-01","day":"04/05/2020",
		"ip":"10.0.1.1","flag":false,"who.name":"Ann","who":{"age":50},"parts":[{"kind":"x","size":7}],"small":"longer than ten"}`,
	],
	[
		'c',
		'{"title":"Brown","tag":["red"],"n":1,"price":0.5,"at":"2024-02-01T00:00:00Z","day":"31/12/2019","ip":"10.0.0.1","who":{"name":"Bob"},"parts":[]}',
	],
	['d', '{"note":"","n":3,"tag":null}'],
	['e', '{}'],
].map(([id = '', source = '']) => [id, source.replaceAll(/\s*\n\s*/g, '')] as const)

/** A path that a template stands for. */
function filled(template: string, table: string): string {
	return `/${template.replaceAll(':index', table).replaceAll(':x', '1').replaceAll('**', '1')}`
}
