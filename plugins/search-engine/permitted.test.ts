import type { Statement } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { expect, test } from 'vitest'
import { connect } from './connect.ts'
import { call, decode, direct, openSample, statement } from './test/fixture.ts'

/** The last check before the engine: a request that does more than its call was permitted is not sent. */

async function readingSample() {
	const opened = await openSample()
	const reading = await connect(opened.sample.settings, directContext({ permitted: 'read' }), call())
	return {
		...opened,
		reading,
		async [Symbol.asyncDispose]() {
			await reading.close()
			await opened[Symbol.asyncDispose]()
		},
	}
}

test.each([
	'DELETE /books',
	'POST /books/_doc\n{"title":"x"}',
	'POST /_bulk\n{"delete":{"_index":"books","_id":"1"}}',
	'GET /books/_refresh',
])('does not send a statement that was classified as a read by mistake: %s', async text => {
	await using opened = await readingSample()
	const count = await direct(opened.sample.url, '/books/_count')
	const lie: Statement = { ...statement(opened.reading, text), access: 'read' }
	await expect(opened.reading.console.run(lie, { maxRows: 1 }, call())).rejects.toMatchObject({
		code: 'denied',
		message: expect.stringContaining('may only read'),
	})
	expect(await direct(opened.sample.url, '/books/_count')).toBe(count)
})

test('does not send an edit in a call that may only read', async () => {
	await using opened = await readingSample()
	const change = { kind: 'update', rowId: 'books/1', set: { title: 'changed' } } as const
	const grid = await opened.reading.openGrid({ table: 'books', filters: [], match: 'all', sort: [] }, call())
	const [row] = decode(await grid.page({ offset: 0, limit: 1 }, call())).rows
	const edits = [{ ...change, rowId: row?.id ?? '', ...(row?.version !== undefined && { version: row.version }) }]
	const outcome = await opened.reading.applyChanges('books', edits, call()).catch(error => error)
	expect(JSON.stringify(outcome) + String(outcome)).toContain('may only read')
	expect(await direct(opened.sample.url, '/books/_search?q=title:changed')).toContain('"value":0')
	await grid.close()
})

test('deep pages, exports and whole rows only need to read', async () => {
	await using opened = await readingSample()
	const { reading } = opened
	const query = { table: 'events', filters: [], match: 'all', sort: [] } as const
	const grid = await reading.openGrid(query, call())
	expect(decode(await grid.page({ offset: 20_000, limit: 5 }, call())).rows).toHaveLength(5)
	await grid.close()
	const exported = await reading.openExport?.({ ...query, table: 'places' }, { format: 'ndjson' }, call())
	let bytes = 0
	for (let chunk = await exported?.read(call()); chunk; chunk = await exported?.read(call())) bytes += chunk.length
	await exported?.close()
	expect(bytes).toBeGreaterThan(1000)
	expect(await reading.countRows(query, call())).toMatchObject({ value: 24_000 })
	await reading.console.assess?.(statement(reading, 'DELETE /books'), call())
})
