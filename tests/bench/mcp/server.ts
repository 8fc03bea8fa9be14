import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startBenchEndpoint } from './endpoint.ts'

/**
 * One server of the benchmark in a separate process: `node server.ts echo|roundhouse|sdk`. Sends its address, and its
 * CPU time on request. `echo` and `sdk` first receive the results of the endpoint, so that all answers are of equal
 * size.
 */

/** Results of the endpoint by method. */
type Results = Readonly<Record<'tools/call' | 'tools/list', object>>

interface Listening {
	readonly url: string
	readonly token?: string
}

async function results(): Promise<Results> {
	const [message] = (await once(process, 'message')) as [{ results: Results }]
	return message.results
}

const servers: Readonly<Record<string, () => Promise<Listening>>> = {
	echo: async () => {
		const known = await results()
		return listen(async (request, response) => {
			const { id, method } = JSON.parse(await read(request)) as { id: number; method: keyof Results }
			const text = JSON.stringify({ jsonrpc: '2.0', id, result: known[method] })
			response
				.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
				.end(text)
		})
	},
	roundhouse: startBenchEndpoint,
	sdk: async () => {
		const { createMcpHandler, Server } = await import('@modelcontextprotocol/server')
		const known = await results()
		const handler = createMcpHandler(() => {
			const server = new Server({ name: 'sdk', version: '1' }, { capabilities: { tools: {} } })
			server.setRequestHandler('tools/list', async () => known['tools/list'] as never)
			server.setRequestHandler('tools/call', async () => known['tools/call'] as never)
			return server
		})
		return listen(async (request, response) => {
			const answer = await handler.fetch(
				new Request(`http://localhost${request.url}`, {
					method: 'POST',
					headers: request.headers as Record<string, string>,
					body: await read(request),
				}),
			)
			response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
		})
	},
}

async function listen(listener: RequestListener): Promise<Listening> {
	const server = createServer(listener).listen(0, '127.0.0.1')
	await once(server, 'listening')
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` }
}

async function read(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = []
	for await (const chunk of request) chunks.push(chunk)
	return Buffer.concat(chunks).toString('utf8')
}

const start = servers[process.argv[2] ?? '']
if (!start) throw new Error(`Name a server: ${Object.keys(servers).join(', ')}.`)
process.on('disconnect', () => process.exit(0))
process.send?.({ listening: await start() })
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }))
