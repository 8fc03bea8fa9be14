import { expect, test } from 'vitest'
import { call, decode, statement } from '../test/fixture.ts'
import { scriptedEngine } from '../test/scripted-engine.ts'

async function run(text: string, body: unknown) {
	await using engine = await scriptedEngine({ body })
	const { connection } = engine
	return decode(await connection.console.run(statement(connection, text), { maxRows: 100 }, call()))
}

async function table(text: string, answer: unknown) {
	const { body, notices } = await run(text, answer)
	if (body.view !== 'rows') throw new Error(`not a table: ${body.view}`)
	return { names: body.columns.map(({ name }) => name), types: body.columns.map(({ type }) => type), ...body, notices }
}

/** A missing cell. */
const none = { missing: true }
const shards = { total: 2, successful: 2, skipped: 0, failed: 0 }
const hit = { _index: 'a', _id: '1', _score: 1, _source: { x: 1 } }
const found = { took: 1, timed_out: false, _shards: shards, hits: { total: { value: 1, relation: 'eq' }, hits: [hit] } }
const empty = { ...found, hits: { total: { value: 1, relation: 'eq' }, hits: [] } }

test('a bulk answer is a row for each action, and failed ones are counted although the engine answers 200', async () => {
	const items = [
		{ update: { _index: 'a', _id: '1', status: 200, result: 'updated', _shards: { failed: 0 } } },
		{ create: { _index: 'a', _id: '2', status: 409, error: { type: 'version_conflict', reason: 'exists' } } },
	]
	const { names, rows, notices } = await table('POST /_bulk', { took: 3, errors: true, items })
	expect(names).toEqual(['action', '_index', '_id', 'status', 'result', 'error'])
	expect(rows[1]).toEqual(['create', 'a', '2', 409, { missing: true }, 'version_conflict: exists'])
	expect(notices).toEqual(['1 of 2 actions failed.'])
	expect((await table('POST /_bulk', { errors: false, items: items.slice(0, 1) })).notices).toEqual([])
})

test('notices name what the rows do not show', async () => {
	const rest = {
		profile: { shards: [] },
		suggest: { s: [{ text: 'x', options: [] }] },
		_scroll_id: 'abc',
		terminated_early: true,
		aggregations: { a: { value: 1 } },
	}
	const { rows, notices } = await table('GET /a/_search', { ...found, ...rest })
	expect(rows).toHaveLength(1)
	expect(notices).toEqual(['The answer also contains profile and terminated_early, which these rows do not show.'])
	expect((await table('GET /a/_search', { ...found, suggest: {}, terminated_early: false })).notices).toEqual([])
	const totals = await table('GET /a/_search', { ...empty, ...rest })
	expect(totals.names).toEqual(['a'])
	expect(totals.notices).toEqual([
		'The answer also contains profile, suggest and terminated_early, which these rows do not show.',
	])
})

test('hits of a log begin with their time and their text, and end with what names them', async () => {
	const line = { log: { level: 'error' }, message: 'Read timed out', '@timestamp': '2026-11-30T08:00:00Z' }
	const hits = [
		{ ...hit, _source: line },
		{ ...hit, _id: '2', _source: { ...line, tags: ['eu'] } },
	]
	const { names, rows, origins } = await table('GET /a/_search', { ...found, hits: { hits } })
	expect(names).toEqual(['@timestamp', 'message', 'log.level', '_id', '_index', '_score', 'tags'])
	expect(rows[1]?.slice(0, 4)).toEqual(['2026-11-30T08:00:00Z', 'Read timed out', 'error', '2'])
	expect(origins).toMatchObject([{ table: 'a', key: [{ column: '_id', at: 3 }] }])
	const untimed = await table('GET /a/_search', { ...found, hits: { hits: [{ ...hit, _source: { message: 'm' } }] } })
	expect(untimed.names).toEqual(['_id', '_index', '_score', 'message'])
})

test('hits and aggregations of one answer are two parts of it', async () => {
	const buckets = [{ key: 'error', doc_count: 2 }]
	const both = await run('GET /a/_search', { ...found, aggregations: { by_level: { buckets } } })
	expect(both).toMatchObject({ title: 'Hits', notices: [], body: { view: 'rows', rows: [['1', 'a', 1, 1]] } })
	expect(both.more).toEqual([
		{ title: 'Aggregations', status: '200 OK', notices: [], body: expect.objectContaining({ rows: [['error', 2]] }) },
	])
	const aside = { by_level: { buckets }, by_host: { buckets: [{ key: 'web', doc_count: 1 }] } }
	const apart = await run('GET /a/_search', {
		...found,
		aggregations: { ...aside, odd: { buckets: [{ key: 'x', doc_count: 1, ...aside }] } },
	})
	expect(apart.more?.map(({ title, body }) => [title, body.view])).toEqual([
		['by_level', 'rows'],
		['by_host', 'rows'],
		['odd', 'json'],
	])
	expect((await run('GET /a/_search', found)).more).toBeUndefined()
})

test('reports missing rows', async () => {
	const clusters = { total: 3, successful: 1, skipped: 1, partial: 1, failed: 0 }
	const { notices } = await table('GET /a/_search', { ...found, timed_out: true, _clusters: clusters })
	expect(notices).toEqual([
		'The search timed out; documents are missing.',
		'Of 3 clusters 1 was skipped and 1 answered partially; rows are missing.',
	])
})

test('shows suggestions alone as rows, and a profile alone completely', async () => {
	const suggest = {
		spelling: [
			{ text: 'lihgt', offset: 0, length: 5, options: [{ text: 'light', score: 0.8, freq: 12 }] },
			{ text: 'xyz', offset: 6, length: 3, options: [] },
		],
		title: [{ text: 'the', options: [{ text: 'The Sea', _id: '7', _source: { year: 1999 } }] }],
	}
	const { names, rows } = await table('GET /a/_search', { ...empty, suggest })
	expect(names).toEqual(['suggest', 'text', 'option', 'score', 'freq', '_id', '_source.year'])
	expect(rows).toEqual([
		['spelling', 'lihgt', 'light', 0.8, 12, none, none],
		['spelling', 'xyz', none, none, none, none, none],
		['title', 'the', 'The Sea', none, none, '7', 1999],
	])
	expect((await run('GET /a/_search', { ...empty, profile: { shards: [{ id: 'x' }] } })).body).toEqual({ view: 'json' })
	expect((await table('GET /a/_search', { ...empty, _scroll_id: 'abc' })).rows).toEqual([])
})

test('notices count the documents that lists of buckets omit, also inside of other buckets', async () => {
	const levels = (others: number) => ({ sum_other_doc_count: others, buckets: [{ key: 'info', doc_count: 3500 }] })
	const day = (key: number, others: number) => ({ key, doc_count: 3500 + others, by_level: levels(others) })
	const aggregations = { by_day: { buckets: [day(1, 1354), day(2, 0), day(3, 46)] } }
	const { notices } = await table('GET /a/_search', { ...empty, aggregations })
	expect(notices).toEqual(['by_day > by_level: 1400 documents are in buckets that are not shown.'])
})

test('shows a value over all buckets apart from them', async () => {
	const bucket = (key: string, months: readonly string[]) => ({
		key,
		doc_count: months.length,
		mean: { value: 7 },
		by_month: { buckets: months.map(month => ({ key: month, doc_count: 1, top: { value: 9 } })) },
	})
	const aggregations = {
		all: { value: 5 },
		spread: { min: 1, max: 1.1 },
		by_level: { buckets: [bucket('info', ['may', 'june']), bucket('warn', [])] },
	}
	const { names, rows, notices, totals, chart, isComputed } = await table('GET /a/_search', { ...empty, aggregations })
	expect(isComputed).toBe(true)
	expect((await table('GET /a/_search', found)).isComputed).toBeUndefined()
	expect(totals).toEqual([
		{ name: 'all', value: 5 },
		{ name: 'spread.min', value: 1 },
		{ name: 'spread.max', value: 1.1 },
	])
	expect(names).toEqual(['by_level', 'by_month', 'doc_count', 'mean', 'top'])
	expect(rows).toEqual([
		['info', none, 2, 7, none],
		['info', 'may', 1, none, 9],
		['info', 'june', 1, none, 9],
		['warn', none, 0, 7, none],
	])
	expect(notices).toEqual(['A row without an inner key has the values over all of its buckets.'])
	// Only counts add up.
	expect(chart).toEqual({ by: 'by_level', stack: 'by_month', isTime: false, values: ['doc_count'] })
})

test('a single bucket is a part of its level: its count, its numbers, and its list', async () => {
	const errors = (count: number) => ({ doc_count: count, meta: { a: 'b' }, slowest: { value: count * 10 } })
	const day = (key: string, count: number) => ({ key, doc_count: 100, errors: errors(count) })
	const byDay = { by_day: { buckets: [day('mon', 3), day('tue', 4)] } }
	const { names, rows, chart } = await table('GET /a/_search', { ...empty, aggregations: byDay })
	expect(names).toEqual(['by_day', 'doc_count', 'errors.doc_count', 'errors.slowest'])
	expect(rows).toEqual([
		['mon', 100, 3, 30],
		['tue', 100, 4, 40],
	])
	expect(chart).toMatchObject({ by: 'by_day', values: ['doc_count', 'errors.doc_count', 'errors.slowest'] })

	const inside = { errors: { doc_count: 7, levels: { buckets: [{ key: 'a', doc_count: 5 }] } } }
	const listed = await table('GET /a/_search', { ...empty, aggregations: inside })
	expect([listed.names, listed.rows]).toEqual([['errors.levels', 'doc_count'], [['a', 5]]])
	expect(listed.totals).toEqual([{ name: 'errors.doc_count', value: 7 }])
	const alone = await table('GET /a/_search', { ...empty, aggregations: { errors: errors(2) } })
	expect([alone.names, alone.rows]).toEqual([['errors.doc_count', 'errors.slowest'], [[2, 20]]])
	const matrix = { m: { doc_count: 2, fields: [{ name: 'price', mean: 1 }] } }
	const { rows: whole } = await table('GET /a/_search', { ...empty, aggregations: matrix })
	expect(whole).toEqual([[2, { json: '[{"name":"price","mean":1}]' }]])
})

test('charts two levels of buckets as parts of a bar', async () => {
	const months = ['2024-01-01', '2024-02-01'].map(month => ({
		key: Date.parse(month),
		key_as_string: `${month}T00:00:00.000Z`,
		doc_count: 3,
		mean: { value: 7 },
		level: { buckets: ['info', 'warn'].map(key => ({ key, doc_count: 1, top: { value: 9 } })) },
	}))
	const drawn = async (buckets: readonly object[]) =>
		(await table('GET /a/_search', { ...empty, aggregations: { at: { buckets } } })).chart
	expect(await drawn(months)).toEqual({ by: 'at', stack: 'level', isTime: true, values: ['doc_count'] })
	const [first] = months
	expect(await drawn([...months, { ...first, level: { buckets: [] } }])).toMatchObject({ stack: 'level' })
	const third = { key: 'a', doc_count: 1, inner: { buckets: [{ key: 'b', doc_count: 1 }] } }
	expect(await drawn([first ?? {}, { ...first, level: { buckets: [third] } }])).toBeUndefined()
	expect(await drawn([first ?? {}, { ...first, level: undefined, other: { buckets: [] } }])).toBeUndefined()
})

test('charts ES|QL groups of a time and a keyword as parts of a bar, and other rows as a line', async () => {
	const columns = [
		{ name: 'n', type: 'long' },
		{ name: 'at', type: 'date' },
		{ name: 'level', type: 'keyword' },
	]
	const drawn = async (...values: readonly (readonly unknown[])[]) =>
		(await table('POST /_query\n{"query": "FROM a"}', { columns, values })).chart
	const line = { by: 'at', isTime: true, values: ['n'] }
	const [first, second] = ['2024-01-01T00:00:00.000Z', '2024-02-01T00:00:00.000Z']
	expect(await drawn([1, first, 'info'], [2, first, 'warn'], [3, second, 'info'])).toEqual({ ...line, stack: 'level' })
	expect(await drawn([1, first, 'info'], [2, second, 'info'])).toEqual(line)
	expect(await drawn([1, first, 'info'], [2, first, 'info'])).toEqual(line)
})

test('charts buckets of one level and values over time', async () => {
	const days = ['2024-01-01', '2024-01-02'].map(day => ({
		key: Date.parse(day),
		key_as_string: `${day}T00:00:00.000Z`,
		doc_count: 3,
		top: { value: 9.5 },
	}))
	const drawn = (buckets: readonly object[]) =>
		table('GET /a/_search', { ...empty, aggregations: { by: { buckets }, all: { value: 1 } } })
	expect((await drawn(days)).chart).toEqual({ by: 'by', isTime: true, values: ['doc_count', 'top'] })
	const [a, b] = ['a', 'b'].map(key => ({ key, doc_count: 1 }))
	expect((await drawn([a ?? {}, b ?? {}])).chart).toEqual({ by: 'by', isTime: false, values: ['doc_count'] })
	expect((await drawn([a ?? {}])).chart).toBeUndefined()
	const columns = [
		{ name: 'at', type: 'date' },
		{ name: 'n', type: 'long' },
	]
	const values = [
		['2024-01-01T00:00:00.000Z', 1],
		['2024-01-02T00:00:00.000Z', 2],
	]
	expect((await table('POST /_query\n{"query": "FROM a"}', { columns, values })).chart).toEqual({
		by: 'at',
		isTime: true,
		values: ['n'],
	})
})

test('reports omitted buckets, and shows the keys of a composite as columns', async () => {
	const aggregations = {
		pairs: {
			after_key: { a: 1, b: 'x' },
			sum_other_doc_count: 12,
			buckets: [{ key: { a: 1, b: 'x' }, doc_count: 3 }],
		},
	}
	const { names, rows, notices } = await table('GET /a/_search', { ...empty, aggregations })
	expect(names).toEqual(['pairs.a', 'pairs.b', 'doc_count'])
	expect(rows).toEqual([[1, 'x', 3]])
	expect(notices).toEqual([
		'pairs: 12 documents are in buckets that are not shown.',
		'pairs: there are more buckets; request them with "after": {"a":1,"b":"x"}.',
	])
})

const columns = [
	{ name: 'id', type: 'long' },
	{ name: 'name', type: 'keyword' },
]

test('shows an ES|QL answer by rows or by columns as rows', async () => {
	const values = [
		[1, 'x'],
		[2, null],
	]
	const byRows = await table('POST /_query\n{"query": "FROM a"}', { took: 3, is_partial: false, columns, values })
	expect(byRows).toMatchObject({ names: ['id', 'name'], types: ['long', 'keyword'], rows: values, notices: [] })
	const turned = [
		[1, 2],
		['x', null],
	]
	const byColumns = await table('POST /_query\n{"query": "FROM a", "columnar": true}', { columns, values: turned })
	expect(byColumns.rows).toEqual(values)
	const stored = await table('GET /_query/async/abc', {
		columns,
		values: [
			[1, 2, 3],
			['x', null, 'z'],
		],
	})
	expect(stored.rows).toEqual([...values, [3, 'z']])
	const dropped = { all_columns: [...columns, { name: 'gone', type: 'null' }], columns, values }
	expect((await table('POST /_query?drop_null_columns\n{"query": "FROM a"}', dropped)).names).toEqual(['id', 'name'])
})

test('reports an incomplete ES|QL answer', async () => {
	const details = { far: { status: 'partial', failures: [{ reason: { type: 'x', reason: 'shard is gone' } }] } }
	const clusters = { total: 2, successful: 1, skipped: 0, partial: 1, failed: 0, details }
	const answer = { is_partial: true, columns, values: [], _clusters: clusters, profile: { drivers: [1] } }
	expect((await table('POST /_query\n{"query": "FROM a"}', answer)).notices).toEqual([
		'The answer is not complete; rows are missing.',
		'Of 2 clusters 1 answered partially; rows are missing (far: “shard is gone”).',
		'The answer also contains profile, which these rows do not show.',
	])
	const running = { id: 'abc', is_running: true, columns: [], values: [] }
	expect(await run('POST /_query/async\n{"query": "FROM a"}', running)).toMatchObject({
		notices: ['The query is still running; GET /_query/async/abc shows the progress.'],
		body: { view: 'json' },
	})
})

test('limits the columns of rows with data as keys, and reports the omitted ones', async () => {
	const rows = Array.from({ length: 30_000 }, (_, at) => ({ [`key${at}`]: at, name: 'x' }))
	const { names, rows: cells, notices } = await table('GET /_cat/x?format=json', rows)
	expect(names).toHaveLength(1000)
	expect(names.slice(0, 3)).toEqual(['key0', 'name', 'key1'])
	expect(cells[0]).toHaveLength(1000)
	expect(notices.join()).toContain('Only 1,000 of the 30,001 columns are shown.')
})

test('accepts more buckets than a call can have arguments', async () => {
	const buckets = Array.from({ length: 300_000 }, (_, key) => ({ key, doc_count: 1 }))
	const aggregations = { outer: { buckets: [{ key: 'a', doc_count: 1, inner: { buckets } }] } }
	const { rows, isTruncated } = await table('GET /a/_search', { ...empty, aggregations })
	expect([rows.length, isTruncated]).toEqual([100, true])
})

test('limits long rows to what a window can read at once, and reports the rest', async () => {
	const long = 'x'.repeat(9_000)
	const hits = Array.from({ length: 90 }, (_, n) => ({
		_index: 'a',
		_id: String(n),
		_score: 1,
		_source: Object.fromEntries(Array.from({ length: 10 }, (_, field) => [`f${field}`, long])),
	}))
	const { rows, isTruncated, notices } = await table('GET /a/_search', { ...found, hits: { ...found.hits, hits } })
	expect(rows).toHaveLength(45)
	expect(isTruncated).toBe(true)
	expect(notices).toEqual([
		'Only the first 45 of 90 rows are shown, because they are long. The raw response contains all of them.',
	])
})
