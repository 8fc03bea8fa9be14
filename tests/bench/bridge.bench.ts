import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Roundhouse } from '../support/roundhouse.ts'

/**
 * Measures how long a client waits for the bridge, from the start of the program to its first answer, while a host
 * runs. The references are an empty Node program and the same launcher without work. The limit is 150 ms more than
 * Node's start.
 */

const rounds = 15
const limitMs = 150
const many = 30
const manyLimitMs = 5_000

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

async function untilExit(child: ChildProcess): Promise<void> {
	child.stdout?.resume()
	await once(child, 'exit')
}

/** Sends a request, and waits for a line on stdout. */
async function ask(child: ChildProcess): Promise<void> {
	child.stdin?.write(`${discover}\n`)
	await once(child.stdout ?? child, 'data')
}

/** Measures until the first line on stdout. Closing stdin then ends the program. */
async function untilAnswer(child: ChildProcess): Promise<number> {
	await ask(child)
	const answeredAt = performance.now()
	child.stdin?.end()
	await untilExit(child)
	return answeredAt
}

async function timed(work: () => Promise<number | undefined>): Promise<number> {
	const startedAt = performance.now()
	const answeredAt = await work()
	return (answeredAt ?? performance.now()) - startedAt
}

const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b)
const at = (values: readonly number[], share: number) => sorted(values)[Math.floor((values.length - 1) * share)] ?? 0

/** Measures until the last of many bridges has its first answer, on a home without a host, and after the host was killed. */
async function manyAtOnce(): Promise<void> {
	await using roundhouse = await Roundhouse.make()
	const handshake = async () => JSON.parse(await readFile(join(roundhouse.home, 'mcp-handshake.json'), 'utf8'))
	const bridges: ChildProcess[] = []
	const all = () => timed(async () => void (await Promise.all(bridges.map(ask))))
	const fresh = await timed(async () => {
		for (let count = 0; count < many; count++) bridges.push(roundhouse.spawn(['mcp']))
		await all()
	})
	process.kill((await handshake()).pid, 'SIGKILL')
	const again = await all()
	for (const bridge of bridges) bridge.stdin?.end()
	await Promise.all(bridges.map(untilExit))
	process.kill((await handshake()).pid, 'SIGTERM')
	console.log(`\n${many} bridges at once, until the last has its first answer (limit ${manyLimitMs} ms):`)
	console.log(`${fresh.toFixed(0)} ms on a fresh home, ${again.toFixed(0)} ms after the host was killed.`)
}

export async function bench(): Promise<void> {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.serve(['--no-ui'])
	const node = () => timed(async () => void (await untilExit(spawn(process.execPath, ['-e', '0']))))
	const bridge = () => timed(() => untilAnswer(roundhouse.spawn(['mcp'])))
	await Promise.all([node(), bridge()])
	const times: { node: number[]; bridge: number[] } = { node: [], bridge: [] }
	for (let round = 0; round < rounds; round++) {
		times.node.push(await node())
		times.bridge.push(await bridge())
	}
	console.log('| program | median ms | p90 ms |')
	console.log('| - | - | - |')
	console.log(`| node -e 0 | ${at(times.node, 0.5).toFixed(0)} | ${at(times.node, 0.9).toFixed(0)} |`)
	console.log(
		`| roundhouse mcp, first answer | ${at(times.bridge, 0.5).toFixed(0)} | ${at(times.bridge, 0.9).toFixed(0)} |`,
	)
	const beyond = at(times.bridge, 0.5) - at(times.node, 0.5)
	console.log(`\nBeyond Node's own start: ${beyond.toFixed(0)} ms (limit ${limitMs} ms).`)
	await manyAtOnce()
}
