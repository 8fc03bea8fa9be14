import { type ExportOptions, type GridQuery, type Progress, parseJson, stringifyJson } from '@roundhouse/kit'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SearchConnection } from '../connection.ts'
import { BatchSize } from '../grid/batch-size.ts'
import { books } from '../sample/data/books.ts'
import { call, direct, openSample } from '../test/fixture.ts'
import { recordRequests } from '../test/recorder.ts'
import { withEngine } from '../test/scripted-engine.ts'
import { OversizedAnswer } from '../transport/failure.ts'

let opened: Awaited<ReturnType<typeof openSample>>
beforeAll(async () => {
	opened = await openSample()
})
afterAll(() => opened[Symbol.asyncDispose]())

const queryOf = (table: string, more: Partial<GridQuery> = {}): GridQuery => ({
	table,
	filters: [],
	match: 'all',
	sort: [],
	...more,
})

async function textOf(query: GridQuery, options: ExportOptions, connection: SearchConnection = opened.connection) {
	const file = await connection.openExport(query, options, call())
	let text = ''
	for (let piece = await file.read(call()); piece !== undefined; piece = await file.read(call())) {
		text += new TextDecoder().decode(piece)
	}
	return text
}

/** Creates an index with these unchanged documents. */
async function indexOf(name: string, sources: readonly string[], properties: object = {}) {
	await direct(opened.sample.url, `/${name}`, { method: 'PUT', body: JSON.stringify({ mappings: { properties } }) })
	const lines = sources.map((source, at) => `{"index":{"_index":"${name}","_id":"${at}"}}\n${source}\n`).join('')
	await direct(opened.sample.url, '/_bulk?refresh=true', { method: 'POST', body: lines })
}
const remove = (name: string) => direct(opened.sample.url, `/${name}`, { method: 'DELETE' })

test('NDJSON contains each complete document on one line, with its index and id', async () => {
	const lines = (await textOf(queryOf('books'), { format: 'ndjson' })).split('\n')
	expect(lines.pop()).toBe('')
	expect(lines).toHaveLength(3003)
	const byId = new Map([...books(3000)].map(book => [book.id, stringifyJson(book.source)]))
	for (const line of lines) {
		const { _index, _id, _source } = JSON.parse(line)
		expect(_index).toBe('books')
		expect(byId.get(_id), _id).toBeDefined()
		expect(line.endsWith(`,"_source":${byId.get(_id)}}`), JSON.stringify(_source)).toBe(true)
	}
})

test('exports any document with every digit, in JSON and in NDJSON', async () => {
	const number = fc.stringMatching(/^-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?(e[+-]?[0-9]{1,3})?$/)
	await fc.assert(
		fc.asyncProperty(fc.array(number, { minLength: 1, maxLength: 5 }), fc.string(), async (numbers, text) => {
			const source = `{"opaque":{"numbers":[${numbers.join(',')}],"text":${JSON.stringify(text.toWellFormed())}}}`
			await indexOf('digits', [source], { opaque: { type: 'object', enabled: false } })
			const expected = `{"_index":"digits","_id":"0","_source":${source}}`
			expect(await textOf(queryOf('digits'), { format: 'ndjson' })).toBe(`${expected}\n`)
			expect(await textOf(queryOf('digits'), { format: 'json' })).toBe(`[\n${expected}\n]\n`)
			await remove('digits')
		}),
		{ numRuns: 30 },
	)
})

test('JSON is one array, also without rows', async () => {
	const rows = JSON.parse(await textOf(queryOf('places'), { format: 'json' }))
	expect(rows).toHaveLength(2500)
	const none = queryOf('places', { filters: [{ column: '_id', operator: 'equals', values: ['missing'] }] })
	expect(JSON.parse(await textOf(none, { format: 'json' }))).toEqual([])
	expect(await textOf(none, { format: 'ndjson' })).toBe('')
	expect(await textOf(none, { format: 'csv', columns: ['_id', 'name'] })).toBe('_id,name\r\n')
})

test('exports by the filter and sort of the grid', async () => {
	const query = queryOf('books', {
		filters: [{ column: 'author.country', operator: 'equals', values: ['DE'] }],
		sort: [{ column: 'pages', direction: 'desc' }],
	})
	const lines = (await textOf(query, { format: 'csv', columns: ['author.country', 'pages'] })).trimEnd().split('\r\n')
	const rows = lines.slice(1).map(line => line.split(','))
	expect(rows.length).toBeGreaterThan(10)
	expect(rows.every(([country]) => country === 'DE')).toBe(true)
	const pages = rows.map(row => Number(row[1] === '' ? -1 : row[1]))
	expect(pages).toEqual(pages.toSorted((a, b) => b - a))
})

test('CSV follows RFC 4180: missing and null are empty, an empty text is quoted, nothing is cut', async () => {
	const long = JSON.stringify(Array.from({ length: 4_000 }, (_, at) => at))
	await indexOf(
		'csv',
		['{"t":"a \\"b\\", c\\r\\nd","n":1.10,"o":{"x":[1,2]}}', '{"t":"","n":null}', `{"t":" x","a":${long}}`],
		{ t: { type: 'keyword' }, n: { type: 'double' }, o: { properties: { x: { type: 'long' } } }, a: { type: 'long' } },
	)
	expect(await textOf(queryOf('csv'), { format: 'csv' })).toBe(
		`_id,_index,t,n,o.x,a\r\n0,csv,"a ""b"", c\r\nd",1.10,"[1,2]",\r\n1,csv,"",,,\r\n2,csv," x",,,"${long}"\r\n`,
	)
	await remove('csv')
})

test('guards text that a spreadsheet would run as a formula, if requested, but never numbers', async () => {
	const texts = ['=1+1', '+1+1', '-SZab', '@SUM(A1)', '\tx', ' =1', '＝1', 'plain', "it's"]
	await indexOf(
		'formulas',
		texts.map(t => JSON.stringify({ t, n: -5 })),
		{ t: { type: 'keyword' } },
	)
	const column = async (guardFormulas: boolean) => {
		const text = await textOf(queryOf('formulas'), { format: 'csv', columns: ['n', 't'], guardFormulas })
		return text.trimEnd().split('\r\n').slice(1)
	}
	expect(await column(true)).toEqual([
		"-5,'=1+1",
		"-5,'+1+1",
		'-5,-SZab',
		"-5,'@SUM(A1)",
		"-5,'\tx",
		"-5,' =1",
		"-5,'＝1",
		'-5,plain',
		"-5,it's",
	])
	expect(await column(false)).toEqual([
		'-5,=1+1',
		'-5,+1+1',
		'-5,-SZab',
		'-5,@SUM(A1)',
		'-5,"\tx"',
		'-5," =1"',
		'-5,＝1',
		'-5,plain',
		"-5,it's",
	])
	await remove('formulas')
})

test('selected columns keep the shape of the document', async () => {
	const columns = ['author.name', 'pages']
	const text = await textOf(queryOf('books'), { format: 'ndjson', columns, rowIds: ['["books","7"]'] })
	const { _source } = JSON.parse(text)
	expect(Object.keys(_source)).toEqual(['author', 'pages'].filter(key => key in _source))
	expect(Object.keys(_source.author)).toEqual(['name'])
	const dotted = await textOf(queryOf('books'), { format: 'ndjson', columns, rowIds: ['dotted-key'] })
	expect(JSON.parse(dotted)._source).toHaveProperty(['author.name'])
})

test('exports a selection in its order, and fails for a missing row', async () => {
	const rowIds = ['["books","9"]', '["books","3"]', '7']
	const text = await textOf(queryOf('books'), { format: 'csv', columns: ['_id'], rowIds })
	expect(text).toBe('_id\r\n9\r\n3\r\n7\r\n')
	await expect(textOf(queryOf('books'), { format: 'csv', rowIds: ['3', 'missing'] })).rejects.toMatchObject({
		code: 'not_found',
		message: expect.stringContaining('no document with the _id "missing"'),
	})
})

test('the view does not change while it is read, and progress increases to the total', async () => {
	await using own = await openSample()
	const seen: Progress[] = []
	const noting = { ...call(), progress: (progress: Progress) => void seen.push(progress) }
	const file = await own.connection.openExport(queryOf('events'), { format: 'ndjson' }, noting)
	let text = new TextDecoder().decode(await file.read(noting))
	await direct(own.sample.url, '/events/_doc/ev-23999', { method: 'DELETE' })
	await direct(own.sample.url, '/events/_doc/new?refresh=true', { method: 'PUT', body: '{}' })
	for (let piece = await file.read(noting); piece !== undefined; piece = await file.read(noting)) {
		text += new TextDecoder().decode(piece)
	}
	expect(text.trimEnd().split('\n')).toHaveLength(24_000)
	expect(text).toContain('"_id":"ev-23999"')
	expect(seen.at(-1)).toEqual({ done: 24_000, total: 24_000 })
	expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).toSorted((a, b) => a - b))
})

test('closes the view at the end, after a cancel and after its loss; the last two do not complete', async () => {
	const recorder = await recordRequests(opened.sample.url)
	const closings = () => recorder.requests.filter(({ line }) => line === 'DELETE /_pit').length
	await textOf(queryOf('books'), { format: 'ndjson' }, recorder.connection)
	expect(closings()).toBe(1)

	const stopped = await recorder.connection.openExport(queryOf('events'), { format: 'ndjson' }, call())
	await stopped.read(call())
	await expect(stopped.read(call(AbortSignal.abort()))).rejects.toMatchObject({ code: 'user_cancelled' })
	expect(closings()).toBe(2)
	expect(await stopped.read(call())).toBeUndefined()

	const lost = await recorder.connection.openExport(queryOf('events'), { format: 'ndjson' }, call())
	let lines = 0
	const readOn = async () => {
		lines += new TextDecoder()
			.decode(await lost.read(call()))
			.trimEnd()
			.split('\n').length
	}
	await readOn()
	const pit = recorder.requests.flatMap(({ body }) => (body as { pit?: { id: string } })?.pit?.id ?? []).at(-1)
	await direct(opened.sample.url, '/_pit', { method: 'DELETE', body: JSON.stringify({ id: pit }) })
	// The next batch may already have been requested.
	const failure: unknown = await readOn()
		.then(readOn, error => error)
		.catch(error => error)
	expect(failure).toMatchObject({
		code: 'query_failed',
		message: expect.stringContaining(
			`lost after ${lines.toLocaleString('en')} documents, so the export is not complete`,
		),
	})
	await recorder.close()
})

test('7.x before 7.12 exports by scroll, with the same file', async () => {
	await using old = await openSample({}, '7.9.3')
	const recorder = await recordRequests(old.sample.url)
	const query = queryOf('books', { sort: [{ column: 'pages', direction: 'asc' }] })
	const text = await textOf(query, { format: 'ndjson' }, recorder.connection)
	expect(text).toBe(await textOf(query, { format: 'ndjson' }))
	expect(recorder.requests.map(({ line }) => line)).toContain('POST /_search/scroll')
	expect(recorder.requests.at(-1)?.line).toBe('DELETE /_search/scroll')
	await recorder.close()
})

test('adapts the size of a batch to the size of the documents', async () => {
	const batch = new BatchSize()
	const asked: number[] = []
	const sizeOf = (size: number) => size
	const answerOf =
		(bytesARow: number, limit = Number.POSITIVE_INFINITY) =>
		async (rows: number) => {
			asked.push(rows)
			if (rows * bytesARow > limit) throw new OversizedAnswer('too large')
			return rows * bytesARow
		}
	for (let round = 0; round < 4; round++) await batch.read({ ask: answerOf(100), sizeOf })
	await batch.read({ ask: answerOf(1_000_000, 128_000_000), sizeOf })
	await batch.read({ ask: answerOf(1_000_000, 128_000_000), sizeOf })
	expect(asked).toEqual([200, 3_200, 10_000, 10_000, 10_000, 1_000, 100, 4])
	await expect(new BatchSize().read({ ask: answerOf(1e9, 1), sizeOf })).rejects.toBeInstanceOf(OversizedAnswer)
})

test('the content of the file is JSON that keeps its numbers through the kit', async () => {
	const text = await textOf(queryOf('books'), { format: 'json', rowIds: ['1', '2'] })
	expect(stringifyJson(parseJson(text))).toBe(text.replaceAll('\n', ''))
})

test('a limited export contains the first rows, and is complete', async () => {
	const first = async (limit: number) =>
		JSON.parse(await textOf(queryOf('books'), { format: 'json', limit })).map(({ _id }: { _id: string }) => _id)
	const [all, some] = [await first(10_000), await first(450)]
	expect([all.length, some]).toEqual([3003, all.slice(0, 450)])
	expect(await first(1)).toEqual([all[0]])
})

test('a CSV of chosen columns requests only these, unless the engine would reprint them', async () => {
	const recorder = await recordRequests(opened.sample.url)
	const sourceOf = async (columns: readonly string[]) => {
		recorder.clear()
		const text = await textOf(queryOf('books'), { format: 'csv', columns }, recorder.connection)
		expect(text).toBe(await textOf(queryOf('books'), { format: 'csv', columns }))
		const bodies = recorder.requests.map(({ body }) => body as { _source?: unknown; size?: number } | undefined)
		return bodies.find(body => body?.size !== undefined)?._source
	}
	expect(await sourceOf(['_id', 'title', 'author.name'])).toEqual({ includes: ['title', 'author'] })
	expect(await sourceOf(['_id'])).toEqual({ includes: ['_id'] })
	expect(await sourceOf(['title', 'price'])).toBeUndefined()
	await recorder.close()
})

test.each([
	{ timed_out: true },
	{ _shards: { total: 2, failed: 1 } },
])('an export fails for an answer with %o', async trouble => {
	const hits = { total: { value: 1, relation: 'eq' }, hits: [{ _index: 'a', _id: '1', _source: {}, sort: [1] }] }
	const answers = {
		'GET /a/_mapping': [200, { a: { mappings: {} } }],
		'POST /a/_pit': [200, { id: 'x' }],
		'POST /_search': [200, { ...trouble, hits }],
		'DELETE /_pit': [200, {}],
	} as const
	await withEngine(answers, async connection => {
		await expect(textOf(queryOf('a'), { format: 'ndjson' }, connection)).rejects.toThrow('export is not complete')
	})
})
