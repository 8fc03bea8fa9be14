import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, openSampleForClient, statement } from '../test/fixture.ts'

/**
 * Attack: an AI client with read-only access opens scrolls that stay open for a day, until the node rejects the scrolls
 * of all users.
 */

let opened: Awaited<ReturnType<typeof openSampleForClient>>
beforeAll(async () => {
	opened = await openSampleForClient(10_000)
})
afterAll(() => opened[Symbol.asyncDispose]())

const run = (text: string, connection = opened.client) =>
	connection.console.run(statement(connection, text), { maxRows: 1 }, call())

test.each([
	'GET /books/_search?scroll=24h&size=1',
	'GET /books/_search?pretty;s%63roll=11m',
	'GET /books/_search?scroll=1m&scroll=1d',
	'POST /books/_pit?keep_alive=24h',
	'POST /_search/scroll\n{"scroll":"1d","scroll_id":"x"}',
	'POST /_search\n{"pit":{"id":"x","keep_alive":"601s"}}',
	'GET /books/_search?scroll=-1',
	'POST /books/_async_search\n{}',
])('rejects %s from an AI client', async text => {
	await expect(run(text)).rejects.toMatchObject({ code: 'denied', message: expect.stringContaining('10 minutes') })
})

test.each(['GET /books/_search?scroll=10m&size=1', 'POST /books/_pit?keep_alive=600s'])('allows %s', async text => {
	await run(text)
})

test('rejects a new search if a client has 20 open searches, but does not reject the next page of an open search', async () => {
	await using other = await openSampleForClient(10_000)
	const open = () => run('GET /books/_search?scroll=1m&size=1', other.client)
	for (let count = 0; count < 20; count++) await open()
	await expect(open()).rejects.toMatchObject({ code: 'denied', message: expect.stringContaining('20 searches') })
	const page = run('POST /_search/scroll\n{"scroll":"1m","scroll_id":"x"}', other.client)
	await expect(page).rejects.not.toMatchObject({ code: 'denied' })
	await run('GET /books/_search?size=1', other.client)
})

test('a client may export more often than that, because each export closes its search', async () => {
	await using other = await openSampleForClient(10_000)
	for (let count = 0; count < 25; count++) {
		const query = { table: 'books', filters: [], match: 'all', sort: [] } as const
		const rows = await other.client.openExport(query, { format: 'csv', limit: 1 }, call())
		while ((await rows.read(call())) !== undefined);
		await rows.close()
	}
})

test('a user may keep a search open for longer', async () => {
	await run('POST /books/_pit?keep_alive=24h', opened.connection)
})
