import { toolGroups } from '@roundhouse/kit/tool-groups'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { OfferParameter } from '../../host/requests/offers.ts'
import { openOffers } from '../support/offers.ts'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

/** Saved requests that a user offers as tools (docs/mcp.md, "Tools of your own"). */

let kept: Awaited<ReturnType<typeof openOffers>>
let fixture: EndpointFixture
let connection = ''
beforeEach(async () => {
	kept = await openOffers()
	fixture = await startEndpoint({ offers: kept.offers })
	connection = (await fixture.addConnection()).id
})
afterEach(async () => {
	await fixture[Symbol.asyncDispose]()
	await kept[Symbol.asyncDispose]()
})

const who = { name: 'who', type: 'text', description: 'Whose account' } as const
const toolsOf = async (token = fixture.token) => (await fixture.call('tools/list', {}, { token })).json.result.tools
const named = (tools: readonly { readonly name: string }[], name: string) => tools.find(tool => tool.name === name)

test('an offered tool is listed after all others, with its parameters, its verdict as hints, and its answer schema', async () => {
	const parameters = [
		who,
		{ name: 'limit', type: 'integer', description: 'How many', default: '5' },
		{ name: 'order', type: 'choice', description: 'Which first', choices: ['asc', 'desc'], default: 'asc' },
		{ name: 'all', type: 'boolean', description: 'Closed ones too' },
	] satisfies OfferParameter[]
	const text = 'read {{who}} {{limit}} {{order}} {{all}}'
	await kept.offer(connection, text, { name: 'find_account', parameters }, 'read')
	const tools = await toolsOf()
	expect(tools.at(-1)).toMatchObject({
		name: 'find_account',
		description: 'A tool of a test.',
		annotations: { readOnlyHint: true, destructiveHint: false },
		inputSchema: {
			type: 'object',
			properties: {
				who: { type: 'string', description: 'Whose account' },
				limit: { type: 'integer', description: 'How many', default: 5 },
				order: { type: 'string', enum: ['asc', 'desc'], default: 'asc' },
				all: { type: 'boolean' },
			},
			required: ['who', 'all'],
		},
		outputSchema: { type: 'object' },
	})
})

test('an offered tool runs like query, and the history contains the statement that ran', async () => {
	await kept.offer(
		connection,
		'read {{who}} {{limit}}',
		{
			name: 'find_account',
			parameters: [who, { name: 'limit', type: 'number', description: 'How many', default: '5.10' }],
		},
		'read',
	)
	const { result } = (await fixture.callTool('find_account', { who: 'ada' })).json
	expect(result.structuredContent).toMatchObject({ status: 'OK', is_truncated: false })
	const { queries } = (await fixture.callTool('list_recent_queries', { connection_id: connection })).json.result
		.structuredContent
	expect(queries[0]).toMatchObject({ statement: 'read ada 5.10', access: 'read', outcome: 'done' })
})

test('an offered tool that writes asks for consent, with the statement as it would run', async () => {
	await kept.offer(connection, 'put {{who}}', { name: 'open_account', parameters: [who] }, 'write')
	expect(named(await toolsOf(), 'open_account')).toMatchObject({
		annotations: { readOnlyHint: false, destructiveHint: true },
	})
	const args = { name: 'open_account', arguments: { who: 'dora' } }
	const capabilities = { elicitation: {} }
	const { result } = (await fixture.call('tools/call', args, { capabilities })).json
	expect(result.resultType).toBe('input_required')
	expect(JSON.stringify(result.inputRequests)).toContain('put dora')
	const [key = ''] = Object.keys(result.inputRequests)
	const inputResponses = { [key]: { action: 'accept', content: { approved: true } } }
	const params = { ...args, requestState: result.requestState, inputResponses }
	expect((await fixture.call('tools/call', params, { capabilities })).json.result.structuredContent.status).toBe('OK')
	const reader = await fixture.tokens.create({ name: 'reader', level: 'read-only' })
	expect(named(await toolsOf(reader.token), 'open_account')).toBeUndefined()
})

test.each([
	[{}, 'who: '],
	[{ who: 1 }, 'who: '],
	[{ who: 'ada', limit: 1.5 }, 'limit: Invalid input: expected a whole number.'],
	[{ who: 'ada', more: 1 }, 'more'],
	[{ who: 'two words' }, 'who: the value must be one word.'],
])('the arguments %j are refused', async (args, words) => {
	const limit = { name: 'limit', type: 'integer', description: 'How many', default: '1' } as const
	await kept.offer(connection, 'read {{who}} {{limit}}', { name: 'find_account', parameters: [who, limit] }, 'read')
	const { result } = (await fixture.callTool('find_account', args)).json
	expect([result.isError, result.content[0].text]).toEqual([true, expect.stringMatching(/^invalid_argument: /)])
	expect(result.content[0].text).toContain(words)
})

test('an offered tool is listed for tokens that may use its connection and the group custom', async () => {
	const other = await fixture.addConnection({ name: 'Other' })
	await kept.offer(connection, 'read', { name: 'read_all' }, 'read')
	const { token: beginner } = await fixture.tokens.create({ name: 'new', level: 'read-only' })
	expect(named(await toolsOf(beginner), 'read_all')).toBeDefined()
	const elsewhere = await fixture.tokens.create({
		name: 'x',
		level: 'full',
		groups: toolGroups,
		connections: [other.id],
	})
	expect(named(await toolsOf(elsewhere.token), 'read_all')).toBeUndefined()
	const call = await fixture.callTool('read_all', {}, { token: elsewhere.token })
	expect(call.json.error.code).toBe(-33007)
	expect(call.json.error.message).not.toContain('Books')
	const { token: without } = await fixture.tokens.create({ name: 'y', level: 'full', groups: ['core'] })
	expect(named(await toolsOf(without), 'read_all')).toBeUndefined()
	expect((await fixture.callTool('read_all', {}, { token: without })).json.error.data).toEqual({ group: 'custom' })
	const [manifest] = fixture.drivers.installed()
	if (manifest) await fixture.connections.update(connection, { hiddenToolGroups: ['custom'] }, manifest)
	expect(named(await toolsOf(), 'read_all')).toBeUndefined()
})

test('an offered tool is withdrawn while its request has another text, and returns with the offered text', async () => {
	await kept.offer(connection, 'read', { name: 'read_all' }, 'read')
	expect(named(await toolsOf(), 'read_all')).toBeDefined()
	kept.texts.set('read_all', 'read other')
	expect(named(await toolsOf(), 'read_all')).toBeUndefined()
	kept.texts.set('read_all', 'read\n\n')
	expect(named(await toolsOf(), 'read_all')).toBeDefined()
	kept.texts.delete('read_all')
	expect(named(await toolsOf(), 'read_all')).toBeUndefined()
})

test('an offered tool follows its moved request, and is removed with it or with its connection', async () => {
	await kept.offer(connection, 'read', { name: 'read_all' }, 'read')
	kept.texts.set('reports/all', 'read')
	await kept.offers.moved({ connectionId: connection, place: 'own', path: 'read_all' }, 'reports/all')
	expect(named(await toolsOf(), 'read_all')).toBeDefined()
	kept.texts.set('daily/all', 'read')
	await kept.offers.moved({ connectionId: connection, place: 'own', path: 'reports' }, 'daily')
	expect(kept.offers.list()).toMatchObject([{ path: 'daily/all', name: 'read_all' }])
	const withdrawn = kept.offers.withdraw({ connectionId: connection, place: 'own', path: 'daily/all' })
	expect(fixture.endpoint.toolsFor('bridge').map(({ name }) => name)).not.toContain('read_all')
	await withdrawn
	expect(named(await toolsOf(), 'read_all')).toBeUndefined()
	await kept.offer(connection, 'read', { name: 'read_all' }, 'read')
	await kept.offers.forget(id => id !== connection)
	expect(kept.offers.all()).toEqual([])
})

test('a tool name can be used once', async () => {
	await kept.offer(connection, 'read', { name: 'read_all' }, 'read')
	kept.texts.set('other', 'read other')
	const again = { name: 'read_all', description: 'Another.', parameters: [] }
	const file = { connectionId: connection, place: 'own', path: 'other' } as const
	await expect(kept.offers.offer(file, again, { text: 'read other', access: 'read' })).rejects.toThrow(
		'There is a tool read_all already.',
	)
})
