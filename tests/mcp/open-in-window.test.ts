import type { JsonObject } from '@roundhouse/kit'
import { describe, expect, test } from 'vitest'
import type { Showing } from '../../host/mcp/index.ts'
import { startEndpoint } from './endpoint.ts'

/** `open_in_window`: a request to show something waits for the user, and nothing runs for it. */

type Answer = 'offered' | 'unattended' | 'too_many'

async function start(answer: Answer = 'offered') {
	const offered: { readonly grantee: string; readonly showing: Showing }[] = []
	const offer = async (grantee: string, showing: Showing) => {
		offered.push({ grantee, showing })
		return answer
	}
	const fixture = await startEndpoint({ showDesk: { offer } })
	const { id } = await fixture.addConnection()
	const show = async (args: JsonObject) => {
		const { result } = (await fixture.callTool('open_in_window', args)).json
		return result.structuredContent?.status ?? String(result.content[0].text)
	}
	return { fixture, id, offered, show, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() }
}

test('rows can be shown with filters in the form that the window uses', async () => {
	await using scenario = await start()
	const filters = [
		{ column: 'balance', operator: 'in', values: [1, '2'] },
		{ column: 'id', operator: 'missing' },
	]
	const browse = { table: 'accounts', filters, match: 'any', sort: [{ column: 'id' }] }
	expect(await scenario.show({ browse })).toMatch(/^Offered/)
	expect(scenario.offered[0]?.showing).toEqual({
		asker: { client: 'Unknown client', token: 'full' },
		connection: { id: scenario.id, name: 'Books' },
		title: 'accounts',
		shown: {
			kind: 'table',
			table: 'accounts',
			filters: [
				{ column: 'balance', operator: 'in', text: '1, 2' },
				{ column: 'id', operator: 'missing', text: '' },
			],
			match: 'any',
			sort: [{ column: 'id', direction: 'asc' }],
			raw: '',
		},
	})
})

test('a statement can be shown and does not run, whatever its effect', async () => {
	await using scenario = await start()
	expect(await scenario.show({ query: 'drop everything' })).toMatch(/^Offered/)
	expect(scenario.offered[0]?.showing.shown).toEqual({ kind: 'statement', text: 'drop everything' })
	const { result } = (await scenario.fixture.callTool('ledger_wait', { finish: true })).json
	expect(JSON.parse(result.content[0].text).ran).toEqual([])
})

test.each([
	[{}, /^invalid_argument: Give either/],
	[{ query: 'read', browse: { table: 'accounts' } }, /^invalid_argument: Give either/],
	[{ query: ' ' }, /^invalid_argument: query: it contains no statement/],
	[{ query: '' }, /^invalid_argument: Give either/],
	[{ query: 'read\ndrop all' }, /^invalid_argument: query: send one statement/],
	[{ browse: { table: 'acounts' } }, /^not_found: Ledger says: «There is no table acounts/],
	[
		{ browse: { table: 'accounts', filters: [{ column: 'id', operator: 'in', values: ['a,b'] }] } },
		/^invalid_argument: browse\.filters: the window cannot show/,
	],
] as const)('%j is refused before it reaches the window', async (args, reason) => {
	await using scenario = await start()
	expect(await scenario.show(args as JsonObject)).toMatch(reason)
	expect(scenario.offered).toEqual([])
})

test.each([
	['unattended', /^denied: No Roundhouse window is open/],
	['too_many', /^denied: Other clients wait/],
] as const)('for the answer %s of the window the client receives the reason', async (answer, reason) => {
	await using scenario = await start(answer)
	expect(await scenario.show({ query: 'read' })).toMatch(reason)
})

describe('propose_tool', () => {
	const tool = {
		name: 'accounts_above',
		description: 'Accounts with a balance above a limit.',
		parameters: ['limit: The limit'],
	} as const

	test('a statement waits for the user as a tool, and is not offered and not run', async () => {
		await using scenario = await start()
		const { result } = (await scenario.fixture.callTool('propose_tool', { ...tool, query: 'read {{limit}}' })).json
		expect(result.structuredContent.status).toMatch(/^Offered/)
		expect(scenario.offered[0]?.showing).toMatchObject({
			title: 'the tool that it proposes, accounts_above,',
			shown: {
				kind: 'tool',
				text: 'read {{limit}}',
				tool: { ...tool, parameters: [{ name: 'limit', type: 'text', description: 'The limit' }] },
			},
		})
		const { tools } = (await scenario.fixture.call('tools/list')).json.result
		expect(tools.map(({ name }: { name: string }) => name)).not.toContain('accounts_above')
	})

	test.each([
		[{ query: 'read 1' }, /^invalid_argument: query: it has no \{\{limit\}\}/],
		[{ query: 'read {{limit}} {{other}}' }, /^invalid_argument: parameters: \{\{other\}\} is not described/],
		[{ query: 'read {{limit}}', name: 'Not a name' }, /^invalid_argument: name/],
		[{ query: '' }, /^invalid_argument: query/],
		[{ query: 'read {{limit}}', parameters: ['limit'] }, /^invalid_argument: parameters: each is a name, a colon/],
	])('%j is refused', async (args, error) => {
		await using scenario = await start()
		const { result } = (await scenario.fixture.callTool('propose_tool', { ...tool, ...args })).json
		expect(result.content[0].text).toMatch(error)
		expect(scenario.offered).toEqual([])
	})
})
