import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { timeToHappen } from '../support/absence.ts'
import { overHttp, overStdio } from '../support/clients.ts'
import { Roundhouse } from '../support/roundhouse.ts'

/** A host that a bridge started ends after it is unused for a while, and not together with the bridge. */

/** As `roundhouse mcp` starts a host, tied to its starter, but with shorter timeouts. */
async function startTied(roundhouse: Roundhouse, seconds: number): Promise<ChildProcess> {
	const host = roundhouse.spawn(['serve', '--mcp-port', '0', '--ui-port', '0', '--while-used', String(seconds)])
	await once(host.stdout ?? host, 'data')
	host.stderr?.resume()
	return host
}
/** The host releases the lock as its last step. */
const hasEnded = (roundhouse: Roundhouse) => expect.poll(() => readdir(roundhouse.home)).not.toContain('lock')
const discover = JSON.stringify({
	jsonrpc: '2.0',
	id: 1,
	method: 'server/discover',
	params: {
		_meta: {
			'io.modelcontextprotocol/protocolVersion': '2026-07-28',
			'io.modelcontextprotocol/clientCapabilities': {},
		},
	},
})
const handshakeOf = async (roundhouse: Roundhouse) =>
	JSON.parse(await readFile(join(roundhouse.home, 'mcp-handshake.json'), 'utf8'))

test('the host runs as long as its starter, and ends after the starter was killed and no client has called for a while', async () => {
	await using roundhouse = await Roundhouse.make()
	const host = await startTied(roundhouse, 1)
	const exited = once(host, 'exit')
	// Longer than the timeout of a host without its starter.
	await timeToHappen(2500)
	expect(host.exitCode).toBeNull()
	host.stdin?.destroy()
	expect(await exited).toEqual([0, null])
	expect(await roundhouse.json(['token', 'list'])).toEqual([])
})

test('without its starter the host runs as long as a client holds a stream', async () => {
	await using roundhouse = await Roundhouse.make()
	const token = await roundhouse.addToken('read-only')
	const host = await startTied(roundhouse, 1)
	const exited = once(host, 'exit')
	const { port } = await handshakeOf(roundhouse)
	const client = await overHttp(`http://127.0.0.1:${port}/mcp`, token)
	const subscription = await client.listen({ resourcesListChanged: true })
	host.stdin?.destroy()
	await timeToHappen(3500)
	expect(host.exitCode).toBeNull()
	await subscription.close()
	await client.close()
	expect(await exited).toEqual([0, null])
})

test('the bridge starts such a host, and a later bridge reuses it and can start another', async () => {
	await using roundhouse = await Roundhouse.make()
	const first = await overStdio(roundhouse)
	const { pid } = await handshakeOf(roundhouse)
	const commandLine = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
	expect(commandLine).toContain('--while-used')
	const second = await overStdio(roundhouse)
	expect((await handshakeOf(roundhouse)).pid).toBe(pid)
	await first.close()
	expect((await second.listTools()).tools.length).toBeGreaterThan(0)
	process.kill(pid, 'SIGTERM')
	await hasEnded(roundhouse)
	const answer = await second.callTool({ name: 'list_connections', arguments: {} })
	expect(answer.structuredContent).toEqual({ connections: [] })
	const next = (await handshakeOf(roundhouse)).pid
	expect(next).not.toBe(pid)
	await second.close()
	process.kill(next, 'SIGTERM')
	await hasEnded(roundhouse)
})

test('many bridges on a fresh home start one host, and one more after it was killed', async () => {
	await using roundhouse = await Roundhouse.make()
	const bridges = Array.from({ length: 30 }, () => roundhouse.spawn(['mcp']))
	const answers = () =>
		Promise.all(
			bridges.map(async bridge => {
				bridge.stdin?.write(`${discover}\n`)
				const [line] = await once(bridge.stdout ?? bridge, 'data')
				return JSON.parse(String(line)).result?._meta?.['io.modelcontextprotocol/serverInfo']?.name
			}),
		)
	const names = bridges.map(() => 'roundhouse')
	expect(await answers()).toEqual(names)
	const { pid } = await handshakeOf(roundhouse)
	process.kill(pid, 'SIGKILL')
	expect(await answers()).toEqual(names)
	const next = (await handshakeOf(roundhouse)).pid
	expect(next).not.toBe(pid)
	// A host that finds another one ends with these words.
	expect(await readFile(join(roundhouse.home, 'host.log'), 'utf8')).not.toContain('Another Roundhouse')
	for (const bridge of bridges) bridge.stdin?.end()
	await Promise.all(bridges.map(bridge => bridge.exitCode ?? once(bridge, 'exit')))
	process.kill(next, 'SIGTERM')
	await hasEnded(roundhouse)
})
