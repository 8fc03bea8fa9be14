import { expect, test } from 'vitest'
import { startWithConsent } from '../exploits/consent.ts'

/** Questions to the user: which calls share one, which call removes one, and how long an answer is valid. */

const waiting = { method: 'notifications/progress', params: { message: 'Waiting for the user' } }

async function startShy() {
	const the = await startWithConsent()
	const { id } = await the.fixture.addConnection({ name: 'Shy', aiPolicy: 'ask' })
	const list = (token = the.fixture.token, requestId = 'l') =>
		the.fixture.callTool('list_tables', { connection_id: id }, { token, id: requestId })
	return { ...the, id, list }
}

test('callers that share a question wait for one answer, and each is notified that it waits', async () => {
	await using the = await startShy()
	const params = { name: 'list_tables', arguments: { connection_id: the.id } }
	using one = await the.fixture.stream('tools/call', params, { id: 1, meta: { progressToken: 'a' } })
	using two = await the.fixture.stream('tools/call', params, { id: 2, meta: { progressToken: 'b' } })
	expect(await one.next()).toMatchObject(waiting)
	expect(await two.next()).toMatchObject(waiting)
	expect(the.asked).toHaveLength(1)
	the.asked[0]?.answer({ decision: 'approved' })
	for (const stream of [one, two]) expect((await stream.next()).result.structuredContent.tables).toHaveLength(1)
})

test('two tokens get separate questions', async () => {
	await using the = await startShy()
	const other = await the.fixture.tokens.create({ name: 'other', level: 'read-only' })
	const both = [the.list(), the.list(other.token)]
	await expect.poll(() => the.asked).toHaveLength(2)
	expect(the.asked.map(({ question }) => question.asker.token).sort()).toEqual(['full', 'other'])
	for (const { question, answer } of the.asked) {
		answer({ decision: question.asker.token === 'full' ? 'approved' : 'refused' })
	}
	expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 403])
})

test('a cancelled call leaves the question to the others; the last one removes it, and no refusal is stored', async () => {
	await using the = await startShy()
	const [first, second] = [the.list(the.fixture.token, 'first'), the.list(the.fixture.token, 'second')]
	await expect.poll(() => the.asked).toHaveLength(1)
	await the.fixture.notify('notifications/cancelled', { requestId: 'first' })
	expect((await first).json.error.code).toBe(-33002)
	expect(the.asked[0]?.signal.aborted).toBe(false)
	await the.fixture.notify('notifications/cancelled', { requestId: 'second' })
	expect((await second).json.error.code).toBe(-33002)
	expect(the.asked[0]?.signal.aborted).toBe(true)
	// The window answers a removed question like this.
	the.asked[0]?.answer({ decision: 'refused' })
	const again = the.list()
	await expect.poll(() => the.asked).toHaveLength(2)
	the.asked[1]?.answer({ decision: 'approved' })
	expect((await again).status).toBe(200)
})

test('a refusal applies for sixty seconds without another question', async () => {
	await using the = await startShy()
	const refused = the.list()
	await expect.poll(() => the.asked).toHaveLength(1)
	the.asked[0]?.answer({ decision: 'refused' })
	expect((await refused).status).toBe(403)
	the.fixture.clock.advance(59_999)
	expect((await the.list()).json.error.message).toMatch(/The user refused it.*settings, AI access/)
	expect(the.asked).toHaveLength(1)
	the.fixture.clock.advance(1)
	const again = the.list()
	await expect.poll(() => the.asked).toHaveLength(2)
	the.asked[1]?.answer({ decision: 'approved' })
	expect((await again).status).toBe(200)
})

test('the revocation of a token revokes its permissions', async () => {
	await using the = await startShy()
	const { id, token } = await the.fixture.tokens.create({ name: 'leaving', level: 'full' })
	const listed = the.list(token)
	await expect.poll(() => the.asked).toHaveLength(1)
	the.asked[0]?.answer({ decision: 'approved' })
	await listed
	expect(the.fixture.endpoint.accessGrants.list()).toMatchObject([{ grantee: id, connectionId: the.id }])
	await the.fixture.tokens.revoke(id)
	await expect.poll(() => the.fixture.endpoint.accessGrants.list()).toEqual([])
})

test('a write that waits for the user reports that as progress', async () => {
	await using the = await startWithConsent()
	const params = { name: 'execute_query', arguments: { connection_id: the.connectionId, query: 'put 1' } }
	using stream = await the.fixture.stream('tools/call', params, { meta: { progressToken: 1 } })
	const messages: string[] = []
	for (let message = await stream.next(); message?.method; message = await stream.next()) {
		messages.push(message.params.message)
		if (message.params.message === 'Waiting for the user') the.asked[0]?.answer({ decision: 'approved' })
	}
	expect(messages).toEqual(['Opening the connection', 'Waiting for the user', 'Running', 'Done'])
})

test('a consent for fifteen minutes covers this client, connection and kind of statement, is listed, and expires', async () => {
	await using the = await startWithConsent()
	const { id: other } = await the.fixture.addConnection({ name: 'Other' })
	const stranger = await the.fixture.tokens.create({ name: 'stranger', level: 'full' })
	const run = (name: string, query: string, connection = the.connectionId, token = the.fixture.token) =>
		the.fixture.callTool(name, { connection_id: connection, query }, { token })
	const refuseNext = async (call: ReturnType<typeof run>, count: number) => {
		await expect.poll(() => the.asked).toHaveLength(count)
		the.asked.at(-1)?.answer({ decision: 'refused' })
		expect((await call).json.result.content[0].text).toMatch(/^denied: /)
	}
	const first = run('execute_query', 'put 1')
	await expect.poll(() => the.asked).toHaveLength(1)
	the.asked[0]?.answer({ decision: 'approved', forMinutes: 15 })
	await first
	expect(the.fixture.endpoint.statementGrants.list()).toMatchObject([
		{ connectionId: the.connectionId, target: 'put entries', token: 'full', client: 'Unknown client' },
	])
	expect((await run('execute_query', 'put 2')).json.result.structuredContent.status).toBe('OK')
	await refuseNext(run('execute_query', 'put 3', other), 2)
	await refuseNext(run('execute_query', 'put 4', the.connectionId, stranger.token), 3)
	await refuseNext(run('confirm_destructive_operation', 'drop 5'), 4)
	the.fixture.clock.advance(15 * 60_000)
	await refuseNext(run('execute_query', 'put 6'), 5)
	expect(the.fixture.endpoint.statementGrants.list()).toEqual([])
	expect(await the.ran()).toEqual(['put 1', 'put 2'])
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
