import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { endpointPath } from '../wire/handshake-file.ts'
import { bridgeHeader } from '../wire/headers.ts'
import type { Host } from './find-host.ts'

export interface Post {
	readonly host: Host
	readonly bridgeId: string
	readonly headers: Readonly<Record<string, string>>
	readonly body: string
	readonly signal: AbortSignal
	/** Called for each JSON-RPC message of the answer, when it arrives. */
	onMessage(line: string): void
}

export interface Posted {
	readonly status: number
	readonly sessionId: string | undefined
	/** Seconds until a retry, if the host is at its rate limit. */
	readonly retryAfter: number | undefined
	/** Number of received messages. */
	readonly messages: number
}

/** Sends one message to the endpoint and forwards the answer, for any HTTP status. @throws Error of the socket */
export function post({ host, bridgeId, headers, body, signal, onMessage }: Post): Promise<Posted> {
	const { promise, resolve, reject } = Promise.withResolvers<Posted>()
	const outgoing = request(
		{
			host: '127.0.0.1',
			port: host.port,
			path: endpointPath,
			method: 'POST',
			agent: host.agent,
			signal,
			headers: {
				'Content-Type': 'application/json',
				Accept: 'application/json, text/event-stream',
				Authorization: `Bearer ${host.token}`,
				[bridgeHeader]: bridgeId,
				'Content-Length': Buffer.byteLength(body),
				...headers,
			},
		},
		answer => {
			readAnswer(answer, onMessage).then(messages => {
				const sessionId = answer.headers['mcp-session-id']
				const retryAfter = Number(answer.headers['retry-after'])
				resolve({
					status: answer.statusCode ?? 0,
					sessionId: typeof sessionId === 'string' ? sessionId : undefined,
					retryAfter: answer.statusCode === 429 && retryAfter > 0 ? retryAfter : undefined,
					messages,
				})
			}, reject)
		},
	)
	outgoing.on('error', reject)
	outgoing.end(body)
	return promise
}

async function readAnswer(answer: IncomingMessage, onMessage: (line: string) => void): Promise<number> {
	let messages = 0
	const take = (message: string) => {
		messages++
		// On stdio a message is one line. A line break within JSON is only whitespace.
		onMessage(message.replaceAll('\n', ' '))
	}
	answer.setEncoding('utf8')
	if (answer.headers['content-type'] === 'text/event-stream') {
		// Loaded on demand for a fast start: the first answer is not a stream.
		const { createParser } = await import('eventsource-parser')
		const parser = createParser({ onEvent: ({ data }) => take(data) })
		for await (const chunk of answer) parser.feed(chunk)
	} else {
		const body = await text(answer)
		if (body.startsWith('{')) take(body)
	}
	return messages
}
