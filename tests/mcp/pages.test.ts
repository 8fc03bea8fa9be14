import { expect, test } from 'vitest'
import { proves } from '../contract/proves.ts'
import { startEndpoint } from './endpoint.ts'

test(proves('A.pages.size', 'a list of more than 50 is paginated without lost or repeated items'), async () => {
	await using fixture = await startEndpoint()
	for (let count = 0; count < 20; count++) {
		const { id } = await fixture.addConnection({ name: `Books ${count}` })
		await fixture.sessions.open(id)
	}
	const first = (await fixture.call('resources/list')).json.result
	expect(first.resources).toHaveLength(50)
	const second = (await fixture.call('resources/list', { cursor: first.nextCursor })).json.result
	expect(second.resources).toHaveLength(11)
	expect(second).not.toHaveProperty('nextCursor')
	const uris = [...first.resources, ...second.resources].map(({ uri }: { uri: string }) => uri)
	expect(new Set(uris).size).toBe(61)
	expect(second).toMatchObject({ ttlMs: 30_000, cacheScope: 'private' })

	for (const method of ['tools/list', 'prompts/list', 'resources/templates/list']) {
		const answer = await fixture.call(method, { cursor: first.nextCursor })
		expect([method, answer.status, answer.json.error.code]).toEqual([method, 400, -32602])
	}
})

test.each(['', 'x', '====', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 1, null, {}])(
	proves('A.pages.bound', 'the cursor %j is refused'),
	async cursor => {
		await using fixture = await startEndpoint({ drivers: [] })
		for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
			const answer = await fixture.call(method, { cursor })
			expect([answer.status, answer.json.error.code]).toEqual([400, -32602])
		}
	},
)

test(
	proves('A.errors.capability', 'a driver that needs a capability that the client lacks is answered with -32021'),
	async () => {
		const { join } = await import('node:path')
		const conformance = join(import.meta.dirname, '..', 'conformance', 'drivers', 'test')
		await using fixture = await startEndpoint({ drivers: [conformance] })
		const answer = await fixture.callTool('test_missing_capability')
		expect([answer.status, answer.json.error.code]).toEqual([400, -32021])
		expect(answer.json.error.data).toEqual({ requiredCapabilities: { sampling: {} } })
		// The core refuses a driver's question that needs an undeclared capability.
		const asked = await fixture.callTool(
			'test_input_required_result_sampling',
			{},
			{ capabilities: { elicitation: {} } },
		)
		expect([asked.status, asked.json.error.code]).toEqual([400, -32021])
	},
)

test(proves('A.errors.unavailable', 'during shutdown a waiting socket gets the error for unavailable'), async () => {
	await using fixture = await startEndpoint()
	const params = { name: 'ledger_wait', arguments: { progress: [1] } }
	using stream = await fixture.stream('tools/call', params, { meta: { progressToken: 1 } })
	await stream.next()
	const { connect } = await import('node:net')
	const { headers, body } = fixture.modernRequest('server/discover')
	const socket = connect(fixture.port, '127.0.0.1')
	let text = ''
	socket.on('data', (chunk: Buffer) => {
		text += chunk
	})
	// A request has been sent in part when the endpoint begins to stop.
	await new Promise<void>(resolve => socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\n', () => resolve()))
	await fixture.call('server/discover')
	const closing = fixture.endpoint.close()
	const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`)
	socket.write(`${lines.join('')}Content-Length: ${String(body).length}\r\n\r\n${body}`)
	expect((await stream.next()).error.code).toBe(-33002)
	await closing
	expect(text).toMatch(/^HTTP\/1\.1 503 .*-33000/s)
	socket.destroy()
})
