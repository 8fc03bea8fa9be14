import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type Agent, createServer, get } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ProxiedAgent } from './proxied-agent.ts'
import type { ProxySetting } from './proxy.ts'

/** A pre-shared key, so that the test needs no certificate. */
const psk = Buffer.alloc(16, 7)
const shared = { ciphers: 'PSK', maxVersion: 'TLSv1.2' as const }

const server = createServer({ ...shared, pskCallback: () => psk }, (request, response) => {
	response.end(`${request.headers.host}${request.url}`)
})
const asked: string[] = []
let answer: string
const sockets = new Set<Duplex>()
/** Connects every name to the server. */
const proxy = createHttpServer().on('connect', ({ url }, socket) => {
	asked.push(String(url))
	sockets.add(socket)
	if (answer !== 'HTTP/1.1 200 OK\r\n\r\n') return socket.end(answer)
	const onward = connect(portOf(server), '127.0.0.1', () => socket.write(answer))
	sockets.add(onward)
	onward.pipe(socket).pipe(onward)
	return onward.on('error', () => socket.destroy())
})

// A TCP server that listens has a port.
const portOf = (listening: { address(): unknown }) => (listening.address() as AddressInfo).port

beforeEach(async () => {
	asked.length = 0
	answer = 'HTTP/1.1 200 OK\r\n\r\n'
	for (const listening of [server, proxy]) await once(listening.listen(0, '127.0.0.1'), 'listening')
})
afterEach(async () => {
	for (const socket of sockets) socket.destroy()
	for (const listening of [server, proxy]) {
		listening.closeAllConnections()
		await new Promise(resolve => listening.close(resolve))
	}
})

const agentOf = (setting: () => ProxySetting) =>
	new ProxiedAgent(setting, {
		...shared,
		pskCallback: () => ({ psk, identity: 'test' }),
		checkServerIdentity: () => undefined,
	})

function read(url: string, agent: Agent, timeout = 2_000): Promise<string> {
	return new Promise((resolve, reject) => {
		get(url, { agent, timeout }, response => resolve(text(response))).once('error', reject)
	})
}

test('requests use the proxy in the current settings', async () => {
	let setting: ProxySetting = { mode: 'manual', url: `http://127.0.0.1:${portOf(proxy)}`, except: 'spared.example' }
	const agent = agentOf(() => setting)
	expect(await read('https://drivers.example/one', agent)).toBe('drivers.example/one')
	expect(await read('https://drivers.example:8443/two', agent)).toBe('drivers.example:8443/two')
	expect(asked).toEqual(['drivers.example:443', 'drivers.example:8443'])
	await expect(read('https://spared.example/', agent)).rejects.toThrow()
	setting = { mode: 'direct' }
	await expect(read('https://drivers.example/', agent)).rejects.toThrow()
	expect(asked).toHaveLength(2)
})

test('requests to this machine do not use the proxy', async () => {
	const agent = agentOf(() => ({ mode: 'manual', url: `http://127.0.0.1:${portOf(proxy)}`, except: '' }))
	expect(await read(`https://127.0.0.1:${portOf(server)}/here`, agent)).toContain('/here')
	expect(asked).toEqual([])
})

test('a proxy that refuses or does not answer fails the request', async () => {
	const agent = agentOf(() => ({ mode: 'manual', url: `http://127.0.0.1:${portOf(proxy)}`, except: '' }))
	answer = 'HTTP/1.1 403 Forbidden\r\n\r\n'
	await expect(read('https://drivers.example/', agent)).rejects.toThrow(
		`The proxy 127.0.0.1:${portOf(proxy)} did not connect to drivers.example:443: it answered 403.`,
	)
	const silent = createHttpServer().on('connect', (_, socket) => void sockets.add(socket))
	await once(silent.listen(0, '127.0.0.1'), 'listening')
	const stuck = agentOf(() => ({ mode: 'manual', url: `http://127.0.0.1:${portOf(silent)}`, except: '' }))
	await expect(read('https://drivers.example/', stuck, 50)).rejects.toThrow('timeout')
	for (const socket of sockets) socket.destroy()
	await new Promise(resolve => silent.close(resolve))
})
