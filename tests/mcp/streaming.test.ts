import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { proves } from '../contract/proves.ts'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

let fixture: EndpointFixture
let connectionId: string
beforeAll(async () => {
	fixture = await startEndpoint()
	connectionId = (await fixture.addConnection()).id
})
afterAll(() => fixture[Symbol.asyncDispose]())

const wait = (progress: number[] = [1], finish = false) => ({ name: 'ledger_wait', arguments: { progress, finish } })
/** Returns how many calls the driver is running. */
async function waitingInDriver(): Promise<number> {
	const { result } = (await fixture.callTool('ledger_wait', { finish: true })).json
	return JSON.parse(result.content[0].text).waiting
}
const untilDriverIsIdle = () => vi.waitFor(async () => expect(await waitingInDriver()).toBe(0))

/** Starts a call in the driver, and waits for its first progress message. */
async function running(id: number | string, token?: string) {
	const stream = await fixture.stream('tools/call', wait(), {
		id,
		meta: { progressToken: 't' },
		...(token && { token }),
	})
	expect((await stream.next()).method).toBe('notifications/progress')
	return stream
}
const cancel = (requestId: number | string, token?: string) =>
	fixture.notify('notifications/cancelled', { requestId, reason: 'test' }, token ? { token } : {})

describe('progress', () => {
	test(proves('A.progress.stream', 'is sent as unnamed frames, and the response is the last frame'), async () => {
		const answer = await fixture.call('tools/call', wait([10, 20], true), { meta: { progressToken: 'p' } })
		expect(answer.headers['content-type']).toBe('text/event-stream')
		expect(answer.text).not.toMatch(/^(event|id|retry):/m)
		expect(answer.frames.map(frame => frame.params?.progress ?? frame.id)).toEqual([10, 20, 1])
		expect(answer.json.result.resultType).toBe('complete')
	})

	test.each(['server/discover', 'tools/list', 'resources/list'])(
		proves('A.progress.stream', 'streams %s too, because a token was sent'),
		async method => {
			const answer = await fixture.call(method, {}, { meta: { progressToken: 1 } })
			expect(answer.headers['content-type']).toBe('text/event-stream')
			expect(answer.frames).toHaveLength(1)
		},
	)

	test(proves('A.progress.stream', 'also works in the legacy era, and never streams without a token'), async () => {
		const headers = { 'Mcp-Session-Id': await fixture.initialize() }
		const send = (params: object) =>
			fixture.send(fixture.legacyRequest('tools/call', { ...wait([1], true), ...params }, { headers }))
		expect((await send({ _meta: { progressToken: 1 } })).frames).toHaveLength(2)
		expect((await send({})).headers['content-type']).toBe('application/json')
	})

	test('errors before the start of the work keep their HTTP status', async () => {
		const meta = { progressToken: 1 }
		expect((await fixture.call('tools/call', { name: 'nope' }, { meta })).status).toBe(400)
		expect((await fixture.call('no/such', {}, { meta })).status).toBe(404)
		expect((await fixture.call('tools/list', { cursor: 'x' }, { meta })).status).toBe(400)
	})

	test(proves('A.progress.increases', 'drops values that do not increase, and accepts a first zero'), async () => {
		const answer = await fixture.call('tools/call', wait([0, 0, 5, 3, 5, 9], true), { meta: { progressToken: 'p' } })
		expect(answer.frames.slice(0, -1).map(frame => frame.params.progress)).toEqual([0, 5, 9])
	})

	test.each(['text', 7, ''])(proves('A.meta.progress-token', 'echoes the token %j'), async progressToken => {
		const answer = await fixture.call('tools/call', wait([1], true), { meta: { progressToken } })
		expect(answer.frames[0].params.progressToken).toBe(progressToken)
	})

	test(proves('A.progress.shape', 'has a value, a total and a message'), async () => {
		const params = { name: 'execute_query', arguments: { connection_id: connectionId, query: 'read all' } }
		const [first] = (await fixture.call('tools/call', params, { meta: { progressToken: 'p' } })).frames
		expect(first).toEqual({
			jsonrpc: '2.0',
			method: 'notifications/progress',
			params: { progressToken: 'p', progress: 0, total: 1, message: expect.any(String) },
		})
	})

	test(proves('A.progress.execute-query', 'of execute_query is 0, 0.3 and 1'), async () => {
		const params = { name: 'execute_query', arguments: { connection_id: connectionId, query: 'read all' } }
		const { frames } = await fixture.call('tools/call', params, { meta: { progressToken: 'p' } })
		expect(frames.slice(0, -1).map(frame => frame.params.progress)).toEqual([0, 0.3, 1])
	})
})

describe('cancellation', () => {
	test(proves('A.lifecycle.cancelled', 'ends the request and the work of the driver'), async () => {
		using stream = await running('c1')
		expect((await cancel('c1')).status).toBe(202)
		expect(await stream.next()).toMatchObject({ id: 'c1', error: { code: -33002 } })
		expect(await stream.next()).toBeUndefined()
		await untilDriverIsIdle()
	})

	test(proves('A.lifecycle.cancelled', 'is answered with 200 if nothing streams'), async () => {
		const answer = fixture.call('tools/call', { ...wait() }, { id: 'c2' })
		await vi.waitFor(async () => expect(await waitingInDriver()).toBe(1))
		await cancel('c2')
		expect(await answer).toMatchObject({ status: 200, json: { id: 'c2', error: { code: -33002 } } })
	})

	test(proves('A.lifecycle.cancel-accepted', 'is accepted even if nothing matches or it is malformed'), async () => {
		for (const params of [{ requestId: 'unknown' }, {}, { requestId: null }, { requestId: {} }]) {
			expect((await fixture.notify('notifications/cancelled', params)).status).toBe(202)
		}
	})

	test(
		proves('A.lifecycle.cancel-own', 'ends no request of another token, and none with an id of another type'),
		async () => {
			using stream = await running(5)
			const { token } = await fixture.tokens.create({ name: 'other', level: 'full' })
			await cancel(5, token)
			await cancel('5')
			expect(await waitingInDriver()).toBe(1)
			await cancel(5)
			expect((await stream.next()).error.code).toBe(-33002)
		},
	)

	test('ends every request that shares the token and the id', async () => {
		using one = await running('same')
		using two = await running('same')
		await cancel('same')
		expect([(await one.next()).error.code, (await two.next()).error.code]).toEqual([-33002, -33002])
	})

	test(proves('A.lifecycle.revoked', 'a revocation cancels requests and streams of the token'), async () => {
		const { id, token } = await fixture.tokens.create({ name: 'short', level: 'full' })
		using stream = await running('r', token)
		using listening = await fixture.stream('subscriptions/listen', { notifications: {} }, { id: 'l', token })
		await listening.next()
		await fixture.tokens.revoke(id)
		expect((await stream.next()).error.code).toBe(-33002)
		expect((await listening.next()).error.code).toBe(-33002)
		await untilDriverIsIdle()
	})

	test(proves('A.lifecycle.dropped', 'a disconnected client stops the work of the driver'), async () => {
		const stream = await running('d')
		expect(await waitingInDriver()).toBe(1)
		stream.close()
		await untilDriverIsIdle()
	})

	test(
		proves('A.lifecycle.dropped', 'a disconnected client without a stream stops the work too, also in the legacy era'),
		async () => {
			const headers = { 'Mcp-Session-Id': await fixture.initialize() }
			const { request } = await import('node:http')
			for (const sent of [
				fixture.modernRequest('tools/call', wait()),
				fixture.legacyRequest('tools/call', wait(), { headers }),
			]) {
				const outgoing = request({ port: fixture.port, path: '/mcp', method: 'POST', headers: sent.headers ?? {} })
				outgoing.on('error', () => {})
				outgoing.end(sent.body)
				await vi.waitFor(async () => expect(await waitingInDriver()).toBe(1))
				outgoing.destroy()
				await untilDriverIsIdle()
			}
		},
	)
})

describe('deadlines', () => {
	test(proves('A.lifecycle.deadline', 'a handler is ended after 330 seconds, and not before'), async () => {
		using stream = await running('late')
		fixture.clock.advance(329_999)
		expect(await waitingInDriver()).toBe(1)
		fixture.clock.advance(1)
		expect(await stream.next()).toMatchObject({ id: 'late', error: { code: -33003 } })
		await untilDriverIsIdle()
	})

	test(proves('A.lifecycle.statement-timeout', 'a statement is stopped at its own limit'), async () => {
		const args = { connection_id: connectionId, query: 'slow one', timeout_seconds: 7 }
		const answer = fixture.callTool('execute_query', args)
		await vi.waitFor(async () => expect(await waitingInDriver()).toBe(1))
		fixture.clock.advance(6_999)
		expect(await waitingInDriver()).toBe(1)
		fixture.clock.advance(1)
		const { status, json } = await answer
		expect([status, json.result.isError]).toEqual([200, true])
		expect(json.result.content[0].text).toMatch(/^timeout: .*7 seconds/)
		await untilDriverIsIdle()
	})

	test(proves('A.lifecycle.listen-no-deadline', 'a subscription has no deadline'), async () => {
		using stream = await fixture.stream('subscriptions/listen', { notifications: { resourcesListChanged: true } })
		await stream.next()
		fixture.clock.advance(24 * 3_600_000)
		await fixture.callTool('disconnect', { connection_id: connectionId })
		await fixture.callTool('connect', { connection_id: connectionId })
		expect((await stream.next()).method).toBe('notifications/resources/list_changed')
	})

	test('no timer is left of a finished call', async () => {
		await untilDriverIsIdle()
		// The clock has passed the renewal time of the handshake, which is being written. That timer stays.
		await vi.waitFor(() => expect(fixture.clock.pending).toBeGreaterThan(0))
		const before = fixture.clock.pending
		await fixture.call('tools/call', wait([1], true), { meta: { progressToken: 1 } })
		using stream = await running('gone')
		await cancel('gone')
		await stream.next()
		await vi.waitFor(() => expect(fixture.clock.pending).toBe(before))
	})
})

test(proves('A.limits.idle', 'a waiting stream sends a comment every 15 seconds'), async () => {
	using stream = await running('alive')
	for (let beat = 1; beat <= 3; beat++) {
		fixture.clock.advance(15_000)
		await vi.waitFor(() => expect(stream.text().match(/^: keep-alive$/gm)).toHaveLength(beat))
	}
	await cancel('alive')
	await stream.next()
})

describe('subscriptions/listen', () => {
	const key = 'io.modelcontextprotocol/subscriptionId'

	test(proves('A.events.listen', 'acknowledges the accepted filter, with the id of the request'), async () => {
		using stream = await fixture.stream(
			'subscriptions/listen',
			{
				notifications: {
					toolsListChanged: true,
					promptsListChanged: true,
					resourcesListChanged: true,
					resourceSubscriptions: ['roundhouse://connections', 'https://example.com/', 'test://other'],
				},
			},
			{ id: 77 },
		)
		expect(stream.headers['content-type']).toBe('text/event-stream')
		expect(await stream.next()).toEqual({
			jsonrpc: '2.0',
			method: 'notifications/subscriptions/acknowledged',
			params: {
				_meta: { [key]: 77 },
				notifications: { resourcesListChanged: true, resourceSubscriptions: ['roundhouse://connections'] },
			},
		})
	})

	test(proves('A.events.listen', 'sends notifications of requested changes, and no others'), async () => {
		const uri = 'roundhouse://connections'
		using updates = await fixture.stream('subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } })
		using nothing = await fixture.stream('subscriptions/listen', { notifications: {} }, { id: 'n' })
		await Promise.all([updates.next(), nothing.next()])
		await fixture.addConnection({ name: 'Another' })
		expect(await updates.next()).toMatchObject({
			method: 'notifications/resources/updated',
			params: { uri, _meta: { [key]: 1 } },
		})
		await cancel('n')
		expect((await nothing.next()).error.code).toBe(-33002)
	})

	test('sends one update per resource, in any spelling of its URI, and none of unreadable resources', async () => {
		const id = await fixture.addConnection({ name: 'History' }).then(connection => connection.id)
		const history = `roundhouse://connections/${id}/history`
		const written = `roundhouse://connections/%${id.charCodeAt(0).toString(16)}${id.slice(1)}/history`
		const hidden = 'roundhouse://connections/nowhere/tables'
		const notifications = { resourceSubscriptions: [history, written, history, hidden] }
		using stream = await fixture.stream('subscriptions/listen', { notifications }, { id: 'h' })
		expect((await stream.next()).params.notifications).toEqual({ resourceSubscriptions: [history] })
		// Opening the connection updates all its resources; a statement updates its history.
		await fixture.callTool('execute_query', { connection_id: id, query: 'read 1' })
		const told = [await stream.next(), await stream.next()]
		expect(told.map(({ params }) => params.uri)).toEqual([history, history])
		await cancel('h')
		expect((await stream.next()).error.code).toBe(-33002)
	})

	test('sends nothing about connections that the token may not see', async () => {
		const { token } = await fixture.tokens.create({ name: 'narrow', level: 'read-only', connections: [] })
		const notifications = { resourcesListChanged: true, resourceSubscriptions: ['roundhouse://connections'] }
		using stream = await fixture.stream('subscriptions/listen', { notifications }, { token, id: 'quiet' })
		await stream.next()
		await fixture.addConnection({ name: 'Hidden' })
		await cancel('quiet', token)
		expect((await stream.next()).id).toBe('quiet')
	})

	test.each([
		undefined,
		null,
		[],
		'all',
		{ resourceSubscriptions: 'x' },
		{ resourceSubscriptions: [''] },
		{ resourceSubscriptions: [7] },
		{ resourcesListChanged: 'yes' },
		{ toolsListChanged: 1 },
	])('refuses the filter %j', async notifications => {
		const params = notifications === undefined ? {} : { notifications }
		const answer = await fixture.call('subscriptions/listen', params)
		expect([answer.status, answer.json.error.code]).toEqual([400, -32602])
	})

	test('ends with its response when the endpoint stops', async () => {
		await using other = await startEndpoint()
		using stream = await other.stream('subscriptions/listen', { notifications: {} }, { id: 'end' })
		await stream.next()
		await other.endpoint.close()
		expect(await stream.next()).toMatchObject({
			id: 'end',
			result: { resultType: 'complete', _meta: { [key]: 'end' } },
		})
	})
})
