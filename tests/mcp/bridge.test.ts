import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { JsonObject } from '@roundhouse/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { challengeHeader, proofHeader, proofOf } from '../../base/proven-socket.ts'
import { proves } from '../contract/proves.ts'
import { modernMeta, startBridge } from './bridge-client.ts'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

let fixture: EndpointFixture
beforeAll(async () => {
	fixture = await startEndpoint({ hasRealClock: true })
})
afterAll(() => fixture[Symbol.asyncDispose]())

const start = () => startBridge({ supportPath: fixture.support.path })

test('a modern client can list and call tools', async () => {
	const bridge = start()
	const { result } = await bridge.modern('tools/list')
	expect(result.resultType).toBe('complete')
	const answer = await bridge.modern('tools/call', {
		name: 'ledger_echo',
		arguments: { text: 'hällo', region: 'Zürich' },
	})
	expect(JSON.parse(answer.result.content[0].text)).toEqual({ text: 'hällo', region: 'Zürich' })
	await bridge.end()
})

test('error codes and their data reach the client, whatever their HTTP status', async () => {
	const bridge = start()
	expect((await bridge.modern('no/such')).error.code).toBe(-32601)
	const refused = await bridge.modern('tools/call', { name: 'confirm_destructive_operation', arguments: {} })
	expect(refused.error).toMatchObject({
		code: -33007,
		data: { requiredScopes: ['tools:read', 'tools:destructive'] },
	})
	await bridge.end()
})

/** Returns how many calls of the ledger are running. */
async function waitingIn(bridge: ReturnType<typeof start>): Promise<number> {
	const { result } = await bridge.modern('tools/call', { name: 'ledger_wait', arguments: { finish: true } })
	return JSON.parse(result.content[0].text).waiting
}

test('progress streams, and a cancelled request gets no answer', async () => {
	const bridge = start()
	const params = {
		name: 'ledger_wait',
		arguments: { progress: [1, 2] },
		_meta: { ...modernMeta, progressToken: 'p' },
	}
	bridge.write({ jsonrpc: '2.0', id: 'w', method: 'tools/call', params })
	expect((await bridge.next()).params).toMatchObject({ progressToken: 'p', progress: 1 })
	expect((await bridge.next()).params).toMatchObject({ progress: 2 })
	expect(await waitingIn(bridge)).toBe(1)
	bridge.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'w' } })
	const { id } = await bridge.modern('server/discover', {}, 'after')
	expect(id).toBe('after')
	await expect.poll(() => waitingIn(bridge)).toBe(0)
	await bridge.end()
})

test('two bridges can use the same id without a conflict', async () => {
	const [one, two] = [start(), start()]
	const wait = { name: 'ledger_wait', arguments: { progress: [1] }, _meta: { ...modernMeta, progressToken: 1 } }
	for (const bridge of [one, two]) bridge.write({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: wait })
	await Promise.all([one.next(), two.next()])
	two.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } })
	await expect.poll(() => waitingIn(two)).toBe(1)
	one.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } })
	expect((await one.modern('server/discover')).id).toBe('server/discover')
	await Promise.all([one.end(), two.end()])
})

test('the bridge starts the host if none is running', async () => {
	let later: EndpointFixture | undefined
	await using first = await startEndpoint({ hasRealClock: true })
	await first.endpoint.close()
	const bridge = startBridge({
		supportPath: first.support.path,
		startHost: async () => {
			later = await startEndpoint({ hasRealClock: true })
			const handshake = await readFile(later.support.file('mcp-handshake.json'))
			await writeFile(first.support.file('mcp-handshake.json'), handshake, { mode: 0o600 })
		},
	})
	expect((await bridge.modern('server/discover')).result.resultType).toBe('complete')
	await bridge.end()
	await later?.[Symbol.asyncDispose]()
})

test('the bridge sends its token only to a program that proves to know it', async () => {
	const { createServer } = await import('node:http')
	const seen: (string | undefined)[] = []
	const thief = createServer((request, response) => {
		seen.push(request.headers.authorization)
		response.writeHead(204).end()
	})
	await new Promise<void>(resolve => thief.listen(0, '127.0.0.1', () => resolve()))
	const address = thief.address()
	const port = typeof address === 'object' && address ? address.port : 0
	await using other = await startEndpoint({ hasRealClock: true })
	const path = other.support.file('mcp-handshake.json')
	const handshake = JSON.parse(await readFile(path, 'utf8'))
	await writeFile(path, JSON.stringify({ ...handshake, port }), { mode: 0o600 })
	const bridge = startBridge({ supportPath: other.support.path })
	await expect(bridge.ended).rejects.toThrow('no host is running')
	expect((await bridge.next()).error).toMatchObject({ code: -33000 })
	expect(seen).toEqual([undefined])
	await new Promise(resolve => thief.close(resolve))
})

test('the bridge does not trust a handshake file that others can write', async () => {
	await using other = await startEndpoint({ hasRealClock: true })
	await chmod(other.support.file('mcp-handshake.json'), 0o666)
	await expect(startBridge({ supportPath: other.support.path }).ended).rejects.toThrow('no host is running')
})

test(proves('A.versions.bridge', 'the bridge refuses a host without 2026-07-28'), async () => {
	const { createServer } = await import('node:http')
	await using other = await startEndpoint({ hasRealClock: true })
	const path = other.support.file('mcp-handshake.json')
	const handshake = JSON.parse(await readFile(path, 'utf8'))
	const asked: string[] = []
	const old = createServer(async (request, response) => {
		const challenge = request.headers[challengeHeader]
		if (typeof challenge === 'string') {
			return response.writeHead(204, { [proofHeader]: proofOf(handshake.bridgeToken, port, challenge) }).end()
		}
		const { id, method } = JSON.parse(await text(request))
		asked.push(method)
		response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { supportedVersions: ['2025-11-25'] } }))
	})
	await new Promise<void>(resolve => old.listen(0, '127.0.0.1', () => resolve()))
	const address = old.address()
	const port = typeof address === 'object' && address ? address.port : 0
	await writeFile(path, JSON.stringify({ ...handshake, port }), { mode: 0o600 })
	const bridge = startBridge({ supportPath: other.support.path })
	await expect(bridge.ended).rejects.toThrow('2026-07-28')
	expect(asked).toEqual(['server/discover'])
	old.closeAllConnections()
	await new Promise(resolve => old.close(resolve))
})

test('the bridge survives a restart of the host, without an effect on its legacy client', async () => {
	await using first = await startEndpoint({ hasRealClock: true })
	await using second = await startEndpoint({ hasRealClock: true })
	const bridge = startBridge({ supportPath: first.support.path })
	const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'old', version: '1' } }
	await bridge.legacy('initialize', params)
	expect((await bridge.legacy('ping')).result).toEqual({})
	await first.endpoint.close()
	const handshake = await readFile(second.support.file('mcp-handshake.json'))
	await writeFile(first.support.file('mcp-handshake.json'), handshake, { mode: 0o600 })
	expect((await bridge.legacy('tools/list')).result.tools).not.toHaveLength(0)
	expect((await bridge.modern('server/discover')).result.resultType).toBe('complete')
	await bridge.end()
})

test('a subscription ends by the rules of stdio when the host is lost', async () => {
	await using other = await startEndpoint({ hasRealClock: true })
	const bridge = startBridge({ supportPath: other.support.path })
	const acknowledged = await bridge.modern('subscriptions/listen', { notifications: {} }, 'l')
	expect(acknowledged.method).toBe('notifications/subscriptions/acknowledged')
	await other.endpoint.close()
	expect(await bridge.next()).toMatchObject({ id: 'l', result: { resultType: 'complete' } })
	await bridge.end()
})

test('the bridge answers running requests after its input ends', async () => {
	const bridge = start()
	const params = { name: 'ledger_wait', arguments: { progress: [1], finish: true }, _meta: modernMeta }
	bridge.write({ jsonrpc: '2.0', id: 'last', method: 'tools/call', params })
	const ended = bridge.end()
	expect((await bridge.next()).id).toBe('last')
	await ended
})

test('separators of lines inside of a text divide neither a request nor an answer', async () => {
	const bridge = start()
	const text = 'a\u2028b\u2029c\u0085d'
	const params = { name: 'ledger_echo', arguments: { text, region: 'Zürich' } }
	for (const call of [bridge.modern, bridge.legacy]) {
		if (call === bridge.legacy) await call('initialize', { protocolVersion: '2025-06-18', capabilities: {} })
		const { result } = await call('tools/call', params)
		expect(JSON.parse(result.content[0].text).text).toBe(text)
	}
	await bridge.end()
})

test('input that is not JSON gets an error, and other requests continue', async () => {
	const bridge = start()
	bridge.writeLine('{nonsense')
	expect((await bridge.next()).error.code).toBe(-32700)
	expect((await bridge.modern('server/discover')).id).toBe('server/discover')
	await bridge.end()
})

test('the bridge does not trust a folder that is a link', async () => {
	const { symlink } = await import('node:fs/promises')
	await using other = await startEndpoint({ hasRealClock: true })
	const link = `${other.support.path}-link`
	await symlink(other.support.path, link)
	await expect(startBridge({ supportPath: link }).ended).rejects.toThrow('no host is running')
	await rm(link)
})

test('a tool with an annotated argument can be called without a previous tools/list', async () => {
	const bridge = start()
	const call = { name: 'ledger_echo', arguments: { text: 'first', region: 'Zürich' } }
	const answer = await bridge.modern('tools/call', call)
	expect(JSON.parse(answer.result.content[0].text)).toEqual(call.arguments)
	// Other wrong headers are reported to the client, without repeated attempts.
	const unknown = await bridge.modern('tools/call', { name: 'ledger_none', arguments: {} })
	expect(unknown.error.code).toBe(-32602)
	await bridge.end()
})

test('every error code reaches the client with its data: refusals, missing capabilities, expired limits', async () => {
	await using other = await startEndpoint({ hasRealClock: true, settings: { concurrentPerToken: 1 } })
	const shut = await other.addConnection({ name: 'Shut', aiPolicy: 'never' })
	const bridge = startBridge({ supportPath: other.support.path })
	const code = async (method: string, params: JsonObject) => (await bridge.modern(method, params)).error
	const tool = (name: string, args: JsonObject) => code('tools/call', { name, arguments: args })
	expect(await tool('list_tables', { connection_id: shut.id })).toMatchObject({ code: -33007, message: /"never"/ })
	expect(await tool('confirm_destructive_operation', {})).toMatchObject({
		code: -33007,
		data: { requiredScopes: ['tools:read', 'tools:destructive'] },
	})
	expect((await code('resources/read', { uri: 'roundhouse://nowhere' })).data).toEqual({ uri: 'roundhouse://nowhere' })
	const old = { jsonrpc: '2.0', id: 'v', method: 'tools/list' }
	const meta = { ...modernMeta, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' }
	bridge.write({ ...old, params: { _meta: meta } })
	expect((await bridge.next()).error).toMatchObject({ code: -32022, data: { supported: expect.any(Array) } })
	bridge.write({ ...old, params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } } })
	expect((await bridge.next()).error.code).toBe(-32602)
	other.endpoint.configure({ enabled: false })
	expect((await code('tools/list', {})).code).toBe(-33006)
	other.endpoint.configure({ enabled: true })
	const wait = { name: 'ledger_wait', arguments: { progress: [1] }, _meta: { ...modernMeta, progressToken: 1 } }
	bridge.write({ jsonrpc: '2.0', id: 'w', method: 'tools/call', params: wait })
	expect((await bridge.next()).method).toBe('notifications/progress')
	expect((await code('tools/list', {})).code).toBe(-33010)
	bridge.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'w' } })
	await bridge.end()
})
