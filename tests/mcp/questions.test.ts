import { expect, test } from 'vitest'
import { startWithConsent } from '../exploits/consent.ts'

/** Questions to the user: which calls share one, which call removes one, and how long an answer is valid. */

const waiting = { method: 'notifications/progress', params: { message: 'Waiting for the user' } }

async function startShy() {
	const scenario = await startWithConsent()
	const { id } = await scenario.fixture.addConnection({ name: 'Shy', aiPolicy: 'ask' })
	const list = (token = scenario.fixture.token, requestId = 'l') =>
		scenario.fixture.callTool('list_tables', { connection_id: id }, { token, id: requestId })
	return { ...scenario, id, list }
}

test('callers that share a question wait for one answer, and each is notified that it waits', async () => {
	await using scenario = await startShy()
	const params = { name: 'list_tables', arguments: { connection_id: scenario.id } }
	using one = await scenario.fixture.stream('tools/call', params, { id: 1, meta: { progressToken: 'a' } })
	using two = await scenario.fixture.stream('tools/call', params, { id: 2, meta: { progressToken: 'b' } })
	expect(await one.next()).toMatchObject(waiting)
	expect(await two.next()).toMatchObject(waiting)
	expect(scenario.asked).toHaveLength(1)
	scenario.asked[0]?.answer({ decision: 'approved' })
	for (const stream of [one, two]) expect((await stream.next()).result.structuredContent.tables).toHaveLength(1)
})

test('two tokens get separate questions', async () => {
	await using scenario = await startShy()
	const other = await scenario.fixture.tokens.create({ name: 'other', level: 'read-only' })
	const both = [scenario.list(), scenario.list(other.token)]
	await expect.poll(() => scenario.asked).toHaveLength(2)
	expect(scenario.asked.map(({ question }) => question.asker.token).sort()).toEqual(['full', 'other'])
	for (const { question, answer } of scenario.asked) {
		answer({ decision: question.asker.token === 'full' ? 'approved' : 'refused' })
	}
	expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 403])
})

test('a cancelled call leaves the question to the others; the last one removes it, and no refusal is stored', async () => {
	await using scenario = await startShy()
	const [first, second] = [
		scenario.list(scenario.fixture.token, 'first'),
		scenario.list(scenario.fixture.token, 'second'),
	]
	await expect.poll(() => scenario.asked).toHaveLength(1)
	await scenario.fixture.notify('notifications/cancelled', { requestId: 'first' })
	expect((await first).json.error.code).toBe(-33002)
	expect(scenario.asked[0]?.signal.aborted).toBe(false)
	await scenario.fixture.notify('notifications/cancelled', { requestId: 'second' })
	expect((await second).json.error.code).toBe(-33002)
	expect(scenario.asked[0]?.signal.aborted).toBe(true)
	// The window answers a removed question like this.
	scenario.asked[0]?.answer({ decision: 'refused' })
	const again = scenario.list()
	await expect.poll(() => scenario.asked).toHaveLength(2)
	scenario.asked[1]?.answer({ decision: 'approved' })
	expect((await again).status).toBe(200)
})

test('a refusal applies for sixty seconds without another question', async () => {
	await using scenario = await startShy()
	const refused = scenario.list()
	await expect.poll(() => scenario.asked).toHaveLength(1)
	scenario.asked[0]?.answer({ decision: 'refused' })
	expect((await refused).status).toBe(403)
	scenario.fixture.clock.advance(59_999)
	expect((await scenario.list()).json.error.message).toMatch(/The user refused it.*settings, AI access/)
	expect(scenario.asked).toHaveLength(1)
	scenario.fixture.clock.advance(1)
	const again = scenario.list()
	await expect.poll(() => scenario.asked).toHaveLength(2)
	scenario.asked[1]?.answer({ decision: 'approved' })
	expect((await again).status).toBe(200)
})

test('the revocation of a token revokes its permissions', async () => {
	await using scenario = await startShy()
	const { id, token } = await scenario.fixture.tokens.create({ name: 'leaving', level: 'full' })
	const listed = scenario.list(token)
	await expect.poll(() => scenario.asked).toHaveLength(1)
	scenario.asked[0]?.answer({ decision: 'approved' })
	await listed
	expect(scenario.fixture.endpoint.accessGrants.list()).toMatchObject([{ grantee: id, connectionId: scenario.id }])
	await scenario.fixture.tokens.revoke(id)
	await expect.poll(() => scenario.fixture.endpoint.accessGrants.list()).toEqual([])
})

test('a write that waits for the user reports that as progress', async () => {
	await using scenario = await startWithConsent()
	const params = { name: 'execute_query', arguments: { connection_id: scenario.connectionId, query: 'put 1' } }
	using stream = await scenario.fixture.stream('tools/call', params, { meta: { progressToken: 1 } })
	const messages: string[] = []
	for (let message = await stream.next(); message?.method; message = await stream.next()) {
		messages.push(message.params.message)
		if (message.params.message === 'Waiting for the user') scenario.asked[0]?.answer({ decision: 'approved' })
	}
	expect(messages).toEqual(['Opening the connection', 'Waiting for the user', 'Running', 'Done'])
})

test('a consent for fifteen minutes covers this client, connection and kind of statement, is listed, and expires', async () => {
	await using scenario = await startWithConsent()
	const { id: other } = await scenario.fixture.addConnection({ name: 'Other' })
	const stranger = await scenario.fixture.tokens.create({ name: 'stranger', level: 'full' })
	const run = (name: string, query: string, connection = scenario.connectionId, token = scenario.fixture.token) =>
		scenario.fixture.callTool(name, { connection_id: connection, query }, { token })
	const refuseNext = async (call: ReturnType<typeof run>, count: number) => {
		await expect.poll(() => scenario.asked).toHaveLength(count)
		scenario.asked.at(-1)?.answer({ decision: 'refused' })
		expect((await call).json.result.content[0].text).toMatch(/^denied: /)
	}
	const first = run('execute_query', 'put 1')
	await expect.poll(() => scenario.asked).toHaveLength(1)
	scenario.asked[0]?.answer({ decision: 'approved', forMinutes: 15 })
	await first
	expect(scenario.fixture.endpoint.statementGrants.list()).toMatchObject([
		{ connectionId: scenario.connectionId, target: 'put entries', token: 'full', client: 'Unknown client' },
	])
	expect((await run('execute_query', 'put 2')).json.result.structuredContent.status).toBe('OK')
	await refuseNext(run('execute_query', 'put 3', other), 2)
	await refuseNext(run('execute_query', 'put 4', scenario.connectionId, stranger.token), 3)
	await refuseNext(run('confirm_destructive_operation', 'drop 5'), 4)
	scenario.fixture.clock.advance(15 * 60_000)
	await refuseNext(run('execute_query', 'put 6'), 5)
	expect(scenario.fixture.endpoint.statementGrants.list()).toEqual([])
	expect(await scenario.ran()).toEqual(['put 1', 'put 2'])
})

test('without a user at the machine every request for consent is refused', async () => {
	const { startEndpoint } = await import('./endpoint.ts')
	await using fixture = await startEndpoint()
	const { id } = await fixture.addConnection()
	for (const [name, args] of [
		['execute_query', { query: 'put 1' }],
		['confirm_destructive_operation', { query: 'drop 1' }],
		['insert_rows', { table: 'accounts', rows: [{}] }],
		['ledger_wipe', {}],
	] as const) {
		const { result } = (await fixture.callTool(name, { connection_id: id, ...args })).json
		expect([name, result.content[0].text]).toEqual([
			name,
			expect.stringMatching(/^denied: .*no Roundhouse window is open/),
		])
	}
})
