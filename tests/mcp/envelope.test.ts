import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../contract/proves.ts'
import { type EndpointFixture, modernVersion, startEndpoint } from './endpoint.ts'

let fixture: EndpointFixture
beforeAll(async () => {
	fixture = await startEndpoint()
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** Sends a modern discover request with the given body, and returns the response. */
function sendBody(body: string | Buffer) {
	return fixture.send({ ...fixture.modernRequest('server/discover'), body })
}

const meta = {
	'io.modelcontextprotocol/protocolVersion': modernVersion,
	'io.modelcontextprotocol/clientCapabilities': {},
}
const discover = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: meta } }

test.each(['', '{', 'nonsense', '{"jsonrpc":"2.0",}', '\ufeff{}'])(
	proves('A.errors.parse', 'refuses %j'),
	async body => {
		const answer = await sendBody(body)
		expect(answer.status).toBe(400)
		expect(answer.json).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700 } })
	},
)

test('refuses bytes that are not UTF-8', async () => {
	expect((await sendBody(Buffer.from([0x7b, 0xff, 0x7d]))).json.error.code).toBe(-32700)
})

test.each([undefined, '1.0', 2, null])(
	proves('A.envelope.jsonrpc', 'refuses jsonrpc %j, and still echoes the id'),
	async jsonrpc => {
		const answer = await sendBody(JSON.stringify({ ...discover, id: 'x', jsonrpc }))
		expect([answer.status, answer.json.id, answer.json.error.code]).toEqual([400, 'x', -32600])
	},
)

describe('id', () => {
	test.each(['1', '"one"', '-7', '""', '9007199254740993123', '"\\ud800"'])(
		proves('A.envelope.id', '%s is echoed unchanged'),
		async id => {
			const answer = await sendBody(JSON.stringify(discover).replace('"id":1', `"id":${id}`))
			expect(answer.status).toBe(200)
			expect(answer.text).toContain(`"id":${id},`)
		},
	)

	test.each(['null', '1.5', 'true', '[]', '{}', '1e400'])(proves('A.envelope.id', '%s is refused'), async id => {
		const answer = await sendBody(JSON.stringify(discover).replace('"id":1', `"id":${id}`))
		expect([answer.status, answer.json.id, answer.json.error.code]).toEqual([400, null, -32600])
	})
})

test.each(['[]', '"text"', 'null', '1'])(proves('A.envelope.params', 'params %s is refused'), async params => {
	const answer = await sendBody(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":${params}}`)
	expect([answer.status, answer.json.error.code]).toEqual([400, -32600])
})

test.each(['[]', '1', '"text"', 'null'])('the message %s is refused', async body => {
	expect((await sendBody(body)).json.error.code).toBe(-32600)
})

test(proves('A.envelope.batch', 'refuses a batch'), async () => {
	const answer = await sendBody(JSON.stringify([discover, discover]))
	expect([answer.status, answer.json.error.code]).toEqual([400, -32600])
})

test.each([{ result: {} }, { error: { code: 1, message: '' } }])(
	proves('A.errors.response', 'refuses a posted response'),
	async response => {
		const answer = await sendBody(JSON.stringify({ jsonrpc: '2.0', id: 5, ...response }))
		expect([answer.status, answer.json.id, answer.json.error.code]).toEqual([400, 5, -32600])
	},
)

describe('_meta', () => {
	const version = 'io.modelcontextprotocol/protocolVersion'
	const capabilities = 'io.modelcontextprotocol/clientCapabilities'
	const withMeta = (changed: object) =>
		sendBody(JSON.stringify({ ...discover, params: { _meta: { ...meta, ...changed } } }))

	test.each([undefined, '', null, 7, {}])(
		proves('A.meta.version-missing', 'the version %j is refused'),
		async value => {
			const answer = await withMeta({ [version]: value })
			expect([answer.status, answer.json.error.code]).toEqual([400, -32602])
		},
	)

	test(proves('A.meta.version-missing', 'a missing _meta or missing params are refused'), async () => {
		for (const params of [{}, undefined]) {
			const answer = await sendBody(JSON.stringify({ ...discover, params }))
			expect([answer.status, answer.json.error.code]).toEqual([400, -32602])
		}
	})

	test(
		proves('A.meta.version-unsupported', 'an unknown version is refused with the list of supported versions'),
		async () => {
			const answer = await fixture.call(
				'server/discover',
				{},
				{ meta: { [version]: '2027-01-01' }, headers: { 'MCP-Protocol-Version': '2027-01-01' } },
			)
			expect([answer.status, answer.json.error.code]).toEqual([400, -32022])
			expect(answer.json.error.data).toEqual({
				supported: ['2026-07-28', '2025-11-25', '2025-06-18'],
				requested: '2027-01-01',
			})
		},
	)

	test.each([undefined, null, [], 'all', 1])(
		proves('A.meta.capabilities', 'the capabilities %j are refused'),
		async value => {
			const answer = await withMeta({ [capabilities]: value })
			expect([answer.status, answer.json.error.code]).toEqual([400, -32602])
		},
	)

	test.each([undefined, { name: 'c', title: 'Client', version: '1' }, 'nonsense', {}])(
		proves('A.meta.client-info', 'the client info %j is accepted'),
		async info => {
			expect((await withMeta({ 'io.modelcontextprotocol/clientInfo': info })).status).toBe(200)
		},
	)

	test(proves('A.meta.trace', 'trace context has no effect'), async () => {
		const trace = {
			traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
			tracestate: 'a=1',
			baggage: 'b=2',
		}
		expect((await withMeta(trace)).status).toBe(200)
	})

	test.each(['"text"', '[]', '1'])('_meta %s is refused', async value => {
		const answer = await sendBody(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":${value}}}`)
		expect(answer.json.error.code).toBe(-32602)
	})

	test.each([{}, [], 1.5, true, null])('the progress token %j is refused', async progressToken => {
		const answer = await withMeta({ progressToken })
		expect([answer.status, answer.json.error.code]).toEqual([400, -32602])
	})
})
