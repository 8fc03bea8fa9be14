import { type Filter, type GridOpening, type GridQuery, parseJson, rawText, type Sort } from '@roundhouse/kit'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../tests/contract/proves.ts'
import { books } from '../sample/data/books.ts'
import { events } from '../sample/data/events.ts'
import { placeDocuments } from '../sample/data/places.ts'
import { call, decode, direct, openSample, statement } from '../test/fixture.ts'
import { recordRequests } from '../test/recorder.ts'
import { withEngine } from '../test/scripted-engine.ts'

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

const queryOf = (table: string, more: Partial<GridQuery> = {}): GridQuery => ({
	table,
	filters: [],
	match: 'all',
	sort: [],
	...more,
})
const sortBy = (column: string, direction: 'asc' | 'desc' = 'asc'): Sort[] => [{ column, direction }]
const filter = (column: string, operator: Filter['operator'], ...values: string[]): Filter => ({
	column,
	operator,
	values,
})

async function pageOf(query: GridQuery, offset = 0, limit = 20) {
	const grid = await opened.connection.openGrid(query, call())
	const page = decode(await grid.page({ offset, limit }, call()))
	await grid.close()
	return page
}

async function column(query: GridQuery, name: string, limit = 20) {
	const { columns, rows } = await pageOf(query, 0, limit)
	const at = columns.findIndex(known => known.name === name)
	return rows.map(row => row.cells[at])
}

test('a page requests what an edit needs, and nothing twice', async () => {
	const { connection } = recorder
	const grid = await connection.openGrid(
		queryOf('places', { sort: sortBy('name'), filters: [filter('category', 'equals', 'park')] }),
		call(),
	)
	recorder.clear()
	await grid.page({ offset: 0, limit: 2 }, call())
	await grid.page({ offset: 2, limit: 2 }, call())
	expect(recorder.requests).toEqual([
		{
			line: 'POST /places/_search',
			body: {
				from: 0,
				size: 2,
				query: { bool: { filter: [{ term: { category: { value: 'park' } } }] } },
				seq_no_primary_term: true,
				track_total_hits: true,
				sort: [{ 'name.keyword': { order: 'asc' } }],
			},
		},
		{ line: 'POST /places/_search', body: expect.objectContaining({ from: 2, track_total_hits: false }) },
	])
	await grid.close()
})

test('requests the first rows while the mapping is read, and again only if it changes the search', async () => {
	const { connection } = recorder
	const searches = () => recorder.requests.filter(({ line }) => line === 'POST /early/_search').length
	const put = (path: string, body: object) =>
		direct(opened.sample.url, path, { method: 'PUT', body: JSON.stringify(body) })
	await put('/early', { mappings: { properties: { name: { type: 'text' } } } })
	await put('/early/_doc/1?refresh=true', { name: 'x' })
	const open = async (more: Partial<GridQuery>) => {
		recorder.clear()
		const opening: GridOpening = { ...queryOf('early', more), firstPage: 20 }
		const grid = await connection.openGrid(opening, call())
		const page = decode(await grid.page({ offset: 0, limit: 20 }, call()))
		await grid.close()
		return page
	}
	expect((await open({})).rows).toHaveLength(1)
	expect(searches()).toBe(1)
	expect((await open({ filters: [filter('name', 'exists')], sort: sortBy('name') })).notices).toHaveLength(1)
	expect(searches()).toBe(1)
	// The cached mapping is stale now.
	await put('/early/_mapping', { properties: { name: { type: 'text', fields: { keyword: { type: 'keyword' } } } } })
	expect((await open({ sort: sortBy('name'), isReload: true })).notices).toEqual([])
	expect(searches()).toBe(2)
	expect((await open({ sort: sortBy('name') })).rows).toHaveLength(1)
	expect(searches()).toBe(1)
	await expect(open({ table: 'nowhere' })).rejects.toMatchObject({ code: 'not_found' })
	await direct(opened.sample.url, '/early', { method: 'DELETE' })
})

test('reads a mapping once, until a reload or a write of this connection', async () => {
	const { connection } = recorder
	const put = (path: string, body: object) =>
		direct(opened.sample.url, path, { method: 'PUT', body: JSON.stringify(body) })
	const write = (text: string) => connection.console.run(statement(connection, text), { maxRows: 1 }, call())
	const open = async (more: Partial<GridQuery> = {}) => {
		recorder.clear()
		const grid = await connection.openGrid(queryOf('kept', more), call())
		const { columns } = decode(await grid.page({ offset: 0, limit: 20 }, call()))
		await grid.close()
		const reads = recorder.requests.filter(({ line }) => line === 'GET /kept/_mapping').length
		return { reads, columns: columns.slice(3).map(({ name, type }) => `${name} ${type}`) }
	}
	await put('/kept', { mappings: { properties: { a: { type: 'long' } } } })
	expect(await open()).toEqual({ reads: 1, columns: ['a long'] })
	expect(await open({ sort: sortBy('a') })).toEqual({ reads: 0, columns: ['a long'] })
	// Another client adds a field, and a document with it.
	await put('/kept/_mapping', { properties: { b: { type: 'keyword' } } })
	await put('/kept/_doc/1?refresh=true', { b: 'x' })
	expect(await open()).toEqual({ reads: 0, columns: ['a long', 'b unmapped'] })
	expect(await open({ isReload: true })).toEqual({ reads: 1, columns: ['b keyword', 'a long'] })
	await write('PUT /kept/_mapping\n{"properties":{"c":{"type":"date"}}}')
	expect(await open()).toEqual({ reads: 1, columns: ['b keyword', 'a long', 'c date'] })
	expect((await open()).reads).toBe(0)
	await direct(opened.sample.url, '/kept', { method: 'DELETE' })
})

test('shows large integers and decimals with every digit', async () => {
	const [row] = (await pageOf(queryOf('books', { filters: [filter('_id', 'equals', 'collected-works')] }))).rows
	expect(row?.cells).toContainEqual({ number: '9223372036854775807' })
	expect(row?.cells).toContainEqual({ number: '18446744073709551615' })
	expect(row?.cells).toContainEqual({ number: '249.00' })
})

test(proves('B.cells.json', 'cuts an array over 10,000 characters in the page, but not in the whole row'), async () => {
	const query = queryOf('books', { filters: [filter('_id', 'equals', 'collected-works')] })
	const [cell] = await column(query, 'excerpts')
	if (typeof cell !== 'object' || cell === null || !('json' in cell)) throw new Error('not JSON')
	expect(cell.json).toHaveLength(10_003)
	expect(cell.json.endsWith('...')).toBe(true)
	expect(cell.cutFrom).toBeGreaterThan(1_000_000)
	const [row] = (await pageOf(query)).rows
	const whole = await opened.connection.readRow('books', row?.id ?? '', call())
	expect(whole.length).toBeGreaterThan(1_000_000)
	expect(parseJson(rawText(decode(whole)))).toMatchObject({ excerpts: { length: 6000 } })
})

test('distinguishes null, missing and empty', async () => {
	const ids = queryOf('books', { filters: [filter('_id', 'in', '17', '23', 'dotted-key')] })
	expect(await column(ids, 'summary')).toEqual([null, '', { missing: true }])
})

test('shows a literal dotted key in the column of the field', async () => {
	expect(await column(queryOf('books', { filters: [filter('_id', 'equals', 'dotted-key')] }), 'author.name')).toEqual([
		'Ada Novák',
	])
})

test('shows a key outside the mapping as a column marked as unmapped', async () => {
	const page = await pageOf(queryOf('places'), 0, 50)
	expect(page.columns.at(-1)).toMatchObject({ name: 'legacy_code', type: 'unmapped', isSortable: false })
	expect(page.rows.every(row => row.cells.length === page.columns.length)).toBe(true)
})

test('limits the columns of documents that use keys as data', async () => {
	const body = JSON.stringify(Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`key-${at}`, at])))
	const mappings = JSON.stringify({ mappings: { dynamic: false, properties: { a: { type: 'long' } } } })
	await direct(opened.sample.url, '/keys', { method: 'PUT', body: mappings })
	await direct(opened.sample.url, '/keys/_doc/1?refresh=true', { method: 'PUT', body })
	const page = await pageOf(queryOf('keys'))
	expect(page.columns).toHaveLength(504)
	expect(page.notices).toEqual([expect.stringContaining('Only 500 of the keys outside the mapping')])
	await direct(opened.sample.url, '/keys', { method: 'DELETE' })
})

test('shows one value for each element of a nested field', async () => {
	const query = queryOf('books', { filters: [filter('reviews.stars', 'equals', '5')] })
	const stars = await column(query, 'reviews.stars')
	for (const cell of stars) expect(JSON.parse((cell as { json: string }).json)).toContain(5)
})

test('filters on one nested object apply to the same element', async () => {
	const both = [filter('reviews.stars', 'equals', '5'), filter('reviews.user', 'starts_with', 'ada')]
	const reviews = await column(queryOf('books', { filters: both }), 'reviews', 200)
	expect(reviews.length).toBeGreaterThan(0)
	for (const cell of reviews) {
		const elements = JSON.parse((cell as { json: string }).json) as { stars: number; user: string }[]
		expect(elements.some(({ stars, user }) => stars === 5 && user.startsWith('ada'))).toBe(true)
	}
})

// biome-ignore lint/suspicious/noExplicitAny: a predicate on generated documents, whose shape it knows.
type Predicate = (document: any, id: string) => boolean
const documents: Readonly<Record<string, readonly { readonly id: string; readonly source: unknown }[]>> = {
	books: [...books(3000)],
	places: [...placeDocuments(2500)],
	events: [...events(24_000)],
}

test.each<[string, Filter, Predicate]>([
	[
		'books',
		filter('genres', 'in', 'crime', 'poetry'),
		book => book.genres?.some((genre: string) => /crime|poetry/.test(genre)),
	],
	['books', filter('title', 'contains', 'LIGHTHOUSE'), book => /lighthouse/i.test(book.title)],
	['books', filter('title', 'ends_with', 's'), book => book.title.endsWith('s')],
	['books', filter('title', 'wildcard', 'The * Map'), book => /^The .* Map$/.test(book.title)],
	['books', filter('summary', 'equals', 'Turku'), book => /\bturku\b/i.test(book.summary ?? '')],
	['books', filter('isbn', 'equals', '9223372036854775807'), (_, id) => id === 'collected-works'],
	['books', filter('isbn', 'equals', '9223372036854775806'), () => false],
	['books', filter('barcode', 'greater', '18446744073709551614'), (_, id) => id === 'collected-works'],
	['books', filter('price', 'less', '10'), book => Number(book.price?.rawJSON ?? book.price) < 10],
	['books', filter('author.country', 'not_in', 'DE', 'FR'), book => !/DE|FR/.test(book.author?.country ?? '')],
	[
		'books',
		filter('author.name', 'equals', 'Ada Novák'),
		book => (book.author?.name ?? book['author.name']) === 'Ada Novák',
	],
	['books', filter('cover', 'exists'), book => book.cover !== undefined],
	['books', filter('summary', 'missing'), book => typeof book.summary !== 'string'],
	[
		'books',
		filter('published', 'between', '2000-01', '2000-06'),
		book => book.published >= '2000-01-01' && book.published <= '2000-06-01',
	],
	['books', filter('reviews', 'missing'), book => !book.reviews?.length],
	[
		'places',
		filter('gateway', 'equals', '10.0.0.0/9'),
		place => /^10\.(\d{1,2}|1[01]\d|12[0-7])\./.test(place.gateway),
	],
	[
		'places',
		filter('closed', 'greater', '2015-06-01'),
		({ closed = '' }) => closed.split('/').reverse().join('-') > '2015-06-01',
	],
	['places', filter('wheelchair', 'equals', 'false'), place => !place.wheelchair],
	['events', filter('@timestamp', 'less', '2024-02-01'), event => event['@timestamp'] < '2024-02-01'],
	[
		'events',
		filter('event_id', 'less_or_equal', '7205759403800000000'),
		event => BigInt(event.event_id.rawJSON ?? event.event_id) <= 7205759403800000000n,
	],
])('%s: %o finds exactly the matching documents', async (table, given, fits) => {
	const expected = documents[table]?.filter(({ source, id }) => fits(source, id)).length
	const { value } = await opened.connection.countRows(queryOf(table, { filters: [given] }), call())
	const page = await pageOf(queryOf(table, { filters: [given] }), 0, 1)
	expect(page.total).toEqual({ value, isExact: true })
	expect(value).toBe(expected)
	const raw = await opened.connection.filterText(queryOf(table, { filters: [given] }), call())
	expect(await opened.connection.countRows(queryOf(table, { raw }), call())).toEqual({ value, isExact: true })
})

test(proves('B.filter.raw', 'the raw query searches all fields and ranks'), async () => {
	const page = await pageOf(queryOf('books', { raw: 'lighthouse AND author.country:DE' }))
	expect(page.rows.length).toBeGreaterThan(0)
	expect(page.rows[0]?.cells[2]).not.toEqual({ number: '0.0' })
	await expect(pageOf(queryOf('books', { raw: 'title:(open' }))).rejects.toThrow(
		'Syntax error at character 7, near “(open”: the parenthesis is not closed.',
	)
})

test(proves('B.sort.dropped', 'rows keep their order if a sort is dropped, and the page says why'), async () => {
	const plain = await pageOf(queryOf('books'))
	const dropped = await pageOf(queryOf('books', { sort: [...sortBy('_id'), ...sortBy('summary')] }))
	expect(dropped.rows.map(row => row.id)).toEqual(plain.rows.map(row => row.id))
	expect(dropped.notices).toHaveLength(2)
})

const newestFirst = queryOf('events', { sort: sortBy('@timestamp', 'desc') })

test(proves('B.paging.deep', 'pages past 10,000 continue exactly, in both directions and after a jump'), async () => {
	const grid = await opened.connection.openGrid(newestFirst, call())
	const idsAt = async (offset: number, limit = 100) => {
		const page = decode(await grid.page({ offset, limit }, call()))
		return page.rows.map(row => row.id)
	}
	const expected = (offset: number, length: number) =>
		Array.from({ length }, (_, index) => JSON.stringify(['events', `ev-${24_000 - offset - index}`]))
	for (const [offset, rows] of [
		[9_950, 100],
		[10_050, 100],
		[23_980, 20],
		[23_880, 100],
		[12_345, 100],
		[12_445, 100],
		[9_900, 100],
		[15_000, 100],
	] as const) {
		expect(await idsAt(offset), `at ${offset}`).toEqual(expected(offset, rows))
	}
	expect(await idsAt(24_000)).toEqual([])
	expect(await idsAt(30_000)).toEqual([])
	await grid.close()
})

test('with an open view the next page takes one request at any depth, and closing closes the view', async () => {
	const grid = await recorder.connection.openGrid(newestFirst, call())
	await grid.page({ offset: 12_000, limit: 100 }, call())
	recorder.clear()
	await grid.page({ offset: 12_100, limit: 100 }, call())
	await grid.page({ offset: 12_200, limit: 100 }, call())
	expect(recorder.requests.map(({ line }) => line)).toEqual(['POST /_search', 'POST /_search'])
	recorder.clear()
	// The last page is read from the end, without a walk over 24,000 rows.
	await grid.page({ offset: 23_950, limit: 50 }, call())
	expect(recorder.requests).toHaveLength(1)
	recorder.clear()
	await grid.close()
	expect(recorder.requests.map(({ line }) => line)).toEqual(['DELETE /_pit'])
})

test('renews the view: each search uses the id of the previous answer', async () => {
	const grid = await recorder.connection.openGrid(newestFirst, call())
	recorder.clear()
	await grid.page({ offset: 12_000, limit: 10 }, call())
	await grid.page({ offset: 12_010, limit: 10 }, call())
	await grid.close()
	const bodies = recorder.requests.map(
		({ body }) => body as { id?: string; pit?: { id: string; keep_alive: string } } | undefined,
	)
	const ids = bodies.flatMap(body => body?.pit?.id ?? body?.id ?? [])
	expect(new Set(ids).size).toBe(ids.length)
	expect(ids.length).toBeGreaterThanOrEqual(4)
	expect(bodies.flatMap(body => body?.pit?.keep_alive ?? [])).toContain('5m')
})

test('opens an expired view again, and reports that', async () => {
	const grid = await recorder.connection.openGrid(newestFirst, call())
	recorder.clear()
	await grid.page({ offset: 10_000, limit: 10 }, call())
	const pit = recorder.requests.flatMap(({ body }) => (body as { pit?: { id: string } })?.pit?.id ?? []).at(-1)
	await direct(opened.sample.url, '/_pit', { method: 'DELETE', body: JSON.stringify({ id: pit }) })
	const page = decode(await grid.page({ offset: 10_010, limit: 10 }, call()))
	expect(page.rows[0]?.id).toBe(JSON.stringify(['events', 'ev-13990']))
	expect(page.notices).toEqual([expect.stringContaining('expired and was opened again')])
	await grid.close()
})

test('the view does not change during writes', async () => {
	await using own = await openSample()
	const grid = await own.connection.openGrid(newestFirst, call())
	await grid.page({ offset: 10_000, limit: 10 }, call())
	await direct(own.sample.url, '/events/_doc/new?refresh=true', {
		method: 'PUT',
		body: '{"@timestamp":"2030-01-01T00:00:00.000Z"}',
	})
	const page = decode(await grid.page({ offset: 10_010, limit: 1 }, call()))
	expect(page.rows[0]?.id).toBe(JSON.stringify(['events', 'ev-13990']))
	await grid.close()
})

test(
	proves('B.paging.fixed', 'a lowered max_result_window fails before the switch, and the message has the remedy'),
	async () => {
		await using own = await openSample()
		await direct(own.sample.url, '/events/_settings', { method: 'PUT', body: '{"index":{"max_result_window":500}}' })
		const grid = await own.connection.openGrid(queryOf('events'), call())
		await expect(grid.page({ offset: 450, limit: 100 }, call())).rejects.toThrow(
			/Result window is too large.*index\.max_result_window/,
		)
		await grid.close()
	},
)

test('reports that 7.x lacks a point-in-time', async () => {
	await using old = await openSample({}, '7.9.3')
	const grid = await old.connection.openGrid(queryOf('events'), call())
	await expect(grid.page({ offset: 10_000, limit: 10 }, call())).rejects.toThrow(
		'7.9.3 cannot page past 10,000 documents',
	)
	await grid.close()
})

test('reads an alias like an index, and its rows name the actual index', async () => {
	const page = await pageOf(queryOf('library'), 0, 1)
	expect(page.rows[0]?.id).toBe(JSON.stringify(['books', '1']))
})

test('pages of any size together contain each row of the index once', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 150, max: 1500 }),
			fc.constantFrom('rating', 'opened', 'address.city'),
			async (limit, name) => {
				const grid = await opened.connection.openGrid(queryOf('places', { sort: sortBy(name) }), call())
				const seen: string[] = []
				for (let offset = 0; offset < 2500; offset += limit) {
					seen.push(...decode(await grid.page({ offset, limit }, call())).rows.map(row => row.id))
				}
				await grid.close()
				expect(new Set(seen).size).toBe(2500)
				expect(seen).toHaveLength(2500)
			},
		),
		{ numRuns: 6 },
	)
})

test('a total is not exact if shards failed', async () => {
	const hits = { total: { value: 5, relation: 'eq' }, hits: [] }
	const answers = {
		'GET /a/_mapping': [200, { a: { mappings: {} } }],
		'POST /a/_search': [200, { _shards: { total: 2, failed: 1 }, hits }],
	} as const
	await withEngine(answers, async connection => {
		const grid = await connection.openGrid({ table: 'a', filters: [], match: 'all', sort: [] }, call())
		const { total } = decode(await grid.page({ offset: 0, limit: 10 }, call()))
		expect(total).toEqual({ value: 5, isExact: false })
		await grid.close()
	})
})

test('a query that fails on every shard that is not skipped is an error, not an empty page', async () => {
	const hits = { total: { value: 0, relation: 'eq' }, hits: [] }
	const failures = [{ reason: { type: 'query_shard_exception', reason: 'Failed to parse query [message:"open]' } }]
	const answers = {
		'GET /a/_mapping': [200, { a: { mappings: {} } }],
		'POST /a/_search': [200, { _shards: { total: 26, successful: 25, skipped: 25, failed: 1, failures }, hits }],
	} as const
	await withEngine(answers, async connection => {
		const grid = await connection.openGrid({ table: 'a', filters: [], match: 'all', sort: [] }, call())
		await expect(grid.page({ offset: 0, limit: 10 }, call())).rejects.toThrow(
			'No shard could search: “Failed to parse query [message:"open]”.',
		)
		await grid.close()
	})
})
