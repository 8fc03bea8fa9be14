import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

/** A list of more tables than a model reads at once. */

let fixture: EndpointFixture
beforeAll(async () => {
	fixture = await startEndpoint()
	await fixture.addConnection({ name: 'Huge', settings: { host: 'huge' } })
})
afterAll(() => fixture[Symbol.asyncDispose]())

const list = async (args: Readonly<Record<string, string>> = {}) =>
	(await fixture.callTool('list_tables', args)).json.result

test('pages of a list have each table once, in order', async () => {
	const names: string[] = []
	for (let cursor: string | undefined = ''; cursor !== undefined; ) {
		const { structuredContent } = await list(cursor === '' ? {} : { cursor })
		names.push(...structuredContent.tables.map(({ name }: { name: string }) => name))
		expect(structuredContent.total ?? 1_500).toBe(1_500)
		cursor = structuredContent.next_cursor
	}
	expect(names).toEqual(Array.from({ length: 1_500 }, (_, index) => `journal ${index}`))
})

test('the first page counts the tables of each schema, and a part of a schema narrows the list', async () => {
	const { structuredContent: all } = await list()
	expect(all.by_schema).toEqual({ books: 1_000, archive: 500 })
	expect((await list({ cursor: all.next_cursor })).structuredContent.by_schema).toBeUndefined()
	const { structuredContent: archive } = await list({ match: 'ARCH' })
	expect(archive.total ?? archive.tables.length).toBe(500)
	const { structuredContent: named } = await list({ match: 'journal 149' })
	expect(named.tables.map(({ name }: { name: string }) => name)).toEqual(
		['', ...'0123456789'].map(digit => `journal 149${digit}`),
	)
	expect(named.is_truncated).toBeUndefined()
})

test('a cursor whose table is gone is refused with the way on', async () => {
	const { isError, content } = await list({ cursor: 'journal 9999' })
	expect([isError, content[0].text]).toEqual([true, expect.stringContaining('List from the start')])
})

test('no match is an empty list', async () => {
	expect((await list({ match: 'nothing' })).structuredContent).toEqual({ tables: [] })
})

test('a search through a part of the tables says so, and counts none that it has not seen', async () => {
	const { structuredContent: some } = (await fixture.callTool('search_schema', { term: 'column 2999' })).json.result
	expect(some.columns).toHaveLength(50)
	expect(some.hint).toBe(
		'0 tables and at least 50 columns: those of 50 of 1500 tables were searched. Search for a longer term.',
	)
	const { structuredContent: none } = (await fixture.callTool('search_schema', { term: 'journal 149' })).json.result
	expect(none.tables).toHaveLength(11)
	expect(none.hint).toMatch(/^11 tables and at least 0 columns: those of 50 of 1500 tables were searched\./)
})
