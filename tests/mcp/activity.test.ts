import { expect, test, vi } from 'vitest'
import { type ActivityRecord, statementDigest } from '../../host/activity/activity-log.ts'
import { ConnectedClients } from '../../host/activity/connected-clients.ts'
import { startEndpoint } from './endpoint.ts'

async function startWatched(settings: { keepStatements?: boolean } = {}) {
	const records: ActivityRecord[] = []
	const clients = new ConnectedClients()
	const fixture = await startEndpoint({
		settings,
		activity: { record: async record => void records.push(record) },
		clients,
	})
	return { fixture, records, clients }
}

test('calls are logged with their outcome, with digests of statements if the user does not keep statements', async () => {
	const { fixture, records, clients } = await startWatched({ keepStatements: false })
	await using _ = fixture
	const { id } = await fixture.addConnection()
	const args = { connection_id: id, query: 'read secrets' }
	const meta = { 'io.modelcontextprotocol/clientInfo': { name: 'tester', title: 'Tester', version: '2' } }
	await fixture.callTool('execute_query', args, { meta })
	await fixture.callTool('execute_query', { ...args, query: 'drop all' })
	await fixture.callTool('describe_table', { connection_id: id, table: 'none' })
	await fixture.call('tools/list')
	await fixture.call('resources/read', { uri: `roundhouse://connections/${id}/tables` })
	const reader = await fixture.tokens.create({ name: 'reader', level: 'read-only' })
	await fixture.callTool('insert_rows', { connection_id: id }, { token: reader.token })
	expect(records).toMatchObject([
		{
			action: 'tool.execute_query',
			outcome: 'success',
			token: 'full',
			client: 'Tester',
			connection: id,
			statement: statementDigest('read secrets'),
		},
		{ action: 'tool.execute_query', outcome: 'denied' },
		{ action: 'tool.describe_table', outcome: 'error', detail: expect.stringContaining('not_found') },
		{ action: 'resource.read', outcome: 'success', connection: id },
		{ action: 'tool.insert_rows', outcome: 'denied', token: 'reader' },
	])
	expect(JSON.stringify(records)).not.toContain('read secrets')
	expect(clients.list().map(({ name, version, token }) => [name, version, token])).toContainEqual([
		'Tester',
		'2',
		'full',
	])
})

test('an entry contains connection, verdict, rows, the consent, and the statement without credentials', async () => {
	const { fixture, records } = await startWatched()
	await using _ = fixture
	const { id } = await fixture.addConnection({ name: 'Books' })
	const execute = (query: string, more = {}) =>
		fixture.call(
			'tools/call',
			{ name: 'execute_query', arguments: { connection_id: id, query }, ...more },
			{ capabilities: { elicitation: {} } },
		)
	await execute('read api_key=abcdef123456 \u202e')
	const { requestState } = (await execute('put 1')).json.result
	const inputResponses = { approve_statement: { action: 'accept', content: { approved: true } } }
	await execute('put 1', { requestState, inputResponses })
	await execute('drop all')
	await execute(`read a\r\n\n\n\n\n${' '.repeat(50)}b`)
	await execute(`read ${'x'.repeat(4_000)}`)
	expect(records).toMatchObject([
		{ connectionName: 'Books', verdict: 'read', text: 'read api_key=[redacted] \\u{202e}' },
		{ action: 'write.begun', outcome: 'started', verdict: 'write', agreed: 'client', text: 'put 1' },
		{ connectionName: 'Books', verdict: 'write', agreed: 'client', text: 'put 1', durationMs: expect.any(Number) },
		{ verdict: 'destructive', outcome: 'denied', text: 'drop all' },
		{ outcome: 'error', text: `read a\n\n\n\n\n${' '.repeat(50)}b` },
		{ verdict: 'read', statement: expect.any(String) },
	])
	expect(JSON.stringify(records)).not.toContain('abcdef123456')
	expect(records[3]?.agreed).toBeUndefined()
	expect(records[5]?.text).toBeUndefined()
})

test("a driver's reason for a verdict reaches the client, quoted, the question, and the activity log", async () => {
	const { fixture, records } = await startWatched()
	await using _ = fixture
	const { id } = await fixture.addConnection({ name: 'Books' })
	const call = (name: string, query: string, more = {}) =>
		fixture.call(
			'tools/call',
			{ name, arguments: { connection_id: id, query }, ...more },
			{ capabilities: { elicitation: {} } },
		)
	const said = 'The driver says: «It calls "total", which may change data.»'
	for (const [tool, query] of [
		['query', 'put reasoned'],
		['query', 'drop reasoned'],
		['execute_query', 'drop reasoned'],
	] as const)
		expect((await call(tool, query)).json.result.content[0].text).toContain(said)
	const { requestState, inputRequests } = (await call('execute_query', 'put reasoned')).json.result
	expect(inputRequests.approve_statement.params.message).toMatch(
		/^The driver says: «It calls "total", which may change data\.» Run this on/,
	)
	const inputResponses = { approve_statement: { action: 'accept', content: { approved: true } } }
	await call('execute_query', 'put reasoned', { requestState, inputResponses })
	expect(records.map(({ detail }) => detail)).toEqual([
		...Array(3).fill(expect.stringContaining('It calls "total", which may change data.')),
		undefined,
		expect.stringContaining('It calls "total", which may change data.'),
	])
})

test('a connection that a call names by its name, or does not name, is logged by its id', async () => {
	const { fixture, records } = await startWatched()
	await using _ = fixture
	const { id } = await fixture.addConnection({ name: 'Books' })
	await fixture.callTool('list_tables', { connection_id: 'books' })
	await fixture.callTool('list_tables', {})
	await fixture.call('prompts/get', { name: 'explain_schema', arguments: { connection: 'Books' } })
	await fixture.callTool('describe_table', { connection_id: 'Books', table: 'none' })
	await fixture.callTool('list_connections')
	expect(records.map(({ connection }) => connection)).toEqual([id, id, id, id, undefined])
})

test('cancelled calls and calls of disconnected clients are logged as cancelled', async () => {
	const { fixture, records } = await startWatched()
	await using _ = fixture
	const params = { name: 'ledger_wait', arguments: { progress: [1] } }
	const dropped = await fixture.stream('tools/call', params, { meta: { progressToken: 1 } })
	await dropped.next()
	dropped.close()
	using cancelled = await fixture.stream('tools/call', params, { id: 'c', meta: { progressToken: 1 } })
	await cancelled.next()
	await fixture.notify('notifications/cancelled', { requestId: 'c' })
	await cancelled.next()
	await vi.waitFor(() => expect(records.map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled']))
})

test('a call is not logged before its question is answered', async () => {
	const { fixture, records } = await startWatched()
	await using _ = fixture
	const { id } = await fixture.addConnection()
	const params = { name: 'execute_query', arguments: { connection_id: id, query: 'put 1' } }
	const capabilities = { elicitation: {} }
	const { requestState } = (await fixture.call('tools/call', params, { capabilities })).json.result
	expect(records).toEqual([])
	const inputResponses = { approve_statement: { action: 'decline' } }
	await fixture.call('tools/call', { ...params, requestState, inputResponses }, { capabilities })
	expect(records).toMatchObject([{ outcome: 'denied' }])
})

test('invalid tokens are logged, but not each of a flood', async () => {
	const { fixture, records } = await startWatched()
	await using _ = fixture
	for (let count = 0; count < 30; count++) await fixture.call('server/discover', {}, { token: `rh_wrong${count}` })
	await fixture.call('server/discover', {}, { token: null })
	expect(records).toHaveLength(20)
	expect(records[0]).toMatchObject({ action: 'auth.failure', outcome: 'denied' })
	expect(JSON.stringify(records)).not.toContain('rh_wrong')
})

test.each([
	['execute_query', { query: 'put 1' }],
	['ledger_wipe', {}],
] as const)('a write by %s is logged before it runs, and does not run if the log cannot be written', async (tool, more) => {
	const records: ActivityRecord[] = []
	let isFull = false
	const record = async (entry: ActivityRecord) => {
		if (isFull) throw new Error('ENOSPC')
		records.push(entry)
	}
	await using fixture = await startEndpoint({
		activity: { record },
		desk: { ask: async () => ({ decision: 'approved' }) },
	})
	const { id } = await fixture.addConnection()
	const write = () => fixture.callTool(tool, { connection_id: id, ...more })
	const done = async () => (await fixture.callTool('ledger_wait', { finish: true })).json.result.content[0].text
	expect((await write()).json.result).not.toHaveProperty('isError', true)
	expect(records.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
		'write.begun started',
		`tool.${tool} success`,
	])
	const before = await done()
	isFull = true
	const refused = (await write()).json.result
	expect(refused.content[0].text).toBe('internal_failure: Nothing was run, because the activity log cannot be written.')
	expect(await done()).toBe(before)
})
