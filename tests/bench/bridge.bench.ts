import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Roundhouse } from '../support/roundhouse.ts'

/**
 * Measures how long a client waits for the bridge, from the start of the program to its first answer, while a host
 * runs. The references are an empty Node program and the same launcher without work. The limit is 150 ms more than
 * Node's start.
 */

const rounds = 15
const limitMs = 150

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

/** Measures until the first line on stdout. Closing stdin then ends the program. */
async function untilAnswer(child: ChildProcess): Promise<number> {
	child.stdin?.write(`${discover}\n`)
	await once(child.stdout ?? child, 'data')
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
}
