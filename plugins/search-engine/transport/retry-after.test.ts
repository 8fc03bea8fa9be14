import { directContext } from '@roundhouse/kit/testing'
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { call, statement } from '../test/fixture.ts'
import { elasticsearch, failure, node, ok } from '../test/mock-node.ts'
import { retryAfterMs } from './retry-after.ts'

test('parses the header as seconds or as a date', () => {
	expect(retryAfterMs({ 'retry-after': '3' })).toBe(3000)
	expect(retryAfterMs({ 'retry-after': new Date(Date.now() - 5000).toUTCString() })).toBe(0)
	expect(retryAfterMs({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() })).toBeGreaterThan(50_000)
	for (const text of ['', '-1', 'soon', '1.5']) expect(retryAfterMs({ 'retry-after': text })).toBeUndefined()
	expect(retryAfterMs({})).toBeUndefined()
})

/** Starts an overloaded node that rejects the first `busy` requests with status 429. */
function busyNode(busy: number, retryAfter: string) {
	let left = busy
	return node((request, response) => {
		if (request.url === '/' || left-- <= 0) return ok(response, request.url === '/' ? undefined : '{}')
		response.writeHead(429, { ...elasticsearch, 'retry-after': retryAfter })
		response.end('{"error":{"type":"es_rejected_execution_exception","reason":"queue full"},"status":429}')
	})
}

async function run(host: string, text: string, signal?: AbortSignal, requestTimeoutSeconds = 60) {
	const connection = await connect({ hosts: host, auth: 'none', requestTimeoutSeconds }, directContext(), call())
	try {
		return await connection.console.run(statement(connection, text), { maxRows: 1 }, call(signal))
	} finally {
		await connection.close()
	}
}

test('retries a read after the requested wait time, and for a write only reports that time', async () => {
	await using cluster = await busyNode(2, '0')
	await run(cluster.host, 'GET /a/_search')
	expect(cluster.requests.filter(({ line }) => line === 'GET /a/_search')).toHaveLength(3)
	await using writing = await busyNode(1, '5')
	expect((await failure(run(writing.host, 'PUT /a/_doc/1\n{}'))).message).toMatch(
		/queue full”\. The cluster asks to try again in 5/,
	)
	expect(writing.requests.filter(({ line }) => line.startsWith('PUT'))).toHaveLength(1)
})

test('waits no longer than the time limit, and limits the retries', async () => {
	await using patient = await busyNode(1, '600')
	expect((await failure(run(patient.host, 'GET /a/_search'))).message).toMatch(/try again in 600 seconds/)
	await using full = await busyNode(100, '0')
	expect((await failure(run(full.host, 'GET /a/_search'))).message).toMatch(/queue full/)
	expect(full.requests).toHaveLength(1 + 4)
})

test('stops waiting when the call is cancelled', async () => {
	const stop = new AbortController()
	await using cluster = await busyNode(1, '30')
	const running = failure(run(cluster.host, 'GET /a/_search', stop.signal))
	while (cluster.requests.length < 2) await new Promise(resolve => setTimeout(resolve, 5))
	stop.abort()
	expect((await running).code).toBe('user_cancelled')
})

test('does not retry at once if the wait exceeds the maximum of a timer', async () => {
	await using cluster = await busyNode(1, '999999999')
	expect((await failure(run(cluster.host, 'GET /a/_search', undefined, 0))).message).toMatch(/queue full/)
	expect(cluster.requests).toHaveLength(1 + 1)
})
