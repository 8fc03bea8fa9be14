import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Listen, stringifyJson } from '@roundhouse/kit'
import type { Cluster } from '../store/cluster.ts'
import { filterPath } from './filter-path.ts'
import { answer, type SampleAnswer, type SampleRequest } from './routes.ts'

export interface RunningServer {
	readonly url: string
	close(): Promise<void>
}

const maxBodyBytes = 100 * 1024 * 1024

/** Serves a cluster on loopback, on `port` if that is free. */
export async function serve(cluster: Cluster, listen: Listen, port = 0): Promise<RunningServer> {
	const server = createServer((request, response) => {
		handle(cluster, request, response).catch(error => {
			response.writeHead(500, { 'content-type': 'application/json' })
			response.end(JSON.stringify({ error: { type: 'exception', reason: String(error) }, status: 500 }))
		})
	})
	const sockets = new Set<Socket>()
	const listener = await listen(
		socket => {
			sockets.add(socket)
			socket.once('close', () => sockets.delete(socket))
			server.emit('connection', socket)
		},
		{ port },
	)
	return {
		url: `http://127.0.0.1:${listener.port}`,
		close: async () => {
			await listener.close()
			for (const socket of sockets) socket.destroy()
		},
	}
}

async function handle(cluster: Cluster, message: IncomingMessage, response: ServerResponse) {
	const request = await readRequest(message)
	const reply = request === undefined ? unreadable() : answer(cluster, request)
	const pattern = request?.parameters.get('filter_path')
	// Errors are always complete.
	const isWhole = pattern === undefined || reply.isText || reply.status >= 400
	const body = isWhole ? reply.body : filterPath(reply.body, pattern)
	const text = reply.isText ? String(body) : stringifyJson(body, request?.parameters.has('pretty') ? 2 : undefined)
	response.writeHead(reply.status, {
		...(hasProductHeader(cluster.version) && { 'x-elastic-product': 'Elasticsearch' }),
		'content-type': reply.isText ? 'text/plain; charset=UTF-8' : 'application/json',
		'content-length': Buffer.byteLength(text),
	})
	response.end(message.method === 'HEAD' ? undefined : text)
}

/** 7.14 was the first version to send it. */
function hasProductHeader(version: string): boolean {
	const [major = 0, minor = 0] = version.split('.').map(Number)
	return major > 7 || (major === 7 && minor >= 14)
}

async function readRequest(message: IncomingMessage): Promise<SampleRequest | undefined> {
	const chunks: Buffer[] = []
	let size = 0
	for await (const chunk of message as AsyncIterable<Buffer>) {
		size += chunk.length
		if (size > maxBodyBytes) return undefined
		chunks.push(chunk)
	}
	const [path = '/', search = ''] = (message.url ?? '/').split(/\?(.*)/s)
	try {
		const segments = path
			.split('/')
			.filter(segment => segment !== '')
			.map(decodeURIComponent)
		// Like the engine, separates parameters at semicolons too.
		const parameters = new Map(new URLSearchParams(search.replaceAll(';', '&')))
		return { method: message.method ?? 'GET', segments, parameters, text: Buffer.concat(chunks).toString('utf8') }
	} catch {
		return undefined
	}
}

function unreadable(): SampleAnswer {
	const reason = 'the request cannot be read'
	return { status: 400, body: { error: { type: 'illegal_argument_exception', reason }, status: 400 } }
}
