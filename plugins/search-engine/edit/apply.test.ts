import { type Cell, type Change, parseJson, rawText } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../tests/contract/proves.ts'
import { connect } from '../connect.ts'
import { call, decode, direct, openSample } from '../test/fixture.ts'
import { node, ok } from '../test/mock-node.ts'
import { reprinted } from './reprint.ts'

let opened: Awaited<ReturnType<typeof openSample>>
beforeAll(async () => {
	opened = await openSample()
})
afterAll(() => opened[Symbol.asyncDispose]())

const rowId = (id: string, index = 'books') => JSON.stringify([index, id])
const update = (id: string, set: Record<string, Cell>, version?: string): Change => ({
	kind: 'update',
	rowId: rowId(id),
	set,
	...(version !== undefined && { version }),
})
const apply = (...changes: Change[]) => opened.connection.applyChanges('books', changes, call())
const preview = async (...changes: Change[]) => opened.connection.previewChanges('books', changes, call())
const stored = (id: string, index = 'books') => direct(opened.sample.url, `/${index}/_source/${encodeURIComponent(id)}`)
const versionOf = async (id: string) => decode(await opened.connection.readRow('books', rowId(id), call())).version

test(
	proves('B.calls.insert', 'sends exactly the preview: only the changes, with the nesting of the document'),
	async () => {
		expect(await preview(update('7', { 'author.born': 1901, pages: 12 }, '6.1'))).toEqual([
			`POST /books/_update/7?if_seq_no=6&if_primary_term=1&refresh=true
{
  "doc": {
    "author": {
      "born": 1901
    },
    "pages": 12
  }
}
# The engine reformats the numbers of the whole document:
#   price: 75.00 becomes 75.0`,
		])
		expect(await preview({ kind: 'delete', rowId: rowId('7'), version: '6.1' })).toEqual([
			'DELETE /books/_doc/7?if_seq_no=6&if_primary_term=1&refresh=true',
		])
		expect(await preview({ kind: 'insert', values: { _id: 'a/b', title: 'T', 'author.name': 'N' } })).toEqual([
			`PUT /books/_doc/a%2Fb?op_type=create&refresh=true
{
  "title": "T",
  "author": {
    "name": "N"
  }
}`,
		])
		expect(await preview({ kind: 'insert', values: { title: 'T', summary: { missing: true } } })).toEqual([
			'POST /books/_doc?refresh=true\n{\n  "title": "T"\n}',
		])
	},
)

test('keeps a literal dotted key of a document', async () => {
	expect(await apply(update('dotted-key', { 'author.name': 'New Name' }))).toMatchObject([{ status: 'applied' }])
	expect(JSON.parse(await stored('dotted-key'))).toMatchObject({ 'author.name': 'New Name' })
	expect(await stored('dotted-key')).not.toContain('"author":')
})

test('an edit of a document that has changed is a conflict, and changes nothing', async () => {
	const version = await versionOf('11')
	await apply(update('11', { pages: 1 }))
	expect(await apply(update('11', { pages: 2 }, version))).toEqual([
		{ status: 'conflict', message: expect.stringContaining('Another client') },
	])
	expect(await apply({ kind: 'delete', rowId: rowId('11'), ...(version && { version }) })).toMatchObject([
		{ status: 'conflict' },
	])
	expect(JSON.parse(await stored('11'))).toMatchObject({ pages: 1 })
})

test('an edit of a list that another client made longer is a conflict, in the preview too', async () => {
	const lines = (...counts: number[]) => JSON.stringify({ lines: counts.map(count => ({ count })) })
	const put = (body: string) => direct(opened.sample.url, '/books/_doc/lines?refresh=true', { method: 'PUT', body })
	await put(lines(1, 2))
	const version = await versionOf('lines')
	expect(version).toBeDefined()
	expect(await apply(update('lines', { 'lines.count': { json: '[17]' } }, version))).toEqual([
		{
			status: 'failed',
			message: expect.stringMatching(/^Document lines: lines has 2 elements.* in the JSON of the document/),
		},
	])
	await put(lines(1, 2, 3))
	const stale = update('lines', { 'lines.count': { json: '[7,2]' } }, version)
	expect(await preview(stale)).toEqual([expect.stringMatching(/^# Another client changed this document/)])
	expect(await apply(stale)).toEqual([
		{ status: 'conflict', message: expect.stringContaining('Another client changed') },
	])
	await direct(opened.sample.url, '/books/_doc/lines?refresh=true', { method: 'DELETE' })
	expect(await preview(stale)).toEqual([expect.stringMatching(/^# books has no document/)])
	expect(await apply(stale)).toMatchObject([{ status: 'conflict' }])
})

test('rows succeed and fail separately', async () => {
	const outcomes = await apply(
		update('12', { pages: 5 }),
		update('12', { published: 'not a date' }),
		update('12', { pages: 'many' }),
		update('missing', { pages: 5 }),
		{ kind: 'insert', values: { _id: '12', title: 'Taken' } },
		update('12', { price: { number: '7.70' } }),
	)
	expect(outcomes.map(outcome => outcome.status)).toEqual([
		'applied',
		'failed',
		'failed',
		'conflict',
		'failed',
		'applied',
	])
	expect(outcomes[1]).toMatchObject({
		message: expect.stringMatching(/^"not a date" does not match published \(date\): it is not a date/),
	})
	expect(outcomes[2]).toMatchObject({ message: '"many" is not a number; pages is of type integer.' })
	expect(outcomes[4]).toMatchObject({ message: expect.stringContaining('exists already') })
	const document = await stored('12')
	expect(document).toContain('"pages":5')
	expect(document).toContain('"price":7.7,')
	expect(document).not.toContain('Taken')
})

test('distinguishes null, an empty text and a removed field', async () => {
	await apply(update('13', { summary: null }))
	expect(JSON.parse(await stored('13'))).toHaveProperty('summary', null)
	await apply(update('13', { summary: '' }))
	expect(JSON.parse(await stored('13'))).toHaveProperty('summary', '')
	expect((await preview(update('13', { summary: { missing: true } })))[0]).toMatch(
		/^PUT \/books\/_doc\/13\?if_seq_no=\d+&if_primary_term=1/,
	)
	await apply(update('13', { summary: { missing: true }, 'author.born': { missing: true } }))
	const document = JSON.parse(await stored('13'))
	expect(document).not.toHaveProperty('summary')
	expect(Object.keys(document.author)).toEqual(['name', 'country'])
})

test('replaces the document for an object that loses a key, because a merge would keep the key', async () => {
	await apply(update('5', { attributes: { json: '{"binding":"hard","shelf":"1-A"}' } }))
	await apply(update('5', { attributes: { json: '{"binding":"soft"}' } }))
	expect(JSON.parse(await stored('5')).attributes).toEqual({ binding: 'soft' })
	expect((await preview(update('5', { attributes: { json: '{"binding":"soft","x":"1"}' } })))[0]).toMatch(
		/^POST \/books\/_update\/5/,
	)
})

test(proves('B.cells.fragment', 'stores an array as typed, and the fragment of a cut cell'), async () => {
	await apply(update('14', { genres: { json: '["crime","essay"]' } }))
	expect(JSON.parse(await stored('14')).genres).toEqual(['crime', 'essay'])
	await apply(update('14', { genres: { json: '["cri...', cutFrom: 20_000 } }))
	expect(JSON.parse(await stored('14')).genres).toBe('["cri...')
	expect(await apply(update('14', { genres: { json: '["cri' } }))).toMatchObject([
		{ status: 'failed', message: 'The value of genres is not valid JSON.' },
	])
})

test('rejects what cannot be edited before anything is sent', async () => {
	const refusals: [string, string][] = [
		['_id', 'document metadata'],
		['_index', 'document metadata'],
		['_score', 'document metadata'],
		['writer', 'another name for author.name'],
		['reviews.stars', 'Edit the array in reviews instead'],
		['author', 'author is an object'],
	]
	for (const [name, message] of refusals) {
		expect(await apply(update('15', { [name]: 'x' })), name).toMatchObject([
			{ status: 'failed', message: expect.stringContaining(message) },
		])
	}
})

test(proves('B.calls.delete', 'inserts, reads, changes and deletes a document with any id'), async () => {
	const awkward = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter(id => id.isWellFormed())
	await fc.assert(
		fc.asyncProperty(awkward, async id => {
			expect(await apply({ kind: 'insert', values: { _id: id, title: 'x' } })).toMatchObject([
				{ status: 'applied', rowId: rowId(id) },
			])
			expect(await apply(update(id, { title: 'y' }))).toMatchObject([{ status: 'applied' }])
			expect(parseJson(rawText(decode(await opened.connection.readRow('books', rowId(id), call()))))).toEqual({
				title: 'y',
			})
			expect(await apply({ kind: 'delete', rowId: rowId(id) })).toMatchObject([{ status: 'applied' }])
			await expect(opened.connection.readRow('books', rowId(id), call())).rejects.toMatchObject({ code: 'not_found' })
		}),
		{ numRuns: 60, examples: [['..'], ['.'], ['a/b'], ['%2F'], ['_sql'], ['a b?c#d'], ['😀']] },
	)
})

test('sends a typed number with the same digits, and stores it as the engine keeps it', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
			fc.stringMatching(/^[1-9]\d{0,12}\.\d{1,6}$/),
			async (isbn, price) => {
				const set = { isbn: { number: String(isbn) }, price: { number: price } }
				const [sent] = await preview(update('16', set))
				expect(sent).toContain(`"isbn": ${isbn},`)
				expect(sent).toContain(`"price": ${price}\n`)
				await apply(update('16', set))
				const updated = await stored('16')
				expect(updated).toContain(`"isbn":${isbn},`)
				expect(updated).toContain(`"price":${reprinted(price)},`)
				// AI clients write long numbers as text, also in a list.
				await apply(update('16', { isbn: { json: `["${isbn}",null]` } }))
				expect(await stored('16')).toContain(`"isbn":[${isbn},null],`)
				await apply({ kind: 'insert', values: { _id: 'digits', ...set } })
				expect(await stored('digits')).toBe(`{"isbn":${isbn},"price":${price}}`)
				await apply({ kind: 'delete', rowId: rowId('digits') })
			},
		),
		{ numRuns: 30 },
	)
})

test('uses the routing of a document to read, change and delete it', async () => {
	const grid = await opened.connection.openGrid(
		{
			table: 'places',
			filters: [{ column: '_id', operator: 'equals', values: ['place-100'] }],
			match: 'all',
			sort: [],
		},
		call(),
	)
	const [row] = decode(await grid.page({ offset: 0, limit: 1 }, call())).rows
	await grid.close()
	expect(row?.id).toBe('["places","place-100","region-2"]')
	const [line] = await opened.connection.previewChanges('places', [{ kind: 'delete', rowId: row?.id ?? '' }], call())
	expect(line).toBe('DELETE /places/_doc/place-100?routing=region-2&refresh=true')
	const [inserted] = await opened.connection.applyChanges(
		'places',
		[{ kind: 'insert', values: { _id: 'r', _routing: 'x y' } }],
		call(),
	)
	expect(inserted).toMatchObject({ status: 'applied', rowId: '["places","r","x y"]' })
})

test('accepts whole objects in a new document, also if the mapping knows their fields', async () => {
	const values = { _id: 'whole', title: 'T', author: { json: '{"name":"N","born":1901}' } }
	const preview = await opened.connection.previewChanges('books', [{ kind: 'insert', values }], call())
	expect(preview[0]).toContain('"author": {')
	expect(await apply({ kind: 'insert', values })).toMatchObject([{ status: 'applied' }])
	const author = { author: { json: '{"name":"M"}' } }
	expect(await apply(update('whole', author))).toMatchObject([
		{ status: 'failed', message: expect.stringContaining('author is an object. Edit its fields instead') },
	])
	await apply({ kind: 'delete', rowId: rowId('whole') })
})

test('changes a row of an alias in the index of the document', async () => {
	const [line] = await opened.connection.previewChanges(
		'library',
		[{ kind: 'update', rowId: rowId('1'), set: { pages: 1 } }],
		call(),
	)
	expect(line).toMatch(/^POST \/books\/_update\/1\?/)
})

test('sends a replaced document unchanged except for the edits', async () => {
	const source = '{"b":1.10, "10":1e400,"2":{"x":1,"y":12345678901234567890}}'
	await using cluster = await node((request, response) => {
		if (request.url === '/odd/_mapping') return ok(response, '{"odd":{"mappings":{"dynamic":"false"}}}')
		if (request.url?.startsWith('/odd/_doc/1')) {
			return ok(response, `{"_index":"odd","_id":"1","_seq_no":7,"_primary_term":1,"found":true,"_source":${source}}`)
		}
		ok(response)
	})
	const connection = await connect({ hosts: cluster.host, auth: 'none' }, directContext(), call())
	const set = { '2.x': { missing: true } } as const
	const [preview = ''] = await connection.previewChanges(
		'odd',
		[{ kind: 'update', rowId: rowId('1', 'odd'), set }],
		call(),
	)
	const [line, ...body] = preview.split('\n')
	expect(line).toBe('PUT /odd/_doc/1?if_seq_no=7&if_primary_term=1&refresh=true')
	expect(body.map(text => text.trim()).join(' ')).toBe('{ "b": 1.10, "10": 1e400, "2": { "y": 12345678901234567890 } }')
	await connection.close()
})

test('edits an array of plain objects through its fields, or as a whole', async () => {
	const mappings =
		'{"mappings":{"properties":{"lines":{"properties":{"sku":{"type":"keyword"},"count":{"type":"integer"}}}}}}'
	await direct(opened.sample.url, '/orders', { method: 'PUT', body: mappings })
	const body = '{"lines":[{"sku":"a","count":1},{"sku":"b"}]}'
	await direct(opened.sample.url, '/orders/_doc/1?refresh=true', { method: 'PUT', body })
	const edit = async (set: Record<string, Cell>) =>
		(await opened.connection.applyChanges('orders', [{ kind: 'update', rowId: rowId('1', 'orders'), set }], call()))[0]
	expect(await edit({ 'lines.count': { json: '[5,6]' } })).toMatchObject({ status: 'applied' })
	expect(JSON.parse(await stored('1', 'orders'))).toEqual({
		lines: [
			{ sku: 'a', count: 5 },
			{ sku: 'b', count: 6 },
		],
	})
	expect(await edit({ 'lines.count': 7 })).toMatchObject({
		status: 'failed',
		message: expect.stringContaining('2 elements'),
	})
	expect(await edit({ 'lines.count': { json: '["x",1]' } })).toMatchObject({ status: 'failed' })
	expect(await edit({ lines: { json: '[{"sku":"z"}]' } })).toMatchObject({ status: 'applied' })
	expect(JSON.parse(await stored('1', 'orders'))).toEqual({ lines: [{ sku: 'z' }] })
	await direct(opened.sample.url, '/orders', { method: 'DELETE' })
})

test.each([
	[
		'excluding',
		{
			excludes: ['vector', 'secret.*'],
		},
		'excluding excludes vector, secret.key from _source, so an edit would drop it',
	],
	[
		'including',
		{
			includes: ['title'],
		},
		'including excludes vector, secret.key from _source',
	],
	[
		'forgetting',
		{
			enabled: false,
		},
		'forgetting keeps no _source, so its documents cannot be edited',
	],
])('rejects an edit that would lose fields of an index %s parts of its source', async (index, _source, message) => {
	const properties = {
		title: { type: 'text' },
		vector: { type: 'float' },
		secret: { properties: { key: { type: 'keyword' } } },
	}
	const put = (path: string, body: unknown) =>
		direct(opened.sample.url, path, { method: 'PUT', body: JSON.stringify(body) })
	await put(`/${index}`, { mappings: { _source, properties } })
	await put(`/${index}/_doc/1?refresh=true`, { title: 'a', vector: 1.5 })
	const change: Change = { kind: 'update', rowId: rowId('1', index), set: { title: 'b' } }
	const refusal = { status: 'failed', message: expect.stringContaining(message) }
	expect(await opened.connection.applyChanges(index, [change], call())).toMatchObject([refusal])
	await expect(opened.connection.previewChanges(index, [change], call())).rejects.toThrow(message)
	const others: Change[] = [
		{ kind: 'insert', values: { title: 'n' } },
		{ kind: 'delete', rowId: rowId('1', index) },
	]
	expect(await opened.connection.applyChanges(index, others, call())).toMatchObject([
		{ status: 'applied' },
		{ status: 'applied' },
	])
	await direct(opened.sample.url, `/${index}`, { method: 'DELETE' })
})

test('a row id that is also the _id of a document is refused with both spellings, and a version decides', async () => {
	const put = (id: string) =>
		direct(opened.sample.url, `/places/_doc/${encodeURIComponent(id)}?refresh=true`, {
			method: 'PUT',
			body: '{"name":"x"}',
		})
	await put('victim')
	await put('["places","victim"]')
	const remove = (id: string, version?: string): Change => ({
		kind: 'delete',
		rowId: id,
		...(version !== undefined && { version }),
	})
	const applyTo = (change: Change) => opened.connection.applyChanges('places', [change], call())
	const spelled = rowId('["places","victim"]', 'places')
	expect(await applyTo(remove(rowId('victim', 'places')))).toEqual([
		{ status: 'failed', message: expect.stringContaining(`Give victim for the first, or ${spelled} for the second.`) },
	])
	expect(await applyTo(remove(spelled))).toMatchObject([{ status: 'applied' }])
	const { version } = decode(await opened.connection.readRow('places', 'victim', call()))
	expect(await applyTo(remove(rowId('victim', 'places'), version))).toMatchObject([{ status: 'applied' }])
})
