import { directContext } from '@roundhouse/kit/testing'
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { call } from '../test/fixture.ts'
import { elasticsearch, failure, node, ok } from '../test/mock-node.ts'
import { engineError } from './engine-error.ts'
import { isAtLeast } from './product.ts'

const rootOf = (number: string) => ({
	cluster_uuid: 'p',
	version: { number, build_flavor: 'serverless' },
	tagline: 'You Know, for Search',
})

async function open(root: object, headers: Readonly<Record<string, string>> = elasticsearch) {
	const server = await node((_, response) => void response.writeHead(200, headers).end(JSON.stringify(root)))
	return {
		server,
		connect: () => connect({ hosts: server.host, auth: 'none' }, directContext(), call()),
		[Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
	}
}

test.each(['8.11.0', '9.4.0', '10.0.0'])('recognizes Serverless, whatever number it says: %s', async number => {
	await using cluster = await open(rootOf(number))
	const connection = await cluster.connect()
	expect(connection.info()).toMatchObject({ product: 'Elasticsearch', version: 'Serverless', notices: [] })
	expect(connection.engine.isServerless).toBe(true)
	expect(isAtLeast(connection.version, 9, 99)).toBe(true)
	expect(isAtLeast(connection.engine.version, 9, 99)).toBe(true)
	await connection.close()
})

test('an ordinary cluster is not Serverless', async () => {
	await using server = await node((_, response) => ok(response))
	const connection = await connect({ hosts: server.host, auth: 'none' }, directContext(), call())
	expect(connection.engine).toEqual({ version: [8, 13], isOpenSource: false, isServerless: false })
	await connection.close()
})

test('refuses a server that calls itself Serverless but does not identify itself as Elasticsearch', async () => {
	await using cluster = await open(rootOf('8.11.0'), { 'content-type': 'application/json' })
	expect((await failure(cluster.connect())).message).toContain('does not identify itself as Elasticsearch')
})

const reason = 'Request for uri [/_nodes] with method [GET] exists but is not available when running in serverless mode'
const cause = { type: 'api_not_available_exception', reason }

test.each([
	['with a type', { root_cause: [cause], ...cause }],
	['with a root cause only, as documented', { root_cause: [cause] }],
])('shows the reason of a refusal %s', (_, error) => {
	const answer = { status: 410, statusText: 'Gone', headers: {}, text: JSON.stringify({ error, status: 410 }) }
	const { type, message } = engineError(answer, 'project')
	expect(type).toBe('api_not_available_exception')
	expect(message).toBe(`Elasticsearch error: “api_not_available_exception: ${reason}”`)
})
