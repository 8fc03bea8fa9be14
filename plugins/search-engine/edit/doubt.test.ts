import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Cell, Change } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { call, direct, openSample } from '../test/fixture.ts'
import { node, ok } from '../test/mock-node.ts'

/** Reports of an interrupted save: the driver claims nothing that it does not know. */

let opened: Awaited<ReturnType<typeof openSample>>
beforeAll(async () => {
	opened = await openSample()
})
afterAll(() => opened[Symbol.asyncDispose]())

const update = (id: string, set: Record<string, Cell>): Change => ({
	kind: 'update',
	rowId: JSON.stringify(['books', id]),
	set,
})
const stored = (id: string) => direct(opened.sample.url, `/books/_source/${encodeURIComponent(id)}`)

/** Starts a node that forwards to the sample, except that it answers a write with `misbehave`. */
async function behind(misbehave: (socket: import('node:net').Socket, forward: () => Promise<void>) => void) {
	const server = createServer(async (incoming, outgoing) => {
		const chunks: Buffer[] = []
		for await (const chunk of incoming) chunks.push(chunk as Buffer)
		const { method = 'GET', url = '/' } = incoming
		const body = Buffer.concat(chunks).toString('utf8')
		const forward = () =>
			fetch(`${opened.sample.url}${url}`, {
				method,
				...(body && { body }),
				headers: { 'content-type': 'application/json' },
			})
		if (/_update/.test(url)) return misbehave(incoming.socket, async () => void (await forward()))
		const answer = await forward()
		outgoing.writeHead(answer.status, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' })
		outgoing.end(await answer.text())
	})
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	const hosts = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
	return {
		hosts,
		[Symbol.dispose]() {
			server.closeAllConnections()
			server.close()
		},
	}
}

test('after a lost connection, reports one row as unknown and sends nothing more', async () => {
	using node = await behind((socket, forward) => void forward().then(() => socket.destroy()))
	const connection = await connect({ hosts: node.hosts, auth: 'none' }, directContext(), call())
	const outcomes = await connection.applyChanges(
		'books',
		[
			{ kind: 'insert', values: { _id: 'before', title: 'x' } },
			update('18', { pages: 77 }),
			update('19', { pages: 77 }),
		],
		call(),
	)
	expect(outcomes).toMatchObject([
		{ status: 'applied' },
		{ status: 'unknown', message: expect.stringContaining('may or may not have been made') },
		{ status: 'not_sent' },
	])
	// In this case the write was made, so the driver must not claim a failure or send it again.
	expect(JSON.parse(await stored('18'))).toMatchObject({ pages: 77 })
	await connection.close()
})

test('reports a write as unknown if its call is cancelled', async () => {
	const stop = new AbortController()
	using node = await behind(() => stop.abort())
	const connection = await connect({ hosts: node.hosts, auth: 'none' }, directContext(), call())
	const outcomes = await connection.applyChanges(
		'books',
		[update('20', { pages: 1 }), update('21', { pages: 1 })],
		call(stop.signal),
	)
	expect(outcomes.map(outcome => outcome.status)).toEqual(['unknown', 'not_sent'])
	await connection.close()
})

function http(status: string, body: string, length = body.length): string {
	return `HTTP/1.1 ${status}\r\ncontent-length: ${length}\r\n\r\n${body}`
}

test('an error of a gateway leaves the outcome unknown, an error of the engine does not', async () => {
	const engineError = '{"error":{"type":"es_rejected_execution_exception","reason":"queue is full"},"status":429}'
	for (const [answer, status] of [
		[http('504 Gateway Timeout', '<html>late</html>'), 'unknown'],
		[http('429 Too Many Requests', engineError), 'failed'],
		[http('503 Service Unavailable', engineError), 'failed'],
		[http('200 OK', '{"result":', 500), 'unknown'],
		[http('200 OK', '{]}'), 'unknown'],
	] as const) {
		using node = await behind(socket => void socket.end(answer))
		const connection = await connect({ hosts: node.hosts, auth: 'none' }, directContext(), call())
		expect(await connection.applyChanges('books', [update('22', { pages: 1 })], call()), answer).toMatchObject([
			{ status },
		])
		await connection.close()
	}
})

test('a document that the driver cannot process fails its row, and keeps the outcomes of earlier rows', async () => {
	const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
	await using cluster = await node((request, response) => {
		const [path = ''] = (request.url ?? '').split('?')
		if (path === '/') return ok(response)
		if (path === '/books/_doc') return ok(response, '{"_index":"books","_id":"new","_seq_no":1,"_primary_term":1}')
		if (path === '/books/_doc/1') return ok(response, `{"_index":"books","_id":"1","found":true,"_source":${deep}}`)
		ok(response, '{}')
	})
	const connection = await connect({ hosts: cluster.host, auth: 'none' }, directContext(), call())
	const changes: Change[] = [
		{ kind: 'insert', values: { x: 1 } },
		update('1', { 'b.c': { missing: true } }),
		{ kind: 'insert', values: { x: 2 } },
	]
	expect(await connection.applyChanges('books', changes, call())).toMatchObject([
		{ status: 'applied' },
		{ status: 'failed', message: expect.stringContaining('RangeError') },
		{ status: 'not_sent' },
	])
	await connection.close()
})
