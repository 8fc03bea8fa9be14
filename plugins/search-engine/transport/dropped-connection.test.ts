import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Call, Change, ExportOptions, GridQuery } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { startSample } from '../sample/main.ts'
import { call, decode } from '../test/fixture.ts'
import { elasticsearch, failure } from '../test/mock-node.ts'

const books: GridQuery = { table: 'books', filters: [], match: 'all', sort: [] }

/** A connection to the sample that drops in the middle of some answers. @param drops by the number of the search or write */
async function unsteady(drops: (request: number) => boolean) {
	const sample = await startSample(directContext())
	let sent = 0
	const between = createServer(async (request, response) => {
		const path = request.url ?? ''
		const isDroppable = /\/_search|\/_mget|\/_update/.test(path)
		if (isDroppable) sent++
		const isDropped = isDroppable && drops(sent)
		const body = await buffer(request)
		const answer = await fetch(`${sample.url}${path}`, {
			method: request.method ?? 'GET',
			headers: { 'content-type': 'application/json' },
			...(body.length > 0 && { body }),
		})
		const bytes = Buffer.from(await answer.arrayBuffer())
		response.writeHead(answer.status, { ...elasticsearch, 'content-length': bytes.length })
		if (!isDropped) return response.end(bytes)
		response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
	})
	await new Promise<void>(resolve => between.listen(0, '127.0.0.1', resolve))
	const hosts = `http://127.0.0.1:${(between.address() as AddressInfo).port}`
	const connection = await connect({ ...sample.settings, hosts }, directContext(), call())
	return {
		connection,
		sent: () => sent,
		async exported(options: Partial<ExportOptions> = {}, query = books) {
			const file = await connection.openExport(query, { format: 'ndjson', ...options }, call())
			const pieces: Uint8Array[] = []
			const messages = new Set<string>()
			const own: Call = { ...call(), progress: ({ message }) => void (message !== undefined && messages.add(message)) }
			for (let piece = await file.read(own); piece !== undefined; piece = await file.read(own)) pieces.push(piece)
			return { text: Buffer.concat(pieces).toString('utf8'), messages: [...messages] }
		},
		async [Symbol.asyncDispose]() {
			await connection.close()
			between.closeAllConnections()
			await new Promise(resolve => between.close(resolve))
			await sample.close()
		},
	}
}

test('a page whose connection dropped is read again, and says so', async () => {
	await using opened = await unsteady(search => search === 1)
	const grid = await opened.connection.openGrid(books, call())
	const page = decode(await grid.page({ offset: 0, limit: 10 }, call()))
	expect(page.rows).toHaveLength(10)
	expect(page.notices.join()).toContain('The connection dropped')
	expect(decode(await grid.page({ offset: 10, limit: 10 }, call())).notices.join()).not.toContain('dropped')
})

test('a drop while a deep view opens is reported once, and its total stays exact', async () => {
	await using opened = await unsteady(search => search === 1)
	const grid = await opened.connection.openGrid({ ...books, table: 'events' }, call())
	const page = decode(await grid.page({ offset: 10_000, limit: 10 }, call()))
	expect(page.total).toEqual({ value: 24_000, isExact: true })
	expect(page.notices.join()).toContain('The connection dropped')
	expect(decode(await grid.page({ offset: 10_010, limit: 10 }, call())).notices).toEqual([])
})

test('a cancelled read is not repeated', async () => {
	const stop = new AbortController()
	await using opened = await unsteady(() => {
		// The answer never comes, so any time does.
		setTimeout(() => stop.abort(), 100)
		return true
	})
	const grid = await opened.connection.openGrid(books, call())
	const error = await failure(grid.page({ offset: 0, limit: 10 }, call(stop.signal)))
	expect([error.code, opened.sent()]).toEqual(['user_cancelled', 1])
})

test('an export whose connections drop has each row once', async () => {
	await using steady = await unsteady(() => false)
	await using opened = await unsteady(search => search % 3 === 1)
	const [whole, resumed] = [await steady.exported(), await opened.exported()]
	expect(resumed.text).toBe(whole.text)
	expect(opened.sent()).toBeGreaterThan(steady.sent())
	expect(whole.messages).toEqual([])
	expect(resumed.messages).toEqual([expect.stringContaining('The connection dropped')])
})

test('sorted and selected rows whose connections drop are exported once each, in order', async () => {
	await using steady = await unsteady(() => false)
	await using opened = await unsteady(search => search % 2 === 1)
	const byPages: GridQuery = { ...books, sort: [{ column: 'pages', direction: 'desc' }] }
	const few = { limit: 300 }
	expect((await opened.exported(few, byPages)).text).toBe((await steady.exported(few, byPages)).text)
	const selected = { rowIds: ['7', '3'] }
	expect((await opened.exported(selected)).text).toBe((await steady.exported(selected)).text)
})

test('a read ends when its connection dropped three times', async () => {
	await using opened = await unsteady(() => true)
	const grid = await opened.connection.openGrid(books, call())
	expect((await failure(grid.page({ offset: 0, limit: 10 }, call()))).code).toBe('not_connected')
	expect(opened.sent()).toBe(3)
})

test('a write is sent once', async () => {
	await using opened = await unsteady(() => true)
	const change: Change = { kind: 'update', rowId: '7', set: { pages: 12 } }
	const [outcome] = await opened.connection.applyChanges('books', [change], call())
	expect([outcome?.status, opened.sent()]).toEqual(['unknown', 1])
})

test('a request of a user is sent once', async () => {
	await using opened = await unsteady(() => true)
	const [statement] = opened.connection.console.analyse('GET /books/_search')
	if (statement) {
		const run = opened.connection.console.run({ ...statement, text: 'GET /books/_search' }, { maxRows: 1 }, call())
		await run.catch(() => {})
	}
	expect(opened.sent()).toBe(1)
})
