import { join } from 'node:path'
import type { JsonObject } from '@roundhouse/kit'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Answer, Question } from '../../host/mcp/index.ts'
import { proves } from '../contract/proves.ts'
import { type EndpointFixture, type MessageOptions, startEndpoint } from './endpoint.ts'

let fixture: EndpointFixture
let connectionId: string
let asked: { question: Question; answer: (answer: Answer) => void; signal: AbortSignal }[] = []
beforeAll(async () => {
	const ask = (question: Question, signal: AbortSignal) => {
		const { promise, resolve } = Promise.withResolvers<Answer>()
		asked.push({ question, answer: resolve, signal })
		return promise
	}
	fixture = await startEndpoint({ desk: { ask } })
	connectionId = (await fixture.addConnection()).id
})
afterAll(() => fixture[Symbol.asyncDispose]())
beforeEach(() => {
	asked = []
})

const form = { elicitation: {} }
const yes: JsonObject = { approve_statement: { action: 'accept', content: { approved: true } } }
const execute = (query: string, more: JsonObject = {}, message: MessageOptions = { capabilities: form }) =>
	fixture.call(
		'tools/call',
		{ name: 'execute_query', arguments: { connection_id: connectionId, query }, ...more },
		message,
	)
const stateOf = async (query: string) => String((await execute(query)).json.result.requestState)
/** Statements that the ledger has run. */
async function ran(): Promise<readonly string[]> {
	const { result } = (await fixture.callTool('ledger_wait', { finish: true })).json
	return JSON.parse(result.content[0].text).ran
}

describe('a client that supports elicitation', () => {
	test(proves('A.input.shape', 'is asked with a form of one boolean'), async () => {
		const { status, json } = await execute('put shape')
		expect(status).toBe(200)
		expect(json.result).toMatchObject({
			resultType: 'input_required',
			requestState: expect.any(String),
			inputRequests: {
				approve_statement: {
					method: 'elicitation/create',
					params: {
						mode: 'form',
						message: 'Run this on "Books"? Runs put shape. It affects 5 rows.\n\nput shape',
						requestedSchema: {
							type: 'object',
							properties: { approved: { type: 'boolean', title: 'Run it', description: expect.any(String) } },
							required: ['approved'],
						},
					},
				},
			},
		})
		expect(json.result).not.toHaveProperty('ttlMs')
		expect(await ran()).not.toContain('put shape')
	})

	test(proves('A.approval.accept', 'runs the statement after the user accepts'), async () => {
		const requestState = await stateOf('put accepted')
		const { json } = await execute('put accepted', { requestState, inputResponses: yes })
		expect(json.result).toMatchObject({ resultType: 'complete', structuredContent: { status: 'OK' } })
		expect(await ran()).toContain('put accepted')
		expect(asked).toHaveLength(0)
	})

	const user = /^denied: The user refused\.$/
	const closed = /^denied: The user closed the question without an answer\. Nothing was run\.$/
	const client = /^denied: The client sent no answer of the user: /
	test.each([
		[{ action: 'decline' }, user],
		[{ action: 'cancel' }, closed],
		[{ action: 'accept' }, client],
		[{ action: 'accept', content: {} }, client],
		[{ action: 'accept', content: { approved: false } }, user],
		[{ action: 'accept', content: { approved: 'true' } }, client],
		[{ action: 'accept', content: { approved: 1 } }, client],
		[{ action: 'ACCEPT', content: { approved: true } }, client],
		[{ content: { approved: true } }, client],
		[{}, client],
	])(proves('A.approval.refused', 'gets no consent by %j, and hears who refused'), async (response, words) => {
		const requestState = await stateOf('put refused')
		const { status, json } = await execute('put refused', {
			requestState,
			inputResponses: { approve_statement: response },
		})
		expect(status).toBe(200)
		expect(json.result).toMatchObject({ resultType: 'complete', isError: true })
		expect(json.result.content[0].text).toMatch(words)
		expect(await ran()).not.toContain('put refused')
	})

	test(proves('A.approval.changed', 'needs another consent for a changed argument'), async () => {
		const requestState = await stateOf('put first')
		const answer = await execute('put second', { requestState, inputResponses: yes })
		expect([answer.status, answer.json.error.code]).toEqual([400, -32602])
		expect(await ran()).not.toContain('put second')
	})

	test.each(['', 'x', 'a.b.c', 7, {}, null])(
		proves('A.approval.changed', 'is refused with the state %j'),
		async requestState => {
			const answer = await execute('put forged', { requestState, inputResponses: yes })
			expect([answer.status, answer.json.error.code]).toEqual([400, -32602])
		},
	)

	test(proves('A.approval.changed', 'is refused with an altered state, or one without a signature'), async () => {
		const state = await stateOf('put altered')
		const [, payload = '', signature = ''] = state.split('.')
		const none = Buffer.from('{"alg":"none"}').toString('base64url')
		for (const forged of [`${state}x`, `${none}.${payload}.`, `${none}.${payload}.${signature}`]) {
			const answer = await execute('put altered', { requestState: forged, inputResponses: yes })
			expect([answer.status, answer.json.error.code]).toEqual([400, -32602])
		}
	})

	test(proves('A.input.expires', 'can use a state for five minutes, and not longer'), async () => {
		const late = await stateOf('put late')
		const timely = await stateOf('put timely')
		fixture.clock.advance(299_999)
		expect((await execute('put timely', { requestState: timely, inputResponses: yes })).status).toBe(200)
		fixture.clock.advance(1)
		const answer = await execute('put late', { requestState: late, inputResponses: yes })
		expect([answer.status, answer.json.error.code]).toEqual([400, -32602])
	})

	test(proves('A.input.bound', 'cannot use the state of another token, method or tool'), async () => {
		const requestState = await stateOf('put bound')
		const { token } = await fixture.tokens.create({ name: 'thief', level: 'full' })
		const stolen = await execute('put bound', { requestState, inputResponses: yes }, { token, capabilities: form })
		expect(stolen.json.error.code).toBe(-32602)
		const args = { connection_id: connectionId, query: 'put bound' }
		const other = { name: 'confirm_destructive_operation', arguments: args, requestState, inputResponses: yes }
		expect((await fixture.call('tools/call', other, { capabilities: form })).json.error.code).toBe(-32602)
		const read = { uri: 'roundhouse://connections', requestState, inputResponses: yes }
		expect((await fixture.call('resources/read', read)).json.error.code).toBe(-32602)
	})

	test('can use one consent for one execution', async () => {
		const requestState = await stateOf('put once')
		const both = await Promise.all([1, 2].map(() => execute('put once', { requestState, inputResponses: yes })))
		expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
		expect((await ran()).filter(statement => statement === 'put once')).toHaveLength(1)
	})

	test('gets no consent by an answer without a state, or under another key', async () => {
		expect((await execute('put bare', { inputResponses: yes })).json.result.resultType).toBe('input_required')
		const requestState = await stateOf('put other key')
		const inputResponses = { other: { action: 'accept', content: { approved: true } } }
		expect((await execute('put other key', { requestState, inputResponses })).json.result.resultType).toBe(
			'input_required',
		)
	})

	test.each([
		null,
		[],
		'yes',
		{ approve_statement: true },
		{ approve_statement: null },
	])('is refused with the answers %j', async inputResponses => {
		const answer = await execute('put x', { inputResponses })
		expect([answer.status, answer.json.error.code]).toEqual([400, -32602])
	})

	test('can use a state with new progress and trace keys', async () => {
		const requestState = await stateOf('put again')
		const message = { capabilities: form, meta: { traceparent: 'x', progressToken: 2 } }
		const { json } = await execute('put again', { requestState, inputResponses: yes }, message)
		expect(json.result.resultType).toBe('complete')
	})

	test('also needs the consent of the window if the setting requires it', async () => {
		fixture.endpoint.configure({ alsoAskInWindow: true })
		const requestState = await stateOf('put both')
		const answer = execute('put both', { requestState, inputResponses: yes })
		await vi.waitFor(() => expect(asked).toHaveLength(1))
		asked[0]?.answer({ decision: 'refused' })
		expect((await answer).json.result.content[0].text).toMatch(/^denied: /)
		fixture.endpoint.configure({ alsoAskInWindow: false })
	})
})

describe('a client without elicitation', () => {
	test.each([{}, { elicitation: { url: {} } }, { sampling: {} }])(
		proves('A.approval.dialog', 'with %j waits for the dialog'),
		async capabilities => {
			const answer = execute('put dialog', {}, { capabilities })
			await vi.waitFor(() => expect(asked).toHaveLength(1))
			expect(asked[0]?.question).toMatchObject({
				kind: 'statement',
				statement: 'put dialog',
				summary: 'Runs put dialog',
				access: 'write',
				connection: { name: 'Books' },
				asker: { token: 'full' },
			})
			asked[0]?.answer({ decision: 'approved' })
			expect((await answer).json.result.structuredContent.status).toBe('OK')
		},
	)

	test(proves('A.approval.dialog', 'of the legacy era waits for the dialog too'), async () => {
		const headers = { 'Mcp-Session-Id': await fixture.initialize() }
		const params = { name: 'execute_query', arguments: { connection_id: connectionId, query: 'put legacy' } }
		const answer = fixture.send(fixture.legacyRequest('tools/call', params, { headers }))
		await vi.waitFor(() => expect(asked).toHaveLength(1))
		asked[0]?.answer({ decision: 'refused' })
		expect((await answer).json.result.content[0].text).toMatch(/^denied: /)
	})

	test('gets a progress message while it waits, and its cancellation removes the question', async () => {
		const params = { name: 'execute_query', arguments: { connection_id: connectionId, query: 'put waiting' } }
		using stream = await fixture.stream('tools/call', params, { id: 'q', meta: { progressToken: 1 } })
		await stream.next()
		expect((await stream.next()).params).toMatchObject({ progress: 0.1, message: 'Waiting for the user' })
		await vi.waitFor(() => expect(asked).toHaveLength(1))
		await fixture.notify('notifications/cancelled', { requestId: 'q' })
		expect((await stream.next()).error.code).toBe(-33002)
		expect(asked[0]?.signal.aborted).toBe(true)
		asked[0]?.answer({ decision: 'approved' })
		expect(await ran()).not.toContain('put waiting')
	})

	test('gets a temporary grant for this client, connection and kind of statement, until the user ends it', async () => {
		const first = execute('put granted', {}, {})
		await vi.waitFor(() => expect(asked).toHaveLength(1))
		asked[0]?.answer({ decision: 'approved', forMinutes: 15 })
		await first
		await execute('put granted 2', {}, {})
		expect(asked).toHaveLength(1)
		const [grant] = fixture.endpoint.statementGrants.list()
		fixture.endpoint.statementGrants.end(grant?.id ?? '')
		const after = execute('put granted 3', {}, {})
		await vi.waitFor(() => expect(asked).toHaveLength(2))
		asked[1]?.answer({ decision: 'refused' })
		await after
	})

	test('gets a grant for one kind of statement, and none for a statement without a kind', async () => {
		const first = execute('put granted', {}, {})
		await vi.waitFor(() => expect(asked).toHaveLength(1))
		asked[0]?.answer({ decision: 'approved', forMinutes: 15 })
		await first
		const [grant] = fixture.endpoint.statementGrants.list()
		expect(grant?.target).toBe('put entries')
		const refused = async (query: string, index: number) => {
			const call = execute(query, {}, {})
			await vi.waitFor(() => expect(asked).toHaveLength(index + 1))
			asked[index]?.answer({ decision: 'refused' })
			expect((await call).json.result.content[0].text).toMatch(/^denied/)
		}
		await refused('odd word', 1)
		const untold = execute('put X', {}, {})
		await vi.waitFor(() => expect(asked).toHaveLength(3))
		asked[2]?.answer({ decision: 'approved', forMinutes: 15 })
		await untold
		await refused('put X', 3)
		fixture.endpoint.statementGrants.end(grant?.id ?? '')
		expect(fixture.endpoint.statementGrants.list()).toEqual([])
	})
})

describe('destructive statements', () => {
	const confirm = (query: string, more: JsonObject = {}) => {
		const args = { connection_id: connectionId, query }
		return fixture.call(
			'tools/call',
			{ name: 'confirm_destructive_operation', arguments: args, ...more },
			{ capabilities: form },
		)
	}

	test('are refused by execute_query, which names the tool that runs them', async () => {
		const { result } = (await execute('drop all')).json
		expect(result.content[0].text).toMatch(/^denied: .*confirm_destructive_operation/)
	})

	test('run after consent, through the tool for destructive statements', async () => {
		const { requestState } = (await confirm('drop all')).json.result
		await confirm('drop all', { requestState, inputResponses: yes })
		expect(await ran()).toContain('drop all')
	})

	test('are the only statements that this tool accepts', async () => {
		expect((await confirm('put x')).json.result.content[0].text).toMatch(/^invalid_argument: /)
	})

	test('a statement that the driver cannot classify is a write', async () => {
		expect((await execute('mystery')).json.result.resultType).toBe('input_required')
	})
})

describe('changes of rows', () => {
	test.each([
		['insert_rows', { rows: [{ balance: 1 }] }, 'insert'],
		['update_rows', { updates: [{ row_id: 'ada', set: { balance: 1 } }] }, 'update'],
		['delete_rows', { rows: [{ row_id: 'ada' }] }, 'delete'],
	] as const)('%s shows its requests, asks, and reports each row', async (name, args, kind) => {
		const params = { name, arguments: { connection_id: connectionId, table: 'accounts', ...args } }
		const message = { capabilities: form }
		const { result } = (await fixture.call('tools/call', params as unknown as JsonObject, message)).json
		expect(result.inputRequests.approve_statement.params.message).toContain(`${kind} accounts`)
		const retry = { ...params, requestState: result.requestState, inputResponses: yes } as unknown as JsonObject
		const done = (await fixture.call('tools/call', retry, message)).json.result.structuredContent
		const id = kind === 'insert' ? {} : { row_id: 'ada' }
		// This driver does not say what its rows were, so nothing of them is kept.
		const outcomes_hint = expect.stringMatching(/^It cannot be undone/)
		expect(done).toEqual({
			table: 'accounts',
			applied: 1,
			outcomes_hint,
			outcomes: [{ row: 0, ...id, status: 'applied' }],
		})
		expect(await ran()).toContain(kind)
	})

	test.each([
		true,
		false,
	])('a tool that writes and asks its own question gets both answers (stateless: %j)', async stateless => {
		const args = { connection_id: connectionId, stateless }
		const send = async (more: JsonObject) =>
			(
				await fixture.call(
					'tools/call',
					{ name: 'ledger_wipe_after_asking', arguments: args, ...more },
					{ capabilities: form },
				)
			).json
		const count = async () => (await ran()).filter(statement => statement === 'wipe after asking').length
		const before = await count()
		const first = (await send({})).result
		expect(Object.keys(first.inputRequests)).toEqual(['approve_statement'])
		// The driver's question is not answered before the user has agreed.
		const reason = { reason: { action: 'accept', content: {} } }
		expect((await send({ inputResponses: reason })).result.inputRequests).toHaveProperty('approve_statement')
		const second = (await send({ requestState: first.requestState, inputResponses: yes })).result
		expect(Object.keys(second.inputRequests)).toEqual(['reason'])
		const third = await send({ requestState: second.requestState, inputResponses: reason })
		expect(third.result.content[0].text).toBe('wiped')
		const again = await send({ requestState: second.requestState, inputResponses: reason })
		expect(again.error.code).toBe(-32602)
		expect((await count()) - before).toBe(1)
	})

	test("a driver's tool that writes asks too", async () => {
		const params = { name: 'ledger_wipe', arguments: { connection_id: connectionId } }
		const { result } = (await fixture.call('tools/call', params, { capabilities: form })).json
		expect(result.resultType).toBe('input_required')
		expect(await ran()).not.toContain('wipe')
	})
})

test(
	proves('A.approval.other-methods', 'a prompt that needs input asks, and its state is refused elsewhere'),
	async () => {
		const driver = join(import.meta.dirname, '..', 'conformance', 'drivers', 'test')
		await using other = await startEndpoint({ drivers: [driver] })
		const params = { name: 'test_input_required_result_prompt' }
		const { result } = (await other.call('prompts/get', params, { capabilities: form })).json
		expect(result.resultType).toBe('input_required')
		const [key = ''] = Object.keys(result.inputRequests)
		const inputResponses = { [key]: { action: 'accept', content: { context: 'spring' } } }
		const answer = await other.call('prompts/get', { ...params, inputResponses }, { capabilities: form })
		expect(answer.json.result.resultType).toBe('complete')
		// A state of a tool is refused for a prompt or a resource.
		const tool = { name: 'test_input_required_result_tampered_state', arguments: {} }
		const { requestState } = (await other.call('tools/call', tool, { capabilities: form })).json.result
		expect(requestState).toEqual(expect.any(String))
		for (const [method, aim] of [
			['prompts/get', params],
			['resources/read', { uri: 'test://static-text' }],
		] as const) {
			const stolen = await other.call(method, { ...aim, requestState, inputResponses: {} }, { capabilities: form })
			expect([method, stolen.status, stolen.json.error.code]).toEqual([method, 400, -32602])
		}
	},
)

test('a token that is revoked while its write waits for consent writes nothing', async () => {
	const { id, token } = await fixture.tokens.create({ name: 'racing', level: 'full' })
	const answer = execute('put raced', {}, { token })
	await vi.waitFor(() => expect(asked).toHaveLength(1))
	await fixture.tokens.revoke(id)
	asked[0]?.answer({ decision: 'approved' })
	expect((await answer).json.error.code).toBe(-33002)
	expect(await ran()).not.toContain('put raced')
})

test('the name of a client stays on one line of the question, and cannot change the direction of the text beside it', async () => {
	const meta = {
		'io.modelcontextprotocol/clientInfo': {
			name: 'x'.repeat(1000),
			title: 'Evil\n\u202eApproved by: you',
			version: '1',
		},
	}
	const answer = execute('put named', {}, { meta })
	await vi.waitFor(() => expect(asked).toHaveLength(1))
	expect(asked[0]?.question.asker).toEqual({ client: 'Evil Approved by: you', token: 'full' })
	asked[0]?.answer({ decision: 'refused' })
	await answer
})
