import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { JsonObject } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { isRunning } from '../support/process.ts'
import { Roundhouse } from '../support/roundhouse.ts'
import { modernMeta } from './bridge-client.ts'

/** The bridge as clients start it: `roundhouse mcp`, a separate program, with a host that it finds or starts. */

function clientOf(bridge: ChildProcess) {
	if (!bridge.stdout) throw new Error('The bridge has no output.')
	const lines = createInterface({ input: bridge.stdout })[Symbol.asyncIterator]()
	return async (method: string, params: JsonObject = {}) => {
		const message = { jsonrpc: '2.0', id: method, method, params: { ...params, _meta: modernMeta } }
		bridge.stdin?.write(`${JSON.stringify(message)}\n`)
		const { value, done } = await lines.next()
		return done ? undefined : JSON.parse(value)
	}
}

const pidOf = async (roundhouse: Roundhouse) =>
	Number(JSON.parse(await readFile(join(roundhouse.home, 'mcp-handshake.json'), 'utf8')).pid)

test('the bridge starts the host, survives its crash, and ends with its input', async () => {
	await using roundhouse = await Roundhouse.make()
	const bridge = roundhouse.spawn(['mcp'])
	let host = 0
	roundhouse.onDispose(() => {
		bridge.kill()
		if (host > 0 && isRunning(host)) process.kill(host, 'SIGKILL')
	})
	let complaints = ''
	bridge.stderr?.on('data', data => {
		complaints += data
	})
	const call = clientOf(bridge)
	const listed = await call('tools/list')
	expect(listed.result.tools.length).toBeGreaterThan(5)

	const first = await pidOf(roundhouse)
	host = first
	expect(first).not.toBe(bridge.pid)
	process.kill(first, 'SIGKILL')
	await expect.poll(() => isRunning(first)).toBe(false)
	const again = await call('tools/call', { name: 'list_connections', arguments: {} })
	expect(again.result.structuredContent).toEqual({ connections: [] })
	const second = await pidOf(roundhouse)
	host = second
	expect(second).not.toBe(first)

	bridge.stdin?.end()
	const [code] = await once(bridge, 'exit')
	expect([code, complaints]).toEqual([0, ''])
	// The host outlives the bridge that started it, for the next bridge.
	expect(isRunning(second)).toBe(true)
	process.kill(second, 'SIGTERM')
	await expect.poll(() => isRunning(second)).toBe(false)
})
