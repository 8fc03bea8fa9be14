import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'

/** HTTP as a client sends it, without helpers that could hide a fault of the endpoint. */

export interface Sent {
	readonly method?: string
	readonly path?: string
	readonly headers?: OutgoingHttpHeaders
	readonly body?: string | Buffer
}

export interface Received {
	readonly status: number
	readonly headers: IncomingHttpHeaders
	readonly text: string
	/** The body, or the last frame of a stream. */
	// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
	readonly json: any
	/** The messages of a stream. */
	// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
	readonly frames: readonly any[]
}

const separately = new Agent({ keepAlive: false })

/** @param agent default: each request has a connection that no other request uses */
export function send(port: number, sent: Sent, agent = separately): Promise<Received> {
	const { promise, resolve, reject } = Promise.withResolvers<Received>()
	const outgoing = request(
		{
			port,
			host: '127.0.0.1',
			agent,
			method: sent.method ?? 'POST',
			path: sent.path ?? '/mcp',
			headers: sent.headers ?? {},
		},
		incoming => {
			const chunks: Buffer[] = []
			incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
			incoming.on('error', reject)
			incoming.on('end', () => {
				const text = Buffer.concat(chunks).toString('utf8')
				resolve(read(incoming.statusCode ?? 0, incoming.headers, text))
			})
		},
	)
	outgoing.on('error', reject)
	outgoing.end(sent.body)
	return promise
}

function read(status: number, headers: IncomingHttpHeaders, text: string): Received {
	if (headers['content-type'] !== 'text/event-stream') {
		return { status, headers, text, json: text === '' ? undefined : JSON.parse(text), frames: [] }
	}
	const frames = text
		.split('\n\n')
		.filter(frame => frame.startsWith('data: '))
		.map(frame => JSON.parse(frame.slice(6)))
	return { status, headers, text, json: frames.at(-1), frames }
}

/** A response that is read as a stream; `close` drops it like a client that disconnects. */
export interface OpenStream extends Disposable {
	readonly status: number
	readonly headers: IncomingHttpHeaders
	/** Returns the next message, or `undefined` when the stream has ended. */
	// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
	next(): Promise<any>
	/** All text so far, including comments. */
	text(): string
	close(): void
}

export function openStream(port: number, sent: Sent): Promise<OpenStream> {
	const { promise, resolve, reject } = Promise.withResolvers<OpenStream>()
	const outgoing = request(
		{
			port,
			host: '127.0.0.1',
			agent: separately,
			method: 'POST',
			path: sent.path ?? '/mcp',
			headers: sent.headers ?? {},
		},
		incoming => {
			let text = ''
			let taken = 0
			let isEnded = false
			let wake = () => {}
			incoming.setEncoding('utf8')
			incoming.on('data', (chunk: string) => {
				text += chunk
				wake()
			})
			for (const event of ['end', 'error', 'close']) {
				incoming.on(event, () => {
					isEnded = true
					wake()
				})
			}
			const next = async () => {
				for (;;) {
					const end = text.indexOf('\n\n', taken)
					if (end >= 0) {
						const frame = text.slice(taken, end)
						taken = end + 2
						if (frame.startsWith('data: ')) return JSON.parse(frame.slice(6))
						continue
					}
					if (isEnded) return undefined
					await new Promise<void>(resolve => {
						wake = resolve
					})
				}
			}
			resolve({
				status: incoming.statusCode ?? 0,
				headers: incoming.headers,
				next,
				text: () => text,
				close: () => outgoing.destroy(),
				[Symbol.dispose]: () => outgoing.destroy(),
			})
		},
	)
	outgoing.on('error', reject)
	outgoing.end(sent.body)
	return promise
}

/** Writes bytes to a new socket and returns everything that it receives until the socket is closed. */
export function raw(port: number, bytes: string | Buffer): Promise<string> {
	const { promise, resolve } = Promise.withResolvers<string>()
	const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
	let text = ''
	socket.setEncoding('utf8')
	socket.on('data', (chunk: string) => {
		text += chunk
	})
	socket.on('error', () => {})
	socket.on('close', () => resolve(text))
	return promise
}
