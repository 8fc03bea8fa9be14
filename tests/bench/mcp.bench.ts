import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { protocolVersion } from './mcp/answers.ts'

/**
 * Costs of a call at the endpoint, compared with a bare JSON echo on node:http and with the server of the official SDK.
 * Each server runs in a separate process. Rounds are interleaved, and the median counts.
 */

const kinds = ['echo', 'roundhouse', 'sdk'] as const
type Kind = (typeof kinds)[number]
const connectionCounts = [1, 10, 64]
const rounds = 3
const secondsARun = 2

interface Server {
	readonly kind: Kind
	readonly child: ChildProcess
	readonly url: string
	readonly token: string | undefined
}

interface Measured {
	readonly perSecond: number
	readonly cpuMicroseconds: number
	readonly p50: number
	readonly p99: number
}

async function start(kind: Kind): Promise<Server> {
	const child = fork(join(import.meta.dirname, 'mcp', 'server.ts'), [kind])
	const ended = once(child, 'exit').then(([code]) => {
		throw new Error(`The server ${kind} ended with ${code} before it listened.`)
	})
	const [message] = (await Promise.race([once(child, 'message'), ended])) as [
		{ listening: { url: string; token?: string } },
	]
	return { kind, child, url: message.listening.url, token: message.listening.token }
}

async function cpuOf({ child }: Server): Promise<number> {
	child.send('cpu')
	const [{ cpu }] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage }]
	return cpu.user + cpu.system
}

async function measure(server: Server, method: string, connections: number): Promise<Measured> {
	const name = method === 'tools/call' ? 'list_connections' : undefined
	const meta = {
		'io.modelcontextprotocol/protocolVersion': protocolVersion,
		'io.modelcontextprotocol/clientCapabilities': {},
		'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
	}
	const params = { ...(name && { name, arguments: {} }), _meta: meta }
	const before = await cpuOf(server)
	const result = await autocannon({
		url: server.url,
		method: 'POST',
		connections,
		duration: secondsARun,
		headers: {
			'content-type': 'application/json',
			accept: 'application/json, text/event-stream',
			'mcp-protocol-version': protocolVersion,
			'mcp-method': method,
			...(name && { 'mcp-name': name }),
			...(server.token && { authorization: `Bearer ${server.token}` }),
		},
		body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
	})
	const used = (await cpuOf(server)) - before
	const count = result['2xx']
	if (result.non2xx > 0 || count === 0) throw new Error(`${server.kind} answered ${result.non2xx} requests badly.`)
	return {
		perSecond: count / result.duration,
		cpuMicroseconds: used / count,
		p50: result.latency.p50,
		p99: result.latency.p99,
	}
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function compare(servers: readonly Server[], method: string, connections: number): Promise<void> {
	const runs = new Map<Kind, Measured[]>(kinds.map(kind => [kind, []]))
	for (let round = 0; round < rounds; round++) {
		for (const server of servers) runs.get(server.kind)?.push(await measure(server, method, connections))
	}
	const of = (kind: Kind, key: keyof Measured) => median((runs.get(kind) ?? []).map(run => run[key]))
	for (const kind of kinds) {
		const rate = of(kind, 'perSecond')
		const cells = [
			method,
			String(connections),
			kind,
			rate.toFixed(0),
			(rate / of('echo', 'perSecond')).toFixed(2),
			of(kind, 'cpuMicroseconds').toFixed(0),
			(of(kind, 'cpuMicroseconds') / of('echo', 'cpuMicroseconds')).toFixed(2),
			`${of(kind, 'p50')} / ${of(kind, 'p99')}`,
		]
		console.log(`| ${cells.join(' | ')} |`)
	}
}

export async function bench(): Promise<void> {
	const servers = await Promise.all(kinds.map(start))
	console.log('| method | connections | server | req/s | of echo | CPU µs/req | of echo | p50 / p99 ms |')
	console.log('| - | - | - | - | - | - | - | - |')
	for (const connections of connectionCounts) await compare(servers, 'tools/call', connections)
	await compare(servers, 'tools/list', 10)
	for (const { child } of servers) child.disconnect()
}
