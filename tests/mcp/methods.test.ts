import type { JsonObject } from '@roundhouse/kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { protocolErrors } from '../../host/mcp/wire/protocol-errors.ts'
import { proves } from '../contract/proves.ts'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

let fixture: EndpointFixture
let connectionId: string
beforeAll(async () => {
	fixture = await startEndpoint()
	connectionId = (await fixture.addConnection()).id
})
afterAll(() => fixture[Symbol.asyncDispose]())

const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 'roundhouse', version: '0.1.0' } }

describe('server/discover', () => {
	test(proves('A.discover.versions', 'lists the three revisions, newest first'), async () => {
		const { result } = (await fixture.call('server/discover')).json
		expect(result.supportedVersions).toEqual(['2026-07-28', '2025-11-25', '2025-06-18'])
	})

	test(proves('A.discover.capabilities', 'lists exactly the capabilities of the contract'), async () => {
		expect((await fixture.call('server/discover')).json.result.capabilities).toEqual({
			tools: { listChanged: false },
			resources: { subscribe: true, listChanged: true },
			prompts: { listChanged: false },
			completions: {},
			extensions: {},
		})
	})

	test(proves('A.discover.identity', 'returns the name, title and website of the server'), async () => {
		const { _meta } = (await fixture.call('server/discover')).json.result
		expect(_meta['io.modelcontextprotocol/serverInfo']).toEqual({
			name: 'roundhouse',
			version: '0.1.0',
			title: 'Roundhouse',
			websiteUrl: `http://127.0.0.1:${fixture.port}/`,
		})
	})

	test(
		proves('A.service.instructions', 'the instructions explain to a model where to start and what a refusal is'),
		async () => {
			const { instructions } = (await fixture.call('server/discover')).json.result
			expect(instructions).toMatch(/list_connections.*describe_table before.*SQL.*refusal is the user's policy/s)
		},
	)
})

const table: readonly [string, 'both' | 'modern' | 'legacy', string | undefined, JsonObject][] = [
	['server/discover', 'modern', undefined, {}],
	['tools/list', 'both', 'tools:read', {}],
	['tools/call', 'both', 'tools:read', { name: 'list_connections' }],
	['resources/list', 'both', 'resources:read', {}],
	['resources/read', 'both', 'resources:read', { uri: 'roundhouse://connections' }],
	['resources/templates/list', 'both', 'resources:read', {}],
	['prompts/list', 'both', 'resources:read', {}],
	['prompts/get', 'both', 'resources:read', { name: 'explain_table' }],
	['completion/complete', 'both', 'resources:read', {}],
	['subscriptions/listen', 'modern', undefined, {}],
	['initialize', 'legacy', undefined, {}],
	['ping', 'legacy', undefined, {}],
	['logging/setLevel', 'legacy', undefined, {}],
]

describe('the table of methods', () => {
	test.each(table)(proves('A.methods.table', '%s exists in these eras: %s'), async (method, era, _scope, params) => {
		const session = await fixture.initialize()
		const modern = await fixture.call(method, params)
		const headers = { 'Mcp-Session-Id': session }
		const legacy = await fixture.send(fixture.legacyRequest(method, params, { headers }))
		const isUnknown = (answer: typeof modern) => answer.status === 404 && answer.json.error.code === -32601
		expect([isUnknown(modern), isUnknown(legacy)]).toEqual([era === 'legacy', era === 'modern'])
	})

	test.each(table)(proves('A.methods.scopes', '%s (%s) needs the scope %s'), async (method, era, scope, params) => {
		const scopes = scope === 'tools:read' ? ['resources:read'] : ['tools:read']
		const token = await tokenWith(scopes)
		const headers = era === 'legacy' ? { 'Mcp-Session-Id': await fixture.initialize('2025-11-25', { token }) } : {}
		const sent =
			era === 'legacy'
				? fixture.legacyRequest(method, params, { token, headers })
				: fixture.modernRequest(method, params, { token })
		const answer = await fixture.send(sent)
		if (scope === undefined) expect(answer.status).not.toBe(403)
		else expect([answer.status, answer.json.error.code]).toEqual([403, -33007])
	})

	test.each(['tools/subscribe', 'resources/subscribe', 'tasks/get', 'toString', '__proto__', 'TOOLS/LIST'])(
		proves('A.methods.unknown', '%s is unknown'),
		async method => {
			const answer = await fixture.call(method)
			expect([answer.status, answer.json.id, answer.json.error.code]).toEqual([404, 1, -32601])
		},
	)
})

/** A token with exactly these scopes, which no level has. */
async function tokenWith(scopes: readonly string[]): Promise<string> {
	return (await fixture.tokens.create({ name: scopes.join(), level: 'custom', scopes })).token
}

describe('tools', () => {
	test(proves('A.methods.tools', 'lists the known tools with their known arguments'), async () => {
		const { tools } = (await fixture.call('tools/list')).json.result
		const schemas = new Map(tools.map((tool: { name: string; inputSchema: object }) => [tool.name, tool.inputSchema]))
		expect([...schemas.keys()]).toEqual(
			expect.arrayContaining(['list_connections', 'describe_table', 'execute_query', 'confirm_destructive_operation']),
		)
		expect(schemas.get('list_connections')).toMatchObject({ properties: {} })
		expect(schemas.get('confirm_destructive_operation')).toMatchObject({ required: ['connection_id', 'query'] })
		const { result } = (await fixture.callTool('list_connections', {})).json
		expect(result.structuredContent.connections).toHaveLength(1)
	})

	test('the default tool list costs a model at most 3,000 tokens', async () => {
		await using bare = await startEndpoint({ drivers: [] })
		const tools: readonly JsonObject[] = (await bare.call('tools/list')).json.result.tools
		// What clients pass to a model. Answer schemas and hints are for the client. Four characters are about one token.
		const seen = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
		expect(JSON.stringify(seen).length / 4).toBeLessThan(3000)
		expect(JSON.stringify(tools).length / 4).toBeLessThan(6_250)
	})

	test('descriptions use the terms of the installed drivers, and neutral terms without drivers', async () => {
		await using own = await startEndpoint()
		const describe = async (name: string): Promise<string> => {
			const { tools } = (await own.call('tools/list')).json.result
			return tools.find((tool: { name: string }) => tool.name === name).description
		}
		expect(await describe('query')).toBe(
			'Runs one statement. Ledger: a line `<verb> <account>`. Only reads; execute_query writes.',
		)
		expect(await describe('list_tables')).toBe('Tables (journals) of a connection, with row counts.')
		own.drivers.uninstallAll()
		expect(await describe('query')).toBe(
			'Runs one statement in the language of the engine. Only reads; execute_query writes.',
		)
		expect(await describe('list_tables')).toBe('Tables of a connection, with row counts.')
	})

	test('an overview has tables, columns and sample values, and is limited', async () => {
		const overview = async (args: JsonObject) =>
			(await fixture.callTool('overview', args)).json.result.structuredContent
		const whole = await overview({})
		expect(whole.tables[0].columns[0]).toBe('id: text (key), for example "ada", "bob"')
		expect(whole.tables[0].columns[1]).toMatch(/^balance: bigint, for example 9223372036854775807, /)
		expect((await overview({ match: 'balan' })).tables[0].table).toBe('accounts')
		expect(await overview({ match: 'no such thing' })).toMatchObject({ matching_tables: 0, tables: [] })
	})

	test('query runs reads, and names the tool for other statements', async () => {
		const run = async (query: string) => (await fixture.callTool('query', { query })).json.result
		expect((await run('read 1')).isError).toBeUndefined()
		expect((await run('put 1')).content[0].text).toMatch(/^denied: .*use execute_query\.$/)
		expect((await run('drop all')).content[0].text).toMatch(/^denied: .*use confirm_destructive_operation\.$/)
	})

	test('a refused statement names no tool that the token may not use', async () => {
		const texts = async (level: 'read-only' | 'read-write', groups?: ['core']) => {
			const { token } = await fixture.tokens.create({ name: 'small', level, ...(groups && { groups }) })
			const run = async (name: string, query: string) =>
				(await fixture.call('tools/call', { name, arguments: { query } }, { token })).json.result?.content[0].text
			return Promise.all([run('query', 'put 1'), run('query', 'drop all'), run('execute_query', 'drop all')])
		}
		const may = (tool: string) =>
			expect.stringMatching(new RegExp(`The token "small" may not use ${tool}.*Settings, AI access, Tokens\\.$`))
		const use = (tool: string) => expect.stringMatching(new RegExp(`: use ${tool}\\.$`))
		expect((await texts('read-only')).slice(0, 2)).toEqual([may('execute_query'), may('confirm_destructive_operation')])
		const destroys = may('confirm_destructive_operation')
		expect(await texts('read-write')).toEqual([use('execute_query'), destroys, destroys])
		expect((await texts('read-write', ['core'])).slice(0, 2)).toEqual([may('execute_query'), destroys])
	})

	test('a page of rows is small by default, and has a cursor for the next page', async () => {
		const browse = async (args: JsonObject) => (await fixture.callTool('browse_table', args)).json.result
		const page = async (args: JsonObject) => (await browse(args)).structuredContent
		const whole = await page({ table: 'accounts' })
		expect(whole).not.toHaveProperty('next_cursor')
		const first = await page({ table: 'accounts', columns: ['id'], max_rows: 1 })
		expect(first).toMatchObject({ columns: [{ name: 'id' }], row_count: 1, next_cursor: '1' })
		const second = await page({ table: 'accounts', columns: ['id'], max_rows: 1, cursor: first.next_cursor })
		expect([first.rows[0], second.rows[0]]).toEqual(whole.rows.map((row: unknown[]) => [row[0]]))
		expect(second).not.toHaveProperty('next_cursor')
		// This driver knows no positions, so its cursor is an offset.
		expect(second.notices).toEqual([expect.stringContaining('between two pages')])
		const wrong = await browse({ table: 'accounts', columns: ['nmae'] })
		expect(wrong.content[0].text).toMatch(/^invalid_argument: columns: .*"nmae".*describe_table/)
	})

	test("a driver's schema that names its dialect is listed unchanged, and its arguments are validated against it", async () => {
		const { tools } = (await fixture.call('tools/list')).json.result
		const echo = tools.find((tool: { name: string }) => tool.name === 'ledger_echo')
		expect(echo.inputSchema).toEqual(fixture.drivers.installed()[0]?.tools[0]?.inputSchema)
		const { result } = (await fixture.callTool('ledger_echo', { text: 1 })).json
		expect(result).toMatchObject({
			isError: true,
			content: [{ text: expect.stringMatching(/^invalid_argument: text/) }],
		})
	})

	test('numbers keep their digits in both directions between client and driver', async () => {
		const sent = fixture.modernRequest('tools/call', { name: 'ledger_echo', arguments: { number: 0 } })
		const body = String(sent.body).replace('"number":0', '"number":9223372036854775807')
		expect((await fixture.send({ ...sent, body })).json.result.content[0].text).toBe('{"number":9223372036854775807}')
		const rows = await fixture.callTool('browse_table', { connection_id: connectionId, table: 'accounts' })
		expect(rows.text).toContain('["ada","9223372036854775807"]')
	})

	test(proves('A.result.tool', 'a result is sent as text and as structure, and both are equal'), async () => {
		const { result } = (await fixture.callTool('count_rows', { connection_id: connectionId, table: 'accounts' })).json
		expect(result.structuredContent).toEqual({ table: 'accounts', count: 2, is_exact: true })
		expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(result.structuredContent) }])
		expect(result).not.toHaveProperty('isError')
	})

	test(proves('A.tool-error.shape', 'a failure is a complete result with a code'), async () => {
		const answer = await fixture.callTool('describe_table', { connection_id: connectionId, table: 'none' })
		expect(answer.status).toBe(200)
		expect(answer.json.result).toMatchObject({
			resultType: 'complete',
			isError: true,
			content: [{ type: 'text', text: 'not_found: Ledger says: «There is no table none.»' }],
		})
	})

	test.each([
		[{ connection_id: 1 }, 'connection_id'],
		[{ connection_id: 'none' }, 'connection'],
	])(proves('A.tool-error.shape', 'a wrong argument is a tool error: %j'), async (args, words) => {
		const { result } = (await fixture.callTool('list_tables', args)).json
		expect(result.isError).toBe(true)
		expect(result.content[0].text).toMatch(new RegExp(`^(invalid_argument|not_found): .*${words}`))
	})

	test('a connection can be given by id or by name, or omitted if there is only one', async () => {
		await using other = await startEndpoint()
		const tables = async (args: JsonObject) => {
			const { result } = (await other.callTool('list_tables', args)).json
			return result.isError ? result.content[0].text : result.structuredContent.tables[0].name
		}
		const { id, name } = await other.addConnection({ name: 'Main' })
		for (const args of [{}, { connection_id: id }, { connection_id: name.toUpperCase() }]) {
			expect(await tables(args)).toBe('accounts')
		}
		const twin = await other.addConnection({ name })
		expect(await tables({ connection_id: twin.id })).toBe('accounts')
		expect(await tables({ connection_id: name })).toContain(`invalid_argument: connection_id: several have this name`)
		expect(await tables({})).toMatch(/^invalid_argument: connection_id: there are 2: /)
		const destroy = (await other.callTool('confirm_destructive_operation', { query: 'drop all' })).json.result
		expect(destroy.content[0].text).toMatch(/^invalid_argument: connection_id/)
	})

	test.each([null, [], 'text', 1])('the arguments %j are refused', async args => {
		const answer = await fixture.call('tools/call', { name: 'list_connections', arguments: args })
		expect([answer.status, answer.json.error.code]).toEqual([400, -32602])
	})

	test('rows beyond 24 kB are omitted, and the answer suggests how to get them', async () => {
		const args = { connection_id: connectionId, query: 'many 2000', max_rows: 2000 }
		const { structuredContent } = (await fixture.callTool('execute_query', args)).json.result
		expect(structuredContent).toMatchObject({ is_truncated: true, hint: expect.stringContaining('export_data') })
		expect(structuredContent.row_count).toBe(structuredContent.rows.length)
		expect(structuredContent.row_count).toBeGreaterThan(750)
		expect(structuredContent.row_count).toBeLessThan(1000)
	})

	test('at most max_rows rows are returned, 500 by default and 10,000 at most', async () => {
		const run = async (args: JsonObject) =>
			(await fixture.callTool('execute_query', { connection_id: connectionId, query: 'many 600', ...args })).json.result
		expect((await run({})).structuredContent.row_count).toBe(500)
		expect((await run({ max_rows: 3 })).structuredContent).toMatchObject({ row_count: 3, is_truncated: true })
		expect((await run({ max_rows: 10_001 })).content[0].text).toMatch(/^invalid_argument: max_rows/)
	})
})

test.each([
	['tools/call', { name: 'nope' }],
	['tools/call', { name: 'constructor' }],
	['prompts/get', { name: 'nope' }],
	['resources/read', { uri: 'roundhouse://nope' }],
	['resources/read', { uri: 'roundhouse://connections/../x' }],
	['resources/read', { uri: 'roundhouse://connections/none/tables' }],
	['completion/complete', { ref: { type: 'ref/prompt', name: 'nope' }, argument: { name: 'a', value: '' } }],
])(proves('A.methods.unknown-name', '%s of %j is unknown'), async (method, params) => {
	const answer = await fixture.call(method, params)
	expect([answer.status, answer.json.error.code]).toEqual([400, -32602])
})

describe('resources and prompts', () => {
	test('the list of connections is a resource, and so is the content of an open connection', async () => {
		await fixture.callTool('connect', { connection_id: connectionId })
		const { resources } = (await fixture.call('resources/list')).json.result
		const uris = resources.map(({ uri }: { uri: string }) => uri)
		expect(uris).toEqual([
			'roundhouse://connections',
			`roundhouse://connections/${connectionId}/schema`,
			`roundhouse://connections/${connectionId}/tables`,
			`roundhouse://connections/${connectionId}/history`,
		])
		for (const uri of [...uris, `roundhouse://connections/${connectionId}/tables/accounts`]) {
			const [contents] = (await fixture.call('resources/read', { uri })).json.result.contents
			expect(contents).toMatchObject({ uri, mimeType: 'application/json' })
			expect(JSON.parse(contents.text)).toBeTypeOf('object')
		}
	})

	test('a prompt contains the live schema', async () => {
		const args = { connection: 'books', table: 'accounts' }
		const { result } = (await fixture.call('prompts/get', { name: 'explain_table', arguments: args })).json
		expect(result.messages[0].role).toBe('user')
		expect(result.messages[0].content.text).toMatch(/Ledger 1\.0\.0.*balance/s)
	})

	test.each([
		{},
		{ connection: 'Books' },
		{ connection: 'Books', table: 'a', other: 'b' },
		{ connection: 'Books', table: 1 },
	])('invalid arguments of a prompt are refused: %j', async args => {
		const answer = await fixture.call('prompts/get', { name: 'explain_table', arguments: args })
		expect([answer.status, answer.json.error.code]).toEqual([400, -32602])
	})

	test('the history prompt summarizes the statements that ran', async () => {
		const { id } = await fixture.addConnection({ name: 'Busy' })
		await fixture.callTool('execute_query', { connection_id: id, query: 'read everything' })
		const { result } = (await fixture.call('prompts/get', { name: 'summarize_history', arguments: { connection: id } }))
			.json
		expect(result.messages[0].content.text).toMatch(/"access":"read","outcome":"done",.*"read everything"/)
	})

	test('each core prompt can be requested with its arguments', async () => {
		const { prompts } = (await fixture.call('prompts/list')).json.result
		const values: JsonObject = { connection: 'Books', table: 'accounts', question: 'How many?', query: 'read all' }
		for (const { name, arguments: wanted } of prompts) {
			const args = Object.fromEntries(wanted.map(({ name }: { name: string }) => [name, values[name]]))
			const { result } = (await fixture.call('prompts/get', { name, arguments: args })).json
			expect([name, result.messages.length]).toEqual([name, 1])
			expect(result.messages[0].content.text).toContain(connectionId)
		}
	})

	test('completion offers connections, and the tables of an open one', async () => {
		const ask = async (argument: JsonObject, context: JsonObject = {}) => {
			const ref = { type: 'ref/prompt', name: 'explain_table' }
			const params = { ref, argument, context: { arguments: context } }
			return (await fixture.call('completion/complete', params)).json.result.completion
		}
		expect(await ask({ name: 'connection', value: 'bo' })).toEqual({ values: ['Books'], total: 1, hasMore: false })
		expect((await ask({ name: 'table', value: 'count' }, { connection: 'Books' })).values).toEqual(['accounts'])
		expect((await ask({ name: 'table', value: '' })).values).toEqual(['accounts'])
		expect((await ask({ name: 'table', value: '' }, { connection: 'Other' })).values).toEqual([])
	})

	test('completion of a table without a connection asks the user nothing', async () => {
		let questions = 0
		await using other = await startEndpoint({
			desk: {
				ask: async () => {
					questions++
					return { decision: 'approved' }
				},
			},
		})
		const { id } = await other.addConnection({ aiPolicy: 'ask' })
		await other.sessions.open(id)
		const params = { ref: { type: 'ref/prompt', name: 'explain_table' }, argument: { name: 'table', value: '' } }
		expect((await other.call('completion/complete', params)).json.result.completion.values).toEqual([])
		expect(questions).toBe(0)
	})

	test('completion of a resource uses the values in its URI', async () => {
		const [{ id }] = (await fixture.call('tools/call', { name: 'list_connections', arguments: {} })).json.result
			.structuredContent.connections
		const ask = async (uri: string) => {
			const params = { ref: { type: 'ref/resource', uri }, argument: { name: 'table', value: 'acc' } }
			return (await fixture.call('completion/complete', params)).json
		}
		const values = { values: ['accounts'], total: 1, hasMore: false }
		expect((await ask(`roundhouse://connections/${id}/tables/{table}`)).result.completion).toEqual(values)
		expect((await ask(`roundhouse://connections/${id}/tables/acc`)).result.completion).toEqual(values)
		expect((await ask('roundhouse://connections/{connection_id}/tables/{table}')).result.completion).toEqual(values)
		expect((await ask(`roundhouse://connections/${id}/columns/acc`)).error.code).toBe(-32602)
	})

	test('the error names an unknown tool', async () => {
		const { error } = (await fixture.call('tools/call', { name: 'drop_everything', arguments: {} })).json
		expect(error).toMatchObject({ code: -32602, message: /"drop_everything"/ })
	})

	test.each([
		{},
		{ ref: { type: 'ref/other' } },
		{ ref: { type: 'ref/prompt', name: 'explain_table' } },
	])('malformed completion is refused: %j', async params => {
		const answer = await fixture.call('completion/complete', params)
		expect([answer.status, answer.json.error.code]).toEqual([400, -32602])
	})
})

describe('the result envelope', () => {
	test.each(
		table.filter(
			([method, era]) =>
				era !== 'legacy' && !['subscriptions/listen', 'prompts/get', 'completion/complete'].includes(method),
		),
	)(
		proves('A.result.type', 'the result of %s is complete and names the server'),
		async (method, _era, _scope, params) => {
			const { result } = (await fixture.call(method, params)).json
			expect(result.resultType).toBe('complete')
			if (method !== 'server/discover') expect(result._meta).toEqual(serverInfo)
		},
	)

	test(proves('A.result.server-info', 'a driver cannot replace the server info'), async () => {
		const { result } = (await fixture.callTool('ledger_hints')).json
		expect(result._meta).toEqual(serverInfo)
	})

	test(proves('A.result.hint-stripped', 'a cache hint of a driver is removed'), async () => {
		const { result } = (await fixture.callTool('ledger_hints')).json
		expect(result).not.toHaveProperty('ttlMs')
		expect(result).not.toHaveProperty('cacheScope')
	})

	test.each([
		['server/discover', {}, 3_600_000, 'public'],
		['prompts/list', {}, 3_600_000, 'public'],
		['resources/templates/list', {}, 3_600_000, 'public'],
		['tools/list', {}, 300_000, 'private'],
		['resources/list', {}, 30_000, 'private'],
		['resources/read', { uri: 'roundhouse://connections' }, 15_000, 'private'],
	])(proves('A.limits.cache', '%s %j has a cache hint of %d ms, %s'), async (method, params, ttlMs, cacheScope) => {
		expect((await fixture.call(method, params)).json.result).toMatchObject({ ttlMs, cacheScope })
	})

	test(proves('A.limits.cache', 'no other result has a cache hint'), async () => {
		const answer = await fixture.call('prompts/get', {
			name: 'explain_table',
			arguments: { connection: 'Books', table: 'accounts' },
		})
		expect(answer.json.result).not.toHaveProperty('ttlMs')
		expect((await fixture.callTool('list_connections')).json.result).not.toHaveProperty('ttlMs')
	})

	test(proves('A.approval.not-cached', 'the result of a repeated call has no cache hint'), async () => {
		const params = { uri: 'roundhouse://connections', inputResponses: {} }
		expect((await fixture.call('resources/read', params)).json.result.ttlMs).toBe(0)
	})
})

test(proves('A.errors.registry', 'the codes and their HTTP status are those of the contract'), () => {
	const codes = Object.values(protocolErrors).map(({ code, status }) => [code, status])
	expect(codes.sort(([a = 0], [b = 0]) => b - a)).toEqual([
		[-32020, 400],
		[-32021, 400],
		[-32022, 400],
		[-32600, 400],
		[-32601, 404],
		[-32602, 400],
		[-32603, 500],
		[-32700, 400],
		[-33000, 503],
		[-33001, 404],
		[-33002, 200],
		[-33003, 200],
		[-33005, 413],
		[-33006, 503],
		[-33007, 403],
		[-33008, 401],
		[-33009, 401],
		[-33010, 429],
	])
})
