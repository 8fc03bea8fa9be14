import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { Roundhouse } from '../support/roundhouse.ts'

/**
 * Bridges of legacy clients as real processes: over restarts of the host, and many at once. `ROUNDHOUSE_RESTARTS` and
 * `ROUNDHOUSE_BRIDGES` set other numbers than those of a test run.
 */

const restarts = Number(process.env.ROUNDHOUSE_RESTARTS ?? 4)
const count = Number(process.env.ROUNDHOUSE_BRIDGES ?? 6)

const pidOf = async (roundhouse: Roundhouse) =>
	Number(JSON.parse(await readFile(join(roundhouse.home, 'mcp-handshake.json'), 'utf8')).pid)

/** A legacy client of a bridge. */
class LegacyProgram {
	readonly bridge: ChildProcess
	readonly #waiting = new Map<number, (answer: Answer) => void>()
	#last = 0

	constructor(roundhouse: Roundhouse) {
		this.bridge = roundhouse.spawn(['mcp'])
		roundhouse.onDispose(() => this.bridge.kill())
		this.bridge.stderr?.resume()
		if (!this.bridge.stdout) throw new Error('The bridge has no output.')
		createInterface({ input: this.bridge.stdout }).on('line', line => {
			const answer: Answer = JSON.parse(line)
			this.#waiting.get(answer.id)?.(answer)
		})
	}

	request(method: string, params: object = {}): Promise<Answer> {
		const id = ++this.#last
		const { promise, resolve } = Promise.withResolvers<Answer>()
		this.#waiting.set(id, resolve)
		this.bridge.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
		return promise
	}

	initialize(): Promise<Answer> {
		const clientInfo = { name: 'old', version: '1' }
		return this.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
	}

	async end(): Promise<void> {
		const exited = once(this.bridge, 'exit')
		this.bridge.stdin?.end()
		await exited
	}
}

interface Answer {
	readonly id: number
	readonly result?: { readonly structuredContent?: unknown }
	readonly error?: { readonly message: string }
}

test(`eight calls at once over ${restarts} restarts of the host lose no answer`, {
	timeout: 60_000 + restarts * 10_000,
}, async () => {
	await using roundhouse = await Roundhouse.make()
	const client = new LegacyProgram(roundhouse)
	await client.initialize()
	let isOver = false
	const failed: Answer[] = []
	let answered = 0
	const call = async () => {
		while (!isOver) {
			const answer = await client.request('tools/call', { name: 'list_connections', arguments: {} })
			if (answer.result?.structuredContent) answered++
			else failed.push(answer)
		}
	}
	const calls = Array.from({ length: 8 }, call)
	for (let round = 0; round < restarts; round++) {
		const before = answered
		await expect.poll(() => answered).toBeGreaterThan(before + 20)
		process.kill(await pidOf(roundhouse), round % 2 === 0 ? 'SIGKILL' : 'SIGTERM')
		// Calls meet the time without a host.
		await sleep(50)
	}
	const before = answered
	await expect.poll(() => answered).toBeGreaterThan(before + 20)
	isOver = true
	await Promise.all(calls)
	expect(failed).toEqual([])
	const host = await pidOf(roundhouse)
	await client.end()
	process.kill(host, 'SIGTERM')
	await expect.poll(() => pidOf(roundhouse).catch(() => 0)).toBe(0)
})

/** Returns how many hosts of this support directory run. */
async function hostsOf(roundhouse: Roundhouse): Promise<number> {
	const { stdout } = await promisify(execFile)('ps', ['eww', '-eo', 'args'])
	return stdout.split('\n').filter(line => line.includes(' serve ') && line.includes(roundhouse.home)).length
}

test(`${count} bridges that start at once connect to one host, cold and warm`, {
	timeout: 60_000 + count * 2_000,
}, async () => {
	await using roundhouse = await Roundhouse.make()
	const connect = async () => {
		const startedAt = performance.now()
		const clients = Array.from({ length: count }, () => new LegacyProgram(roundhouse))
		const times = await Promise.all(
			clients.map(async client => {
				expect((await client.initialize()).error).toBeUndefined()
				return Math.round(performance.now() - startedAt)
			}),
		)
		if (process.env.ROUNDHOUSE_BRIDGES) console.log(`connected after ${times.sort((a, b) => a - b).join(' ')} ms`)
		return clients
	}
	const cold = await connect()
	const host = await pidOf(roundhouse)
	const warm = await connect()
	await expect.poll(() => hostsOf(roundhouse)).toBe(1)
	expect(await pidOf(roundhouse)).toBe(host)
	await Promise.all([...cold, ...warm].map(client => client.end()))
	process.kill(host, 'SIGTERM')
	await expect.poll(() => pidOf(roundhouse).catch(() => 0)).toBe(0)
})
