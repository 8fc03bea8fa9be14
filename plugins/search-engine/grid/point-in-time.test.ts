import { directContext } from '@roundhouse/kit/testing'
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { call } from '../test/fixture.ts'
import { failure, node, ok } from '../test/mock-node.ts'

test('closes a point in time that opens after its read was cancelled', async () => {
	const asked = Promise.withResolvers<() => void>()
	const closed = Promise.withResolvers<string>()
	await using cluster = await node((request, response) => {
		if (request.method === 'DELETE') closed.resolve(`${request.method} ${request.url}`)
		if (request.url?.startsWith('/a/_pit')) return asked.resolve(() => ok(response, '{"id":"late"}'))
		ok(response, request.url === '/a/_mapping' ? '{"a":{"mappings":{}}}' : undefined)
	})
	const connection = await connect({ hosts: cluster.host, auth: 'none' }, directContext(), call())
	const stop = new AbortController()
	const grid = await connection.openGrid({ table: 'a', filters: [], match: 'all', sort: [] }, call())
	const reading = failure(grid.page({ offset: 20_000, limit: 10 }, call(stop.signal)))
	const answer = await asked.promise
	stop.abort()
	expect((await reading).code).toBe('user_cancelled')
	answer()
	expect(await closed.promise).toBe('DELETE /_pit')
	await connection.close()
})

test.each(['is stopped', 'fails'])('closes a point in time if its count %s', async how => {
	const counting = Promise.withResolvers<void>()
	const closed = Promise.withResolvers<string>()
	await using cluster = await node((request, response) => {
		if (request.method === 'DELETE') closed.resolve(`${request.method} ${request.url}`)
		if (request.url?.startsWith('/a/_pit')) return ok(response, '{"id":"view"}')
		if (request.url === '/_search') {
			counting.resolve()
			return how === 'fails' ? response.writeHead(400).end('{}') : undefined
		}
		ok(response, request.url === '/a/_mapping' ? '{"a":{"mappings":{}}}' : undefined)
	})
	const connection = await connect({ hosts: cluster.host, auth: 'none' }, directContext(), call())
	const stop = new AbortController()
	const grid = await connection.openGrid({ table: 'a', filters: [], match: 'all', sort: [] }, call())
	const reading = failure(grid.page({ offset: 20_000, limit: 10 }, call(stop.signal)))
	await counting.promise
	if (how === 'is stopped') stop.abort()
	await reading
	expect(await closed.promise).toBe('DELETE /_pit')
	await connection.close()
})

test('closes a scroll that opens after its read was cancelled', async () => {
	const asked = Promise.withResolvers<() => void>()
	const closed = Promise.withResolvers<string>()
	const root = { version: { number: '7.9.3' }, tagline: 'You Know, for Search' }
	await using cluster = await node((request, response) => {
		if (request.method === 'DELETE') closed.resolve(`${request.method} ${request.url}`)
		if (request.url?.startsWith('/a/_search?scroll')) {
			return asked.resolve(() => ok(response, '{"_scroll_id":"late","hits":{"hits":[]}}'))
		}
		ok(response, request.url === '/a/_mapping' ? '{"a":{"mappings":{}}}' : JSON.stringify(root))
	})
	const connection = await connect({ hosts: cluster.host, auth: 'none' }, directContext(), call())
	const stop = new AbortController()
	const file = await connection.openExport(
		{ table: 'a', filters: [], match: 'all', sort: [] },
		{ format: 'ndjson' },
		call(),
	)
	const reading = failure(file.read(call(stop.signal)))
	const answer = await asked.promise
	stop.abort()
	expect((await reading).code).toBe('user_cancelled')
	answer()
	expect(await closed.promise).toBe('DELETE /_search/scroll')
	await connection.close()
})
