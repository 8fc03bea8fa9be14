import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { rawText } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { call, decode, statement } from '../test/fixture.ts'
import { elasticsearch, failure, node, ok } from '../test/mock-node.ts'

/** Starts a node whose answers, except the first, are encoded. */
function encodingNode(encoding: string, body: Buffer, status = 200) {
	return node((request, response) => {
		if (request.url === '/') return ok(response)
		response.writeHead(status, { ...elasticsearch, 'content-encoding': encoding }).end(body)
	})
}

/** @param name host name that the user enters. Connections always go to `host`. */
async function run(host: string, text = 'GET /a/_search', name = host) {
	const direct = directContext()
	const port = Number(host.split(':').at(-1))
	const open: typeof direct.connect = (_address, options) => direct.connect({ host: '127.0.0.1', port }, options)
	const connection = await connect({ hosts: name, auth: 'none' }, { ...direct, connect: open }, call())
	try {
		return decode(await connection.console.run(statement(connection, text), { maxRows: 10 }, call()))
	} finally {
		await connection.close()
	}
}

const answer = Buffer.from(JSON.stringify({ n: 'ü'.repeat(100_000) }))

test.each([
	['gzip', gzipSync],
	['deflate', deflateSync],
	['br', brotliCompressSync],
	['zstd', zstdCompressSync],
] as const)('reads an answer in %s', async (encoding, compress) => {
	await using cluster = await encodingNode(encoding, compress(answer))
	expect(rawText(await run(cluster.host))).toContain('üüü')
	await run(cluster.host, 'HEAD /a')
})

test.each([
	['search.example:9200', 'gzip'],
	['10.0.0.7', 'gzip'],
	['localhost.example', 'gzip'],
	['localhost', undefined],
	['127.0.0.2:9200', undefined],
	['[::1]:9200', undefined],
])('for the host %s, sends the Accept-Encoding %s', async (name, encoding) => {
	await using cluster = await node((_, response) => ok(response))
	await run(cluster.host, 'GET /a/_search', name)
	expect(cluster.requests.at(-1)?.headers['accept-encoding']).toBe(encoding)
	await run(cluster.host, 'HEAD /a', name)
	expect(cluster.requests.at(-1)?.headers['accept-encoding']).toBeUndefined()
})

test('reads a compressed error', async () => {
	const error = Buffer.from(
		JSON.stringify({ error: { type: 'parsing_exception', reason: 'no such query' }, status: 400 }),
	)
	await using cluster = await encodingNode('gzip', gzipSync(error), 400)
	expect((await failure(run(cluster.host))).message).toBe('Elasticsearch error: “parsing_exception: no such query”')
})

test('reports an answer with an unknown or broken compression', async () => {
	await using foreign = await encodingNode('snappy', answer)
	expect((await failure(run(foreign.host))).message).toMatch(/compressed as snappy, which was not requested/)
	await using broken = await encodingNode('gzip', gzipSync(answer).subarray(0, 60))
	expect((await failure(run(broken.host))).message).toMatch(/the compressed answer is damaged/)
})

test('aborts an answer whose decompressed size exceeds the limit', async () => {
	const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, 0x20))
	await using cluster = await encodingNode('gzip', bomb)
	expect((await failure(run(cluster.host))).message).toMatch(/larger than 128 MiB/)
})

test('reports the outcome of a write as unknown if the response cannot be decompressed', async () => {
	await using cluster = await node((request, response) => {
		if (request.url === '/') return ok(response)
		if (request.method === 'GET') return ok(response, '{"t":{"mappings":{}}}')
		response.writeHead(200, { ...elasticsearch, 'content-encoding': 'gzip' }).end('no gzip')
	})
	const connection = await connect({ hosts: cluster.host, auth: 'none' }, directContext(), call())
	expect(await connection.applyChanges('t', [{ kind: 'insert', values: { a: 1 } }], call())).toMatchObject([
		{ status: 'unknown' },
	])
	await connection.close()
})
