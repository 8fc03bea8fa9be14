import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@roundhouse/kit'
import { Ajv } from 'ajv'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

/** Every result matches the JSON Schema of its revision. */

let fixture: EndpointFixture
let connectionId: string
beforeAll(async () => {
	fixture = await startEndpoint()
	connectionId = (await fixture.addConnection()).id
	await fixture.sessions.open(connectionId)
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** Compiles one definition of a revision's schema. */
function definition(revision: string, name: string): ValidateFunction {
	const schema = JSON.parse(readFileSync(join(import.meta.dirname, 'schema', `${revision}.json`), 'utf8'))
	const options = { strict: false, validateFormats: false }
	const key = schema.$defs ? '$defs' : 'definitions'
	const ajv = schema.$defs ? new Ajv2020(options) : new Ajv(options)
	return ajv.addSchema(schema, 'mcp').compile({ $ref: `mcp#/${key}/${name}` })
}

const listTables = () => ({ name: 'list_tables', arguments: { connection_id: connectionId } })
const results: readonly (readonly [method: string, definition: string, params: () => JsonObject])[] = [
	['tools/list', 'ListToolsResult', () => ({})],
	['tools/call', 'CallToolResult', listTables],
	['tools/call', 'CallToolResult', () => ({ name: 'describe_table', arguments: {} })],
	['resources/list', 'ListResourcesResult', () => ({})],
	['resources/templates/list', 'ListResourceTemplatesResult', () => ({})],
	['resources/read', 'ReadResourceResult', () => ({ uri: `roundhouse://connections/${connectionId}/schema` })],
	['prompts/list', 'ListPromptsResult', () => ({})],
	[
		'prompts/get',
		'GetPromptResult',
		() => ({ name: 'question_to_query', arguments: { connection: 'Books', question: '?' } }),
	],
	[
		'completion/complete',
		'CompleteResult',
		() => ({ ref: { type: 'ref/prompt', name: 'explain_table' }, argument: { name: 'connection', value: '' } }),
	],
]

function expectFit(validate: ValidateFunction, value: unknown): void {
	validate(value)
	expect(validate.errors ?? []).toEqual([])
}

describe('2026-07-28', () => {
	test.each([
		...results,
		['server/discover', 'DiscoverResult', () => ({})] as const,
	])('%s is a %s', async (method, name, params) => {
		expectFit(definition('2026-07-28', name), (await fixture.call(method, params())).json.result)
	})

	test('a question is an InputRequiredResult', async () => {
		const args = { connection_id: connectionId, query: 'put 1' }
		const answer = await fixture.callTool('execute_query', args, { capabilities: { elicitation: {} } })
		expectFit(definition('2026-07-28', 'InputRequiredResult'), answer.json.result)
	})

	test.each([
		['-32022', 'UnsupportedProtocolVersionError', { 'io.modelcontextprotocol/protocolVersion': '2020-01-01' }],
	])('an error %s is a %s', async (_code, name, meta) => {
		const headers = { 'MCP-Protocol-Version': '2020-01-01' }
		expectFit(definition('2026-07-28', name), (await fixture.call('tools/list', {}, { meta, headers })).json)
	})
})

describe.each(['2025-11-25', '2025-06-18'])('%s', revision => {
	const send = async (method: string, params: JsonObject) => {
		const headers = { 'Mcp-Session-Id': await fixture.initialize(revision) }
		return (await fixture.send(fixture.legacyRequest(method, params, { headers }))).json.result
	}

	test.each(results)('%s is a %s', async (method, name, params) => {
		expectFit(definition(revision, name), await send(method, params()))
	})

	test('initialize is an InitializeResult', async () => {
		const params = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'c', version: '1' } }
		const { json } = await fixture.send(fixture.legacyRequest('initialize', params))
		expectFit(definition(revision, 'InitializeResult'), json.result)
	})
})

test('no tool that may write has the hint that it only reads', async () => {
	const { tools } = (await fixture.call('tools/list')).json.result
	const hintsOf = (name: string) =>
		tools.find((tool: { readonly name: string }) => tool.name === name).annotations as Record<string, boolean>
	for (const name of ['execute_query', 'insert_rows', 'update_rows', 'delete_rows', 'confirm_destructive_operation']) {
		expect(hintsOf(name).readOnlyHint ?? false, name).toBe(false)
	}
	expect(hintsOf('browse_table').readOnlyHint).toBe(true)
})
