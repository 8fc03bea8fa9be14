import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../contract/proves.ts'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

let fixture: EndpointFixture
beforeAll(async () => {
	fixture = await startEndpoint()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const ping = (session: string | undefined, token?: string) =>
	fixture.send(fixture.legacyRequest('ping', {}, { headers: { 'Mcp-Session-Id': session }, ...(token && { token }) }))
const initialize = (protocolVersion: unknown) =>
	fixture.send(fixture.legacyRequest('initialize', { protocolVersion: protocolVersion as string, capabilities: {} }))

describe('initialize', () => {
	test.each(['2025-11-25', '2025-06-18'])(proves('A.session.initialize', 'opens a session in %s'), async version => {
		const answer = await initialize(version)
		expect(answer.status).toBe(200)
		expect(answer.headers['mcp-session-id']).toMatch(/^[\x21-\x7e]+$/)
		expect(answer.json.result).toEqual({
			protocolVersion: version,
			capabilities: {
				tools: { listChanged: false },
				resources: { subscribe: false, listChanged: true },
				prompts: { listChanged: false },
				completions: {},
			},
			serverInfo: { name: 'roundhouse', title: 'Roundhouse', version: '0.1.0' },
			instructions: expect.stringContaining('list_connections'),
		})
	})

	test(proves('A.versions.legacy', 'a client of 2025-06-18 uses its own revision for the whole session'), async () => {
		const session = await fixture.initialize('2025-06-18')
		const headers = { 'Mcp-Session-Id': session, 'MCP-Protocol-Version': '2025-06-18' }
		const initialized = await fixture.notify('notifications/initialized', {}, { headers })
		expect(initialized.status).toBe(202)
		const { result } = (await fixture.send(fixture.legacyRequest('tools/list', {}, { headers }))).json
		expect(result.tools[0].name).toBe('list_connections')
	})

	test.each(['2026-07-28', '2024-11-05', '1900-01-01', ''])(
		proves('A.session.version', 'refuses %j and opens no session'),
		async version => {
			const answer = await initialize(version)
			expect([answer.status, answer.json.error.code]).toEqual([400, -32022])
			expect(answer.json.error.data.supported).toEqual(['2026-07-28', '2025-11-25', '2025-06-18'])
			expect(answer.headers).not.toHaveProperty('mcp-session-id')
		},
	)

	test(proves('A.versions.2025-03-26', 'refuses 2025-03-26, in initialize and in a header'), async () => {
		expect((await initialize('2025-03-26')).json.error.code).toBe(-32022)
		const headers = { 'Mcp-Session-Id': await fixture.initialize(), 'MCP-Protocol-Version': '2025-03-26' }
		expect((await fixture.send(fixture.legacyRequest('ping', {}, { headers }))).json.error.code).toBe(-32022)
	})

	test.each([undefined, 1, null])('the version %j is refused', async version => {
		expect((await initialize(version)).json.error.code).toBe(-32602)
	})
})

test(proves('A.versions.unsupported', 'a legacy revision in _meta is accepted only after initialize'), async () => {
	const meta = { 'io.modelcontextprotocol/protocolVersion': '2025-11-25' }
	const headers = { 'MCP-Protocol-Version': '2025-11-25' }
	const answer = await fixture.call('tools/list', {}, { meta, headers })
	expect([answer.status, answer.json.error.code]).toEqual([400, -32022])
})

describe('sessions', () => {
	test(proves('A.session.eviction', 'an unknown or missing session is refused'), async () => {
		for (const session of ['made-up', undefined]) {
			const answer = await ping(session)
			expect([answer.status, answer.json.error.code]).toEqual([404, -33001])
		}
	})

	test(proves('A.session.owner', 'a session can be used only with the token that opened it'), async () => {
		const session = await fixture.initialize()
		const { token } = await fixture.tokens.create({ name: 'other', level: 'full' })
		const foreign = await ping(session, token)
		expect([foreign.status, foreign.json.error.code]).toEqual([404, -33001])
		expect((await ping(session)).status).toBe(200)
	})

	test(proves('A.session.eviction', 'the 17th session evicts the least recently used one'), async () => {
		const sessions: string[] = []
		for (let count = 0; count < 16; count++) sessions.push(await fixture.initialize())
		await ping(sessions[0])
		sessions.push(await fixture.initialize())
		const answers = await Promise.all(sessions.map(session => ping(session)))
		expect(answers.map(({ status }) => status)).toEqual([200, 404, ...Array(15).fill(200)])
	})
})

test(proves('A.result.legacy', 'results contain no members of the modern era'), async () => {
	const headers = { 'Mcp-Session-Id': await fixture.initialize() }
	for (const [method, params] of [
		['tools/list', {}],
		['tools/call', { name: 'list_connections' }],
		['tools/call', { name: 'ledger_hints' }],
		['resources/list', {}],
		['resources/read', { uri: 'roundhouse://connections' }],
		['prompts/list', {}],
		['ping', {}],
	] as const) {
		const { result } = (await fixture.send(fixture.legacyRequest(method, params, { headers }))).json
		for (const key of ['resultType', 'ttlMs', 'cacheScope', '_meta']) expect(result).not.toHaveProperty(key)
	}
})

test('log levels are accepted and validated', async () => {
	const headers = { 'Mcp-Session-Id': await fixture.initialize() }
	const set = async (level: string) =>
		(await fixture.send(fixture.legacyRequest('logging/setLevel', { level }, { headers }))).json
	expect((await set('debug')).result).toEqual({})
	expect((await set('loud')).error.code).toBe(-32602)
})
