import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { protocolVersion } from './mcp/answers.ts'

/**
 * Costs of a call at the endpoint as it ships, compared with a bare JSON echo on node:http and with the server of the
 * official SDK, which give the same results. Each server runs in a separate process and is warmed up before each
 * measurement. Rounds are interleaved, and the median counts: of the rates, and of the ratios within a round.
 */

const kinds = ['echo', 'roundhouse', 'sdk'] as const
type Kind = (typeof kinds)[number]
const methods = ['tools/call', 'tools/list'] as const
type Method = (typeof methods)[number]
const connectionCounts = [1, 10, 64]
const rounds = 5
const warmUpSeconds = 1
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

/** @param results the results to repeat, by method, for servers without their own */
async function start(kind: Kind, results?: object): Promise<Server> {
	const child = fork(join(import.meta.dirname, 'mcp', 'server.ts'), [kind])
	const ended = once(child, 'exit').then(([code]) => {
		throw new Error(`The server ${kind} ended with ${code} before it listened.`)
	})
	const listening = Promise.race([once(child, 'message'), ended])
	if (results) child.send({ results })
	const [message] = (await listening) as [{ listening: { url: string; token?: string } }]
	return { kind, child, url: message.listening.url, token: message.listening.token }
}

async function cpuOf({ child }: Server): Promise<number> {
	child.send('cpu')
	const [{ cpu }] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage }]
	return cpu.user + cpu.system
}

function requestOf({ url, token }: Server, method: Method) {
	const name = method === 'tools/call' ? 'list_connections' : undefined
	const meta = {
		'io.modelcontextprotocol/protocolVersion': protocolVersion,
		'io.modelcontextprotocol/clientCapabilities': {},
		'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
	}
	const params = { ...(name && { name, arguments: {} }), _meta: meta }
	return {
		url,
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			accept: 'application/json, text/event-stream',
			'mcp-protocol-version': protocolVersion,
			'mcp-method': method,
			...(name && { 'mcp-name': name }),
			...(token && { authorization: `Bearer ${token}` }),
		},
		body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
	} as const
}

async function resultOf(server: Server, method: Method): Promise<unknown> {
	const { url, ...init } = requestOf(server, method)
	const answer = (await (await fetch(url, init)).json()) as { result: unknown }
	return answer.result
}

async function measure(server: Server, method: Method, connections: number): Promise<Measured> {
	const load = { ...requestOf(server, method), connections }
	await autocannon({ ...load, duration: warmUpSeconds })
	const before = await cpuOf(server)
	const result = await autocannon({ ...load, duration: secondsARun })
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

async function compare(servers: readonly Server[], method: Method, connections: number): Promise<void> {
	const runs = new Map<Kind, Measured[]>(kinds.map(kind => [kind, []]))
	for (let round = 0; round < rounds; round++) {
		for (const server of servers) runs.get(server.kind)?.push(await measure(server, method, connections))
	}
	const all = (kind: Kind, key: keyof Measured) => (runs.get(kind) ?? []).map(run => run[key])
	const of = (kind: Kind, key: keyof Measured) => median(all(kind, key))
	const ofEcho = (kind: Kind, key: keyof Measured) => {
		const echo = all('echo', key)
		return median(all(kind, key).map((value, round) => value / (echo[round] ?? 1)))
	}
	for (const kind of kinds) {
		const cells = [
			method,
			String(connections),
			kind,
			of(kind, 'perSecond').toFixed(0),
			ofEcho(kind, 'perSecond').toFixed(2),
			of(kind, 'cpuMicroseconds').toFixed(0),
			ofEcho(kind, 'cpuMicroseconds').toFixed(2),
			`${of(kind, 'p50')} / ${of(kind, 'p99')}`,
		]
		console.log(`| ${cells.join(' | ')} |`)
	}
}

export async function bench(): Promise<void> {
	const roundhouse = await start('roundhouse')
	const results = Object.fromEntries(
		await Promise.all(methods.map(async method => [method, await resultOf(roundhouse, method)])),
	)
	const servers = [await start('echo', results), roundhouse, await start('sdk', results)]
	const bytes = methods.map(method => `${method} ${JSON.stringify(results[method]).length} bytes`)
	console.log(`Node ${process.versions.node}; results: ${bytes.join(', ')}\n`)
	console.log('| method | connections | server | req/s | of echo | CPU µs/req | of echo | p50 / p99 ms |')
	console.log('| - | - | - | - | - | - | - | - |')
	for (const connections of connectionCounts) await compare(servers, 'tools/call', connections)
	await compare(servers, 'tools/list', 10)
	for (const { child } of servers) child.disconnect()
}
