import { directContext } from '@roundhouse/kit/testing'
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { call } from '../test/fixture.ts'
import { failure, node, ok } from '../test/stand-in-node.ts'

test('closes a view that opens after its reader was cancelled', async () => {
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
