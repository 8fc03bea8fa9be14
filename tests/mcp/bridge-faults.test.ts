import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isRunning } from '../support/process.ts'
import { Roundhouse } from '../support/roundhouse.ts'
import { modernMeta, startBridge } from './bridge-client.ts'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

/** A bridge answers every request with the true reason, whatever happens to the host and the client. */

const call = (name: string, args = {}) => ({ name, arguments: args })
const big = 'x'.repeat(11 * 1024 * 1024)

test('a refusal of the host before it has read the id still has the id of the request', async () => {
	await using fixture = await startEndpoint({ hasRealClock: true })
	const bridge = startBridge({ supportPath: fixture.support.path })
	await bridge.modern('tools/list')
	fixture.endpoint.configure({ enabled: false })
	const off = await bridge.modern('tools/list', {}, 'while it is off')
	expect(off).toMatchObject({ id: 'while it is off', error: { code: -33006, message: /switched off/ } })
	fixture.endpoint.configure({ enabled: true })
	const large = await bridge.modern('tools/call', call('ledger_echo', { text: big }), 7)
	expect(large).toMatchObject({ id: 7, error: { code: -33005 } })
	expect((await bridge.modern('tools/list', {}, 8)).id).toBe(8)
	await bridge.end()
})

test('a bridge that starts while AI access is off reports that, and serves after it is switched on', async () => {
	await using fixture = await startEndpoint({ hasRealClock: true })
	fixture.endpoint.configure({ enabled: false })
	const bridge = startBridge({ supportPath: fixture.support.path })
	expect((await bridge.modern('tools/list', {}, 1)).error).toMatchObject({ code: -33006, message: /Settings > AI/ })
	expect(bridge.logged).toEqual([expect.stringContaining('switched off')])
	fixture.endpoint.configure({ enabled: true })
	expect((await bridge.modern('tools/list', {}, 2)).result.resultType).toBe('complete')
	await bridge.end()
})

test('a client that only sends initialize gets the newest revision with that method', async () => {
	await using fixture = await startEndpoint({ hasRealClock: true })
	for (const protocolVersion of ['2026-07-28', '2031-01-01', '2024-11-05']) {
		const bridge = startBridge({ supportPath: fixture.support.path })
		const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'rmcp', version: '3' } }
		expect((await bridge.legacy('initialize', params)).result.protocolVersion).toBe('2025-11-25')
		expect((await bridge.legacy('tools/list')).result.tools.length).toBeGreaterThan(0)
		await bridge.end()
	}
})

test('three bridges with a hundred concurrent calls each lose no answer', async () => {
	await using fixture = await startEndpoint({ hasRealClock: true })
	const bridges = [1, 2, 3].map(() => startBridge({ supportPath: fixture.support.path }))
	await Promise.all(
		bridges.map(async bridge => {
			for (let id = 0; id < 100; id++) {
				const params = { ...call('ledger_echo', { text: `${id}` }), _meta: modernMeta }
				bridge.write({ jsonrpc: '2.0', id, method: 'tools/call', params })
			}
			const ids = new Set<number>()
			while (ids.size < 100) {
				const answer = await bridge.next()
				expect(answer.result?.isError ?? answer.error).toBeUndefined()
				ids.add(answer.id)
			}
		}),
	)
	await Promise.all(bridges.map(bridge => bridge.end()))
})

/** Returns how many calls of the ledger are running. */
const waitingIn = async (fixture: EndpointFixture) => {
	const { json } = await fixture.send(fixture.modernRequest('tools/call', call('ledger_wait', { finish: true })))
	return JSON.parse(json.result.content[0].text).waiting as number
}

test('a client with more calls than a bridge sends at once can still cancel, and new calls are sent', async () => {
	await using fixture = await startEndpoint({ hasRealClock: true })
	const bridge = startBridge({ supportPath: fixture.support.path })
	const wait = { ...call('ledger_wait'), _meta: modernMeta }
	for (let id = 0; id < 10; id++) bridge.write({ jsonrpc: '2.0', id, method: 'tools/call', params: wait })
	await expect.poll(() => waitingIn(fixture)).toBe(8)
	// A call that waits in the bridge is never sent.
	bridge.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } })
	bridge.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 0 } })
	await expect.poll(() => waitingIn(fixture)).toBe(8)
	for (let id = 1; id < 9; id++) {
		bridge.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
	}
	await expect.poll(() => waitingIn(fixture)).toBe(0)
	expect((await bridge.modern('tools/list', {}, 'after')).id).toBe('after')
	await bridge.end()
})

test('a fifth stream is refused, and the other streams continue', async () => {
	await using fixture = await startEndpoint({ hasRealClock: true })
	const bridge = startBridge({ supportPath: fixture.support.path })
	const params = { notifications: { toolsListChanged: true }, _meta: modernMeta }
	for (let id = 0; id < 5; id++) bridge.write({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params })
	const messages = [
		await bridge.next(),
		await bridge.next(),
		await bridge.next(),
		await bridge.next(),
		await bridge.next(),
	]
	expect(messages.find(({ method }) => method === 'notifications/cancelled')?.params).toMatchObject({ requestId: 4 })
	expect((await bridge.modern('tools/list')).result.resultType).toBe('complete')
	await bridge.end()
})

/** A client that starts the bridge, sends a long call, and is killed. */
const client = `
	const { spawn } = require('node:child_process')
	const { command, args, lines } = JSON.parse(process.argv[1])
	const bridge = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
	process.stdout.write(bridge.pid + '\\n')
	for (const line of lines) bridge.stdin.write(line + '\\n')
	bridge.stdout.on('data', () => {})
`

test('after its client is killed, a query ends in the engine, and the bridge exits without an error', async () => {
	await using fixture = await startEndpoint({ hasRealClock: true })
	await using roundhouse = await Roundhouse.make()
	// The bridge uses the endpoint of the test as its host.
	const handshake = await readFile(fixture.support.file('mcp-handshake.json'))
	await roundhouse.run(['token', 'list'])
	await writeFile(join(roundhouse.home, 'mcp-handshake.json'), handshake, { mode: 0o600 })
	const line = JSON.stringify({
		jsonrpc: '2.0',
		id: 1,
		method: 'tools/call',
		params: { ...call('ledger_wait'), _meta: modernMeta },
	})
	const asked = JSON.stringify({ ...roundhouse.command('mcp'), lines: [line] })
	const program = spawn(process.execPath, ['-e', client, asked], { env: roundhouse.environment })
	let complaints = ''
	program.stderr.on('data', data => {
		complaints += data
	})
	const [pid] = await once(program.stdout, 'data')
	const bridge = Number(pid)
	await expect.poll(() => waitingIn(fixture)).toBe(1)
	program.kill('SIGKILL')
	await expect.poll(() => waitingIn(fixture)).toBe(0)
	await expect.poll(() => isRunning(bridge)).toBe(false)
	expect(complaints).toBe('')
})
