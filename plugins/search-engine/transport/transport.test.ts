import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import type { Settings } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { expect, test } from 'vitest'
import { proves } from '../../../tests/contract/proves.ts'
import { connect } from '../connect.ts'
import { call, statement } from '../test/fixture.ts'
import { elasticsearch, failure, node, ok, unusedAddress } from '../test/mock-node.ts'

const open = (hosts: string, settings: Settings = {}) =>
	connect({ hosts, auth: 'none', ...settings }, directContext(), call())
test(proves('B.auth.methods', 'each method of authentication sends its header, and plain JSON both ways'), async () => {
	await using cluster = await node((_, response) => ok(response))
	const base64 = (text: string) => Buffer.from(text).toString('base64')
	for (const [settings, expected] of [
		[{ auth: 'none', username: 'x', password: 'y' }, undefined],
		[{ auth: 'basic', username: 'elastic', password: 'päss:word' }, `Basic ${base64('elastic:päss:word')}`],
		[{ auth: 'basic', username: '' }, undefined],
		[{ auth: 'apiKey', apiKey: 'id:secret' }, `ApiKey ${base64('id:secret')}`],
		[{ auth: 'apiKey', apiKey: 'aWQ6c2VjcmV0' }, 'ApiKey aWQ6c2VjcmV0'],
		[{ auth: 'bearer', bearerToken: 'abc' }, 'Bearer abc'],
	] as const) {
		const connection = await open(cluster.host, settings)
		expect(cluster.requests.at(-1)?.headers.authorization).toBe(expected)
		expect(cluster.requests.at(-1)?.headers.accept).toBe('application/json')
		await connection.close()
	}
})

test('sends extra headers, except those with a credential or that break the request', async () => {
	await using cluster = await node((_, response) => ok(response))
	const connection = await open(cluster.host, { headers: 'X-Tenant: blue; X-Trace: a=b' })
	expect(cluster.requests[0]?.headers).toMatchObject({ 'x-tenant': 'blue', 'x-trace': 'a=b' })
	await connection.close()
	for (const headers of [
		'Authorization: Basic x',
		'Host: other',
		'no colon',
		'Transfer-Encoding: chunked',
		'a b: c',
		'X: ü',
	]) {
		expect((await failure(open(cluster.host, { headers }))).message, headers).not.toContain('Basic x')
	}
})

test(
	proves('B.message.authentication', 'a rejected credential is an authentication failure, without the credential'),
	async () => {
		const body = JSON.stringify({
			error: { type: 'security_exception', reason: 'unable to authenticate [hunter2] [ZWxhc3RpYzpodW50ZXIy]' },
			status: 401,
		})
		await using cluster = await node((_, response) => void response.writeHead(401, elasticsearch).end(body))
		const error = await failure(open(cluster.host, { auth: 'basic', username: 'elastic', password: 'hunter2' }))
		expect(error.message).toMatch(/^Authentication failed: “security_exception: unable to authenticate/)
		expect(error.message).not.toMatch(/hunter2|ZWxhc3RpYzpodW50ZXIy/)
		expect(error.code).toBe('denied')
		expect(JSON.stringify(error)).not.toContain('hunter2')
	},
)

test('connects to Elasticsearch with a credential that may not read the version', async () => {
	const body = JSON.stringify({ error: { type: 'security_exception', reason: 'unauthorized' }, status: 403 })
	await using cluster = await node((_, response) => void response.writeHead(403, elasticsearch).end(body))
	const connection = await open(cluster.host)
	expect(connection.info().notices).toEqual([expect.stringContaining('may not read the version')])
	await connection.close()
	await using proxy = await node((_, response) => void response.writeHead(403).end('go away'))
	expect((await failure(open(proxy.host))).message).toMatch(/^Authentication failed: /)
})

test.each([
	[
		'OpenSearch',
		{
			version: { number: '2.11.0', distribution: 'opensearch' },
			tagline: 'The OpenSearch Project: https://opensearch.org/',
		},
		/this is OpenSearch 2\.11\.0/,
	],
	[
		'OpenSearch in disguise',
		{ version: { number: '7.10.2' }, tagline: 'The OpenSearch Project: https://opensearch.org/' },
		/this is OpenSearch 7\.10\.2/,
	],
	[
		'another engine',
		{ version: { number: '8.1.0' }, tagline: 'Searching, fast' },
		/this is another product \("Searching, fast"\)/,
	],
	[
		'8.x without the header',
		{ version: { number: '8.1.0' }, tagline: 'You Know, for Search' },
		/does not identify itself as Elasticsearch/,
	],
	['5.x', { version: { number: '5.6.0' }, tagline: 'You Know, for Search' }, /this is Elasticsearch 5\.6\.0/],
	['something else', { hello: 'world' }, /is not Elasticsearch/],
	['no object', [1, 2], /is not Elasticsearch/],
])(proves('B.scope.fork', 'rejects %s by name'), async (_, body, message) => {
	await using cluster = await node(
		(_request, response) =>
			void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
	)
	const error = await failure(open(cluster.host))
	expect(error.message).toMatch(/^Connection failed: /)
	expect(error.message).toMatch(message)
	expect(error.code).toBe('unsupported')
})

test('does not follow a redirect', async () => {
	await using elsewhere = await node((_, response) => ok(response))
	await using cluster = await node(
		(_, response) => void response.writeHead(302, { location: `http://${elsewhere.host}/` }).end(),
	)
	const error = await failure(open(cluster.host, { auth: 'basic', username: 'u', password: 'secret' }))
	expect(error.message).toMatch(/^Connection failed: .*redirect.*[^.]\.$/)
	expect(elsewhere.requests).toEqual([])
})

test('adds the path prefix to every request', async () => {
	await using cluster = await node((_, response) => ok(response))
	const connection = await open(`http://${cluster.host}/team/search/`)
	await connection.console.run(statement(connection, 'GET /_cat/indices'), { maxRows: 1 }, call())
	expect(cluster.requests.map(({ line }) => line)).toEqual(['GET /team/search/', 'GET /team/search/_cat/indices'])
	await connection.close()
})

test(
	proves('B.message.connection', 'reports an unreachable server as a connection failure, with what to check'),
	async () => {
		expect((await failure(open(await unusedAddress()))).message).toMatch(
			/^Connection failed: 127.*no server is listening there/,
		)
		expect((await failure(open('no-such-host.invalid'))).message).toMatch(
			/^Connection failed: no-such-host\.invalid:9200: .*\(E/,
		)
	},
)

test('tries the nodes one after the other and names each failure', async () => {
	await using sick = await node((_, response) => void response.writeHead(503).end())
	await using well = await node((_, response) => ok(response))
	const connection = await open(`${await unusedAddress()}, ${sick.host}, ${well.host}`)
	await connection.close()
	const error = await failure(open(`${await unusedAddress()}, ${await unusedAddress()}`))
	expect(error.message.match(/no server is listening there/g)).toHaveLength(2)
	await using locked = await node((_, response) => void response.writeHead(401).end())
	const seenBefore = well.requests.length
	expect((await failure(open(`${locked.host}, ${well.host}`))).message).toMatch(/^Authentication failed/)
	expect(well.requests).toHaveLength(seenBefore)
})

test('sends a read to the next node after a failure, a write only if nothing was sent', async () => {
	let isBroken = false
	await using first = await node((request, response) => {
		if (isBroken) request.socket.destroy()
		else ok(response)
	})
	await using second = await node((request, response) => ok(response, request.url === '/' ? undefined : '{}'))
	const connection = await open(`${first.host}, ${second.host}`)
	isBroken = true
	expect(
		(await failure(connection.console.run(statement(connection, 'PUT /a/_doc/1\n{}'), { maxRows: 1 }, call()))).message,
	).toMatch(/^Connection failed/)
	expect(second.requests).toEqual([])
	await connection.console.run(statement(connection, 'POST /a/_search\n{}'), { maxRows: 1 }, call())
	expect(second.requests.map(({ line }) => line)).toEqual(['GET /', 'POST /a/_search'])
	await connection.close()

	// Nothing listens on the node that answered last, so certainly nothing was sent, and the write may continue.
	await using third = await node((request, response) => ok(response, request.url === '/' ? undefined : '{}'))
	const leaving = await node((_, response) => ok(response))
	const other = await open(`${leaving.host}, ${third.host}`)
	await leaving[Symbol.asyncDispose]()
	// The driver learns of the end of its socket after this side.
	await new Promise(resolve => setTimeout(resolve, 20))
	await other.console.run(statement(other, 'PUT /a/_doc/1\n{}'), { maxRows: 1 }, call())
	expect(third.requests.map(({ line }) => line)).toEqual(['GET /', 'PUT /a/_doc/1'])
	await other.close()
})

test('cancelling a call closes the socket, so that the engine stops too', async () => {
	const closed = Promise.withResolvers<void>()
	const stop = new AbortController()
	await using cluster = await node((request, response) => {
		if (request.url === '/') return ok(response)
		request.socket.on('close', () => closed.resolve())
		stop.abort()
	})
	const connection = await open(cluster.host)
	const error = await failure(
		connection.console.run(statement(connection, 'GET /a/_search'), { maxRows: 1 }, call(stop.signal)),
	)
	expect(error.code).toBe('user_cancelled')
	await closed.promise
	await connection.close()
})

test('reports the limit for a slow request, also if bytes arrive slowly', async () => {
	await using cluster = await node((request, response) => {
		if (request.url === '/') return ok(response)
		response.writeHead(200, elasticsearch)
		const timer = setInterval(() => response.write(' '), 50)
		request.socket.on('close', () => clearInterval(timer))
	})
	const connection = await open(cluster.host, { requestTimeoutSeconds: 0.3 })
	const error = await failure(connection.console.run(statement(connection, 'GET /a/_search'), { maxRows: 1 }, call()))
	expect(error).toMatchObject({ code: 'timeout', message: expect.stringContaining('within 0.3 seconds') })
	await connection.close()
})

test('times out on a node that accepts the connection and does not answer', async () => {
	const server = createTcpServer(() => {})
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	const { port } = server.address() as AddressInfo
	const error = await failure(open(`127.0.0.1:${port}`, { requestTimeoutSeconds: 0.3 }))
	expect(error.code).toBe('timeout')
	server.close()
})

test('tries the next node if the first accepts the connection and does not answer', async () => {
	const silent = createTcpServer(() => {})
	await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
	const first = `127.0.0.1:${(silent.address() as AddressInfo).port}`
	await using second = await node((_, response) => ok(response))
	const connection = await open(`${first}, ${second.host}`, { connectTimeoutSeconds: 1 })
	expect(second.requests).toHaveLength(1)
	await connection.close()
	const error = await failure(open(first, { connectTimeoutSeconds: 1 }))
	expect(error.message).toMatch(/^Connection failed: 127.*no answer within 1 seconds; .*raise the connect timeout/)
	expect(error.code).toBe('not_connected')
	silent.close()
})

test('does not blame the SSL mode for a reset after the node has answered', async () => {
	let isBroken = false
	await using cluster = await node((request, response) => {
		if (isBroken) request.socket.resetAndDestroy()
		else ok(response)
	})
	const run = (connection: Awaited<ReturnType<typeof open>>) =>
		failure(connection.console.run(statement(connection, 'GET /a/_search'), { maxRows: 1 }, call()))
	const connection = await open(cluster.host)
	isBroken = true
	expect((await run(connection)).message).toMatch(/^Connection failed: .*may have restarted \(/)
	expect((await failure(open(cluster.host))).message).toMatch(/check that the SSL mode matches/)
	await connection.close()
})

test('reports a connection failure for a server without HTTP', async () => {
	const server = createTcpServer(socket => void socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	const { port } = server.address() as AddressInfo
	expect((await failure(open(`127.0.0.1:${port}`))).message).toMatch(/^Connection failed: /)
	server.close()
})

test.each(['102 Processing', '103 Early Hints'])('waits for the answer after %s', async early => {
	const body = '{"version":{"number":"8.13.4"},"tagline":"You Know, for Search"}'
	const head = `HTTP/1.1 200 OK\r\nx-elastic-product: Elasticsearch\r\ncontent-length: ${body.length}\r\n\r\n`
	const server = createTcpServer(socket => {
		socket.on('data', () => socket.write(`HTTP/1.1 ${early}\r\nlink: x\r\n\r\n${head}${body}`))
	})
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	const connection = await open(`127.0.0.1:${(server.address() as AddressInfo).port}`)
	expect(connection.info().version).toBe('8.13.4')
	await connection.close()
	server.close()
})
