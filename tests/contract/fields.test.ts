import type { JsonObject } from '@roundhouse/kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { protocolErrors } from '../../host/mcp/wire/protocol-errors.ts'
import { type EndpointFixture, startEndpoint } from '../mcp/endpoint.ts'
import type { Received } from '../mcp/wire.ts'
import { namesIn, namesUnder, tableUnder } from './contract-tables.ts'

/**
 * Each field, header, method and code that a table of the contract names has a separate assertion. The lists are
 * compared with the tables, so a name without an assertion fails.
 */

let fixture: EndpointFixture
let connection: string
beforeAll(async () => {
	fixture = await startEndpoint()
	connection = (await fixture.addConnection()).id
})
afterAll(() => fixture[Symbol.asyncDispose]())

const text = expect.any(String)
const form = { capabilities: { elicitation: {} } }
const write = (more: JsonObject = {}) =>
	fixture.call(
		'tools/call',
		{ name: 'execute_query', arguments: { connection_id: connection, query: 'put field' }, ...more },
		form,
	)
const refusal = ({ status, json }: Received) => [status, json?.error?.code]
const body = (changes: JsonObject) => {
	const sent = fixture.modernRequest('server/discover')
	return fixture.send({ ...sent, body: JSON.stringify({ ...JSON.parse(String(sent.body)), ...changes }) })
}
const withMeta = (meta: JsonObject) => fixture.call('server/discover', {}, { meta })
const withHeader = (name: string, value: string | undefined, method = 'tools/list', params: JsonObject = {}) =>
	fixture.call(method, params, { headers: { [name]: value } })

/** What is asserted of each name, by the table that has it. */
const fields: Readonly<Record<string, Readonly<Record<string, () => Promise<void>>>>> = {
	'Request envelope (JSON-RPC 2.0)': {
		jsonrpc: async () => expect(refusal(await body({ jsonrpc: '1.0' }))).toEqual([400, -32600]),
		id: async () => expect((await body({ id: 'a text' })).json.id).toBe('a text'),
		method: async () => expect(refusal(await fixture.call('no/such'))).toEqual([404, -32601]),
		params: async () => expect(refusal(await body({ params: 'text' }))).toEqual([400, -32600]),
	},
	'`params._meta` (modern era)': {
		'io.modelcontextprotocol/protocolVersion': async () => {
			const version = '1999-01-01'
			const meta = { 'io.modelcontextprotocol/protocolVersion': version }
			const answer = await fixture.call('tools/list', {}, { meta, headers: { 'MCP-Protocol-Version': version } })
			expect(refusal(answer)).toEqual([400, -32022])
		},
		'io.modelcontextprotocol/clientCapabilities': async () =>
			expect(refusal(await withMeta({ 'io.modelcontextprotocol/clientCapabilities': [] }))).toEqual([400, -32602]),
		'io.modelcontextprotocol/clientInfo': async () => {
			const info = { name: 'n', title: 't', version: 'v' }
			expect((await withMeta({ 'io.modelcontextprotocol/clientInfo': info })).status).toBe(200)
		},
		progressToken: async () => {
			const answer = await fixture.call('tools/list', {}, { meta: { progressToken: 7 } })
			expect(answer.headers['content-type']).toBe('text/event-stream')
		},
		traceparent: async () => expect((await withMeta({ traceparent: '00-1-2-01' })).status).toBe(200),
		tracestate: async () => expect((await withMeta({ tracestate: 'a=b' })).status).toBe(200),
		baggage: async () => expect((await withMeta({ baggage: 'a=b' })).status).toBe(200),
	},
	'Tool call params': {
		name: async () => {
			expect(refusal(await fixture.callTool('no_such_tool'))).toEqual([400, -32602])
		},
		arguments: async () => {
			const { result } = (await fixture.callTool('describe_table', { connection_id: connection, table: 7 })).json
			expect(result.isError).toBe(true)
		},
		requestState: async () => expect(refusal(await write({ requestState: 'forged' }))).toEqual([400, -32602]),
		inputResponses: async () => {
			const { requestState } = (await write()).json.result
			const refused = { approve_statement: { action: 'accept', content: { approved: 'true' } } }
			const { result } = (await write({ requestState, inputResponses: refused })).json
			expect(result.content[0].text).toMatch(/^denied/)
		},
	},
	'Result envelope (modern era)': {
		resultType: async () => expect((await fixture.call('tools/list')).json.result.resultType).toBe('complete'),
		content: async () => {
			const { result } = (await fixture.callTool('list_connections')).json
			expect(result.content).toEqual([{ type: 'text', text }])
		},
		structuredContent: async () => {
			const { result } = (await fixture.callTool('list_connections')).json
			expect(result.structuredContent.connections).toEqual(expect.any(Array))
		},
		isError: async () => {
			const { result } = (await fixture.callTool('describe_table', { connection_id: 'gone', table: 'x' })).json
			expect(result.isError).toBe(true)
		},
		ttlMs: async () => expect((await fixture.call('tools/list')).json.result.ttlMs).toBe(300_000),
		cacheScope: async () => expect((await fixture.call('tools/list')).json.result.cacheScope).toBe('private'),
		nextCursor: async () => {
			// Fifty tools are a page, and no list of the fixture is longer.
			expect((await fixture.call('tools/list')).json.result).not.toHaveProperty('nextCursor')
			expect(refusal(await fixture.call('tools/list', { cursor: 'forged' }))).toEqual([400, -32602])
		},
		'_meta.io.modelcontextprotocol/serverInfo': async () => {
			const { _meta } = (await fixture.call('server/discover')).json.result
			const info = { name: text, version: text, title: text, websiteUrl: text }
			expect(_meta['io.modelcontextprotocol/serverInfo']).toEqual(info)
		},
	},
	'`server/discover` result': {
		supportedVersions: async () =>
			expect(await discovered('supportedVersions')).toEqual(['2026-07-28', '2025-11-25', '2025-06-18']),
		'capabilities.tools.listChanged': async () => expect(await capability('tools', 'listChanged')).toBe(false),
		'capabilities.resources.subscribe': async () => expect(await capability('resources', 'subscribe')).toBe(true),
		'capabilities.resources.listChanged': async () => expect(await capability('resources', 'listChanged')).toBe(true),
		'capabilities.prompts.listChanged': async () => expect(await capability('prompts', 'listChanged')).toBe(false),
		'capabilities.completions': async () => expect((await discovered('capabilities')).completions).toEqual({}),
		'capabilities.extensions': async () => expect((await discovered('capabilities')).extensions).toBeTypeOf('object'),
		instructions: async () =>
			expect(await discovered('instructions')).toEqual(expect.stringMatching(/list_connections/)),
		resultType: async () => expect(await discovered('resultType')).toBe('complete'),
		ttlMs: async () => expect(await discovered('ttlMs')).toBe(3_600_000),
		cacheScope: async () => expect(await discovered('cacheScope')).toBe('public'),
		_meta: async () => expect(await discovered('_meta')).toBeTypeOf('object'),
	},
	'`input_required` result': {
		resultType: async () => expect((await write()).json.result.resultType).toBe('input_required'),
		inputRequests: async () => expect((await request()).method).toBe('elicitation/create'),
		'inputRequests.<key>.params.mode': async () => expect((await request()).params.mode).toBe('form'),
		'inputRequests.<key>.params.message': async () => expect((await request()).params.message).toEqual(text),
		'inputRequests.<key>.params.requestedSchema': async () => {
			const { requestedSchema } = (await request()).params
			expect(requestedSchema.type).toBe('object')
			expect(requestedSchema.properties.approved.type).toBe('boolean')
			expect(requestedSchema.properties.approved.title).toEqual(text)
			expect(requestedSchema.properties.approved.description).toEqual(text)
			expect(requestedSchema.required).toEqual(['approved'])
		},
		requestState: async () => expect((await write()).json.result.requestState).toEqual(text),
	},
	'Required headers (modern era)': {
		'Content-Type': async () => expect(refusal(await withHeader('Content-Type', 'text/plain'))).toEqual([400, -32020]),
		'MCP-Protocol-Version': async () =>
			expect(refusal(await withHeader('MCP-Protocol-Version', undefined))).toEqual([400, -32020]),
		'Mcp-Method': async () => expect(refusal(await withHeader('Mcp-Method', 'ping'))).toEqual([400, -32020]),
		'Mcp-Name': async () => {
			const ofTool = await withHeader('Mcp-Name', 'other', 'tools/call', { name: 'list_connections', arguments: {} })
			expect(refusal(ofTool)).toEqual([400, -32020])
			const ofPrompt = await withHeader('Mcp-Name', undefined, 'prompts/get', { name: 'explain_schema' })
			expect(refusal(ofPrompt)).toEqual([400, -32020])
			const uri = 'roundhouse://connections'
			const ofResource = await withHeader('Mcp-Name', 'roundhouse://other', 'resources/read', { uri })
			expect(refusal(ofResource)).toEqual([400, -32020])
		},
		'Mcp-Param-<field>': async () => {
			const params = { name: 'describe_table', arguments: { connection_id: connection, table: 'accounts' } }
			expect(refusal(await withHeader('Mcp-Param-table', 'other', 'tools/call', params))).toEqual([400, -32020])
		},
		Authorization: async () => expect(refusal(await withHeader('Authorization', undefined))).toEqual([401, -33009]),
	},
}

const discovered = async (field: string) => (await fixture.call('server/discover')).json.result[field]
const capability = async (of: string, field: string) => (await discovered('capabilities'))[of][field]
const request = async () => {
	const [first] = Object.values<{ readonly method: string; readonly params: Record<string, never> }>(
		(await write()).json.result.inputRequests,
	)
	// biome-ignore lint/suspicious/noExplicitAny: the assertions read every member
	return first as any
}

describe.each(Object.entries(fields))('%s', (heading, assertions) => {
	test('every name of the table has an assertion', () => {
		expect(Object.keys(assertions).toSorted()).toEqual([...new Set(namesUnder(heading))].toSorted())
	})
	test.each(Object.entries(assertions))('%s is as the contract says', (_, holds) => holds())
})

test('every protocol error of the contract has its code and its HTTP status', () => {
	const stated = tableUnder('Protocol errors').map(([code, status]) => [Number(namesIn(code)[0]), Number(status)])
	const ours = Object.values(protocolErrors).map(({ code, status }) => [code, status])
	expect(ours.toSorted()).toEqual(stated.toSorted())
})

describe('methods', () => {
	const modernOnly = ['server/discover', 'subscriptions/listen']
	const legacyOnly = ['initialize', 'ping', 'logging/setLevel']
	const methods = tableUnder('Methods').map(([name, , era]) => [namesIn(name)[0] ?? '', era ?? ''] as const)

	test.each(methods)('%s is served in the eras that the contract names', async (method, era) => {
		const modern = method === 'subscriptions/listen' ? [200, undefined] : refusal(await fixture.call(method))
		const session = await fixture.initialize()
		const legacy = refusal(
			await fixture.send(fixture.legacyRequest(method, {}, { headers: { 'Mcp-Session-Id': session } })),
		)
		expect(modern[1] === -32601).toBe(era.startsWith('legacy'))
		expect(legacy[1] === -32601).toBe(era === 'modern only')
	})

	test('the lists of one era are those of the contract', () => {
		expect(methods.filter(([, era]) => era === 'modern only').map(([name]) => name)).toEqual(modernOnly)
		expect(methods.filter(([, era]) => era.startsWith('legacy')).map(([name]) => name)).toEqual(legacyOnly)
	})
})
