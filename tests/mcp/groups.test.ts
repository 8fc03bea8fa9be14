import { readFile, writeFile } from 'node:fs/promises'
import { toolGroups } from '@roundhouse/kit/tool-groups'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Tokens } from '../../host/mcp/index.ts'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

/** Groups of tools that a token and a connection show (docs/mcp.md, "Groups of tools"). */

let fixture: EndpointFixture
beforeEach(async () => {
	fixture = await startEndpoint()
})
afterEach(() => fixture[Symbol.asyncDispose]())

const diagnostic = ['connect', 'disconnect', 'get_connection_status', 'list_recent_queries']

async function namesFor(token: string | null): Promise<readonly string[]> {
	const { tools } = (await fixture.call('tools/list', {}, { token })).json.result
	return tools.map(({ name }: { name: string }) => name)
}

async function hide(id: string, ...hiddenToolGroups: (typeof toolGroups)[number][]): Promise<void> {
	const [manifest] = fixture.drivers.installed()
	if (manifest) await fixture.connections.update(id, { hiddenToolGroups }, manifest)
}

describe('a token', () => {
	test('initially shows the groups core, write and custom, and driver tools that are marked for everyone', async () => {
		const { id, token } = await fixture.tokens.create({ name: 'new', level: 'full' })
		const names = await namesFor(token)
		expect(names).toEqual(expect.arrayContaining(['list_connections', 'execute_query', 'delete_rows', 'ledger_echo']))
		expect(names).not.toEqual(expect.arrayContaining(['ledger_hints']))
		for (const name of diagnostic) expect(names).not.toContain(name)
		expect(fixture.tokens.groupsOf(id)).toEqual(['core', 'write', 'custom'])
	})

	test('shows changed groups from its next request on, and the costs of each tool', async () => {
		const { id, token } = await fixture.tokens.create({ name: 'new', level: 'full' })
		await fixture.tokens.setGroups(id, ['driver', 'core'])
		const names = await namesFor(token)
		expect(names).toContain('ledger_hints')
		expect(names).not.toContain('execute_query')
		expect(fixture.endpoint.toolsFor(id).map(({ name }) => name)).toEqual(names)
		expect(fixture.tokens.list().find(token => token.id === id)?.groups).toEqual(['core', 'driver'])
	})

	test('cannot call a hidden tool, and the refusal names the group and the setting', async () => {
		const { id, token } = await fixture.tokens.create({ name: 'new', level: 'full' })
		const refused = await fixture.callTool('ledger_hints', {}, { token })
		expect([refused.status, refused.json.error.code]).toEqual([403, -33007])
		expect(refused.json.error.message).toBe(
			'"ledger_hints" belongs to the group "driver", which is switched off for "new". The user can switch it on in Settings, AI access, Tokens.',
		)
		expect(refused.json.error.data).toEqual({ group: 'driver' })
		await fixture.tokens.setGroups(id, toolGroups)
		expect((await fixture.callTool('ledger_hints', {}, { token })).status).toBe(200)
	})

	test('shows no tools beyond its scopes, whatever its groups', async () => {
		const { token } = await fixture.tokens.create({ name: 'reader', level: 'read-only', groups: toolGroups })
		const names = await namesFor(token)
		expect(names).toContain('execute_query')
		for (const name of ['delete_rows', 'confirm_destructive_operation', 'disconnect', 'ledger_wipe']) {
			expect(names).not.toContain(name)
		}
	})

	test('without groups shows no tools', async () => {
		const { token } = await fixture.tokens.create({ name: 'blind', level: 'full', groups: [] })
		expect(await namesFor(token)).toEqual([])
	})

	test('that is unknown cannot have groups', async () => {
		await expect(fixture.tokens.setGroups('none', [])).rejects.toThrow('There is no token none.')
		expect(() => fixture.endpoint.toolsFor('none')).toThrow('There is no token none.')
	})
})

test('clients without a token have groups too', async () => {
	const bridge = () => fixture.endpoint.toolsFor('bridge').map(({ name }) => name)
	expect(bridge()).not.toContain('ledger_hints')
	await fixture.tokens.setGroups('bridge', ['core', 'driver'])
	expect(bridge()).toContain('ledger_hints')
	expect(bridge()).not.toContain('insert_rows')
	fixture.endpoint.configure({ authentication: false })
	const anonymous = await namesFor(null)
	expect(anonymous).toContain('ledger_hints')
	expect(anonymous).not.toContain('get_connection_status')
})

describe('a connection', () => {
	test('hides a group unless another connection shows it', async () => {
		const first = await fixture.addConnection({ name: 'First' })
		const second = await fixture.addConnection({ name: 'Second' })
		await hide(first.id, 'write')
		expect(await namesFor(fixture.token)).toContain('insert_rows')
		await hide(second.id, 'write')
		const names = await namesFor(fixture.token)
		expect(names).not.toContain('insert_rows')
		expect(names).toContain('browse_table')
		await hide(second.id)
		expect(await namesFor(fixture.token)).toContain('insert_rows')
	})

	test('counts only for tokens that may use it, and tools without a connection stay', async () => {
		const { id } = await fixture.addConnection({ name: 'First' })
		await fixture.addConnection({ name: 'Second' })
		await hide(id, ...toolGroups)
		const { token } = await fixture.tokens.create({ name: 'narrow', level: 'full', connections: [id] })
		const names = await namesFor(token)
		expect(names).toContain('list_connections')
		expect(names).not.toContain('browse_table')
		expect(await namesFor(fixture.token)).toContain('browse_table')
	})

	test('refuses a tool of a hidden group like policy does, and names the setting', async () => {
		const first = await fixture.addConnection({ name: 'First' })
		await fixture.addConnection({ name: 'Second' })
		await hide(first.id, 'write', 'driver')
		const insert = { connection_id: 'First', table: 'accounts', rows: [{ name: 'dora' }] }
		const refused = await fixture.callTool('insert_rows', insert)
		expect([refused.status, refused.json.error.code]).toEqual([403, -33007])
		expect(refused.json.error.message).toBe(
			`The tools of the group "write" are switched off for "First". It is changed in the connection's settings, AI access.`,
		)
		expect((await fixture.callTool('browse_table', { connection_id: 'First', table: 'accounts' })).status).toBe(200)
	})

	test('ends a waiting call when it hides the group of the call', async () => {
		const asked = Promise.withResolvers<void>()
		const answered = Promise.withResolvers<{ decision: 'approved' }>()
		const ask = () => {
			asked.resolve()
			return answered.promise
		}
		await using scenario = await startEndpoint({ desk: { ask } })
		const { id } = await scenario.addConnection({ aiPolicy: 'ask' })
		const call = scenario.callTool('list_tables', { connection_id: id })
		await asked.promise
		const [manifest] = scenario.drivers.installed()
		if (manifest) await scenario.connections.update(id, { hiddenToolGroups: ['core'] }, manifest)
		answered.resolve({ decision: 'approved' })
		expect((await call).json.error.message).toContain('The tools of the group "core" are switched off for "Books".')
	})
})

test('a token from before groups existed shows all tools of its scopes', async () => {
	const { id } = await fixture.tokens.create({ name: 'old', level: 'full' })
	await fixture.tokens.flush()
	const path = fixture.support.file('tokens.json')
	const { bridge: _, tokens, ...file } = JSON.parse(await readFile(path, 'utf8'))
	const before = tokens.map(({ groups: _, ...token }: { groups: unknown }) => token)
	await writeFile(path, JSON.stringify({ ...file, tokens: before }))
	const read = await Tokens.open(path)
	expect(read.groupsOf(id)).toEqual(toolGroups)
	expect(read.list().at(-1)?.groups).toBeNull()
	expect(read.bridgeGroups).toEqual(['core', 'write', 'custom'])
})
