import { directContext } from '@roundhouse/kit/testing'
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { call } from '../test/fixture.ts'
import { elasticsearch, failure, node, ok } from '../test/mock-node.ts'

/** Open Distro 1.13 answers `GET /` as the open source distribution of Elasticsearch does. */
const root = { version: { number: '7.10.2', build_flavor: 'oss' }, tagline: 'You Know, for Search' }

function openWith(plugins: readonly object[] | undefined) {
	return node((request, response) => {
		if (request.url === '/') return ok(response, JSON.stringify(root))
		if (request.url?.startsWith('/_cat/plugins') && plugins !== undefined) return ok(response, JSON.stringify(plugins))
		response.writeHead(403, elasticsearch).end('{"error":{"type":"security_exception"},"status":403}')
	})
}

const connectTo = (host: string) => connect({ hosts: host, auth: 'none' }, directContext(), call())

test('refuses Open Distro by its plugins', async () => {
	await using cluster = await openWith([{ component: 'analysis-icu' }, { component: 'opendistro_security' }])
	expect((await failure(connectTo(cluster.host))).message).toBe(
		'Connection failed: this is Open Distro 7.10.2; only Elasticsearch 7.x and 8.x are supported.',
	)
})

test.each([[[{ component: 'analysis-icu' }]], [undefined]])('accepts 7.10 with the plugins %j', async plugins => {
	await using cluster = await openWith(plugins)
	const connection = await connectTo(cluster.host)
	expect(connection.info().version).toBe('7.10.2')
	await connection.close()
})
