import { readFile, writeFile } from 'node:fs/promises'
import { type Json, type JsonObject, stringifyJson } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { startWithConsent } from '../exploits/consent.ts'
import { startBridge } from './bridge-client.ts'
import { type EndpointFixture, type FixtureOptions, startEndpoint } from './endpoint.ts'

/** A client of a legacy revision at the bridge, which speaks the modern revision to the host. */

const form = { elicitation: {} }
const approval = { action: 'accept', content: { approved: true } }
const called = (name: string, args: JsonObject = {}) => ({ name, arguments: args })
const put = (text: string) => called('execute_query', { connection_id: 'Books', query: `put ${text}` })

const startHost = (options: FixtureOptions = {}) => startWithConsent({ hasRealClock: true, ...options })

/** A bridge whose client has sent `initialize`. */
async function startLegacy({ support }: EndpointFixture, capabilities: JsonObject = {}, version = '2025-11-25') {
	// The tests start the next host themselves.
	const bridge = startBridge({ supportPath: support.path, startHost: () => {} })
	const clientInfo = { name: 'old', version: '1' }
	const opened = await bridge.legacy('initialize', { protocolVersion: version, capabilities, clientInfo })
	bridge.write({ jsonrpc: '2.0', method: 'notifications/initialized' })
	return {
		...bridge,
		opened,
		call: (id: Json, params: JsonObject) =>
			bridge.writeLine(stringifyJson({ jsonrpc: '2.0', id, method: 'tools/call', params })),
		/** Answers a question of the bridge. */
		answer: (id: Json, result: JsonObject) => bridge.write({ jsonrpc: '2.0', id, result }),
	}
}

/** Stops the host of a bridge and starts another in its place, in which nothing has run. */
async function replaceHost(old: EndpointFixture, next: EndpointFixture): Promise<void> {
	await old.endpoint.close()
	await writeFile(old.support.file('mcp-handshake.json'), await readFile(next.support.file('mcp-handshake.json')), {
		mode: 0o600,
	})
}

test.each([
	'2025-11-25',
	'2025-06-18',
])('the bridge answers a client of %s as the host does over HTTP', async version => {
	await using fixture = await startEndpoint({ hasRealClock: true })
	await fixture.addConnection()
	const bridge = await startLegacy(fixture, {}, version)
	const params = { protocolVersion: version, capabilities: {} }
	const overHttp = await fixture.send(fixture.legacyRequest('initialize', params, { id: 'initialize' }))
	expect(bridge.opened).toEqual(overHttp.json)
	const headers = { 'Mcp-Session-Id': String(overHttp.headers['mcp-session-id']) }
	const methods: readonly [string, JsonObject][] = [
		['ping', {}],
		['logging/setLevel', { level: 'info' }],
		['logging/setLevel', { level: 'loud' }],
		['server/discover', {}],
		['subscriptions/listen', { notifications: {} }],
		['resources/subscribe', { uri: 'roundhouse://connections' }],
		['resources/list', {}],
		['resources/read', { uri: 'roundhouse://connections' }],
		['resources/read', { uri: 'roundhouse://nowhere' }],
		['prompts/get', called('explain_table', { connection: 'Books', table: 'accounts' })],
		['tools/call', called('browse_table', { connection_id: 'Books', table: 'accounts' })],
		['tools/call', called('ledger_none')],
	]
	for (const [method, asked] of methods) {
		const direct = await fixture.send(fixture.legacyRequest(method, asked, { id: 'same', headers }))
		expect([method, await bridge.legacy(method, asked, 'same')]).toEqual([method, direct.json])
	}
	await bridge.end()
})

test('a bridge opens no legacy session in the host, and names its client there', async () => {
	const seen: (string | undefined)[] = []
	await using fixture = await startEndpoint({
		hasRealClock: true,
		clients: { recordRequest: ({ name }) => void seen.push(name) },
	})
	const bridge = await startLegacy(fixture)
	expect((await bridge.legacy('tools/list')).result.tools).not.toHaveLength(0)
	expect(fixture.endpoint.legacySessions()).toBe(0)
	expect(seen.at(-1)).toBe('old')
	await fixture.initialize()
	expect(fixture.endpoint.legacySessions()).toBe(1)
	await bridge.end()
})

test('before `initialize` only ping is answered', async () => {
	await using fixture = await startEndpoint({ hasRealClock: true })
	const bridge = startBridge({ supportPath: fixture.support.path })
	expect((await bridge.legacy('ping')).result).toEqual({})
	for (const method of ['tools/list', 'logging/setLevel']) expect((await bridge.legacy(method)).error.code).toBe(-33001)
	expect((await bridge.legacy('initialize', { capabilities: {} })).error.code).toBe(-32602)
	await bridge.end()
})

test('numbers keep their digits on both ways: ids, arguments and results', async () => {
	await using fixture = await startEndpoint({ hasRealClock: true })
	await fixture.addConnection()
	const bridge = await startLegacy(fixture)
	const line = (method: string, params: string) =>
		bridge.writeLine(`{"jsonrpc":"2.0","id":12345678901234567890,"method":"${method}","params":${params}}`)
	line('tools/call', '{"name":"ledger_echo","arguments":{"number":9223372036854775807}}')
	expect(await bridge.nextLine()).toMatch(/"id":12345678901234567890,.*9223372036854775807/)
	line('tools/call', '{"name":"browse_table","arguments":{"connection_id":"Books","table":"accounts"}}')
	expect(await bridge.nextLine()).toMatch(/"structuredContent":.*"9223372036854775807"/)
	await bridge.end()
})

test('a client with elicitation is asked by its own protocol, and its answer decides', async () => {
	await using scenario = await startHost()
	const bridge = await startLegacy(scenario.fixture, form)
	bridge.call(1, put('yes'))
	const question = await bridge.next()
	expect(question).toMatchObject({
		jsonrpc: '2.0',
		method: 'elicitation/create',
		params: { mode: 'form', message: expect.stringContaining('put yes'), requestedSchema: { required: ['approved'] } },
	})
	bridge.answer(question.id, approval)
	expect(await bridge.next()).toMatchObject({ id: 1, result: { structuredContent: { status: 'OK' } } })
	for (const refusal of [{ action: 'decline' }, { action: 'accept', content: { approved: false } }]) {
		bridge.call(2, put('no'))
		bridge.answer((await bridge.next()).id, refusal)
		expect((await bridge.next()).result.content[0].text).toMatch(/^denied: /)
	}
	bridge.call(3, put('error'))
	bridge.write({ jsonrpc: '2.0', id: (await bridge.next()).id, error: { code: -1, message: 'no window' } })
	expect((await bridge.next()).result.content[0].text).toMatch(/^denied: /)
	expect([await scenario.ran(), scenario.asked.length]).toEqual([['put yes'], 0])
	await bridge.end()
})

test('the question has no members that 2025-06-18 does not know', async () => {
	await using scenario = await startHost()
	const bridge = await startLegacy(scenario.fixture, form, '2025-06-18')
	bridge.call(1, put('old'))
	const { id, params } = await bridge.next()
	expect(Object.keys(params).sort()).toEqual(['message', 'requestedSchema'])
	bridge.answer(id, approval)
	expect((await bridge.next()).result.structuredContent.status).toBe('OK')
	await bridge.end()
})

test.each([
	['without elicitation', {}],
	['that can only open URLs', { elicitation: { url: {} } }],
])('for a client %s the window asks', async (_what, capabilities) => {
	await using scenario = await startHost()
	const bridge = await startLegacy(scenario.fixture, capabilities)
	bridge.call(1, put('by dialog'))
	await expect.poll(() => scenario.asked).toHaveLength(1)
	scenario.asked[0]?.answer({ decision: 'approved' })
	expect((await bridge.next()).result.structuredContent.status).toBe('OK')
	await bridge.end()
})

test('a call can ask several times: for consent, and what its driver asks', async () => {
	await using scenario = await startHost()
	const bridge = await startLegacy(scenario.fixture, form)
	bridge.call(1, called('ledger_wipe_after_asking', { connection_id: 'Books' }))
	bridge.answer((await bridge.next()).id, approval)
	const why = await bridge.next()
	expect(why.params.message).toBe('Ledger asks: «Why?»')
	bridge.answer(why.id, { action: 'accept', content: {} })
	expect((await bridge.next()).result.content[0].text).toBe('wiped')
	await bridge.end()
})

test('a cancelled call withdraws its question and gets no answer', async () => {
	await using scenario = await startHost()
	const bridge = await startLegacy(scenario.fixture, form)
	bridge.call('c', put('never'))
	const question = await bridge.next()
	bridge.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'c' } })
	expect(await bridge.next()).toMatchObject({ method: 'notifications/cancelled', params: { requestId: question.id } })
	bridge.answer(question.id, approval)
	expect((await bridge.legacy('ping')).id).toBe('ping')
	expect(await scenario.ran()).toEqual([])
	await bridge.end()
})

test('a question that the client can no longer answer counts as refused, and the bridge ends', async () => {
	await using scenario = await startHost()
	const bridge = await startLegacy(scenario.fixture, form)
	bridge.call(1, put('left open'))
	expect((await bridge.next()).method).toBe('elicitation/create')
	const ended = bridge.end()
	expect((await bridge.next()).method).toBe('notifications/cancelled')
	expect((await bridge.next()).result.content[0].text).toMatch(/^denied: /)
	await ended
})

test('questions do not occupy the places of other calls', async () => {
	await using scenario = await startHost()
	const bridge = await startLegacy(scenario.fixture, form)
	for (let id = 0; id < 9; id++) bridge.call(id, put(`${id}`))
	const questions = await Promise.all(Array.from({ length: 9 }, () => bridge.next()))
	for (const { id } of questions) bridge.answer(id, approval)
	for (let id = 0; id < 9; id++) expect((await bridge.next()).result.structuredContent.status).toBe('OK')
	expect(await scenario.ran()).toHaveLength(9)
	await bridge.end()
})

test('if the host restarts while a question is open, the next host asks again', async () => {
	await using first = await startHost()
	await using second = await startHost()
	const bridge = await startLegacy(first.fixture, form)
	bridge.call(1, put('twice asked'))
	const question = await bridge.next()
	await replaceHost(first.fixture, second.fixture)
	bridge.answer(question.id, approval)
	const again = await bridge.next()
	expect(again.method).toBe('elicitation/create')
	expect(await second.ran()).toEqual([])
	bridge.answer(again.id, approval)
	expect((await bridge.next()).result.structuredContent.status).toBe('OK')
	expect(await second.ran()).toEqual(['put twice asked'])
	await bridge.end()
})

test('a host that stops in mid-call loses no read, and no write that had not begun', async () => {
	await using first = await startHost()
	await using second = await startHost()
	const bridge = await startLegacy(first.fixture)
	for (const id of [1, 2, 3]) bridge.call(id, called('query', { connection_id: 'Books', query: 'slow' }))
	bridge.call('w', put('in the dialog'))
	await expect.poll(() => first.fixture.endpoint.runningCalls()).toBe(4)
	await expect.poll(() => first.asked).toHaveLength(1)
	await replaceHost(first.fixture, second.fixture)
	await expect.poll(() => second.fixture.endpoint.runningCalls()).toBe(4)
	await expect.poll(() => second.asked).toHaveLength(1)
	expect(await second.ran()).toEqual([])
	for (const requestId of [1, 2, 3, 'w']) {
		bridge.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
	}
	await expect.poll(() => second.fixture.endpoint.runningCalls()).toBe(0)
	await bridge.end()
})

test('a write that had begun when the host stopped is reported as unknown, and is not sent again', async () => {
	await using first = await startHost()
	await using second = await startHost()
	const bridge = await startLegacy(first.fixture)
	bridge.call('w', called('execute_query', { connection_id: 'Books', query: 'stall here' }))
	await expect.poll(() => first.asked).toHaveLength(1)
	first.asked[0]?.answer({ decision: 'approved' })
	await expect.poll(() => first.ran()).toEqual(['stall here'])
	await replaceHost(first.fixture, second.fixture)
	expect(await bridge.next()).toMatchObject({ id: 'w', error: { code: -33000, message: /outcome.*unknown/ } })
	expect([second.asked, await second.ran()]).toEqual([[], []])
	await bridge.end()
})

test('a read that is sent again reports no progress twice', async () => {
	await using first = await startHost()
	await using second = await startHost()
	const bridge = await startLegacy(first.fixture)
	const progress = [1, 2]
	bridge.call(1, { ...called('ledger_wait', { progress }), _meta: { progressToken: 'p' } })
	expect((await bridge.next()).params.progress).toBe(1)
	expect((await bridge.next()).params.progress).toBe(2)
	await replaceHost(first.fixture, second.fixture)
	await expect.poll(() => second.waiting()).toBe(1)
	expect((await bridge.legacy('tools/list')).id).toBe('tools/list')
	bridge.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
	await bridge.end()
})
