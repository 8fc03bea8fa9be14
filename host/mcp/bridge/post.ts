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
	/** Called for each notification of the answer, when it arrives. */
	readonly onNotification: (line: string) => void
}

/**
 * Sends one request to the endpoint. @returns the JSON-RPC answer, for any HTTP status
 * @throws NotConnectedError if nothing was sent; Error of the socket
 */
export function post({ host, bridgeId, headers, body, signal, onNotification }: Post): Promise<string> {
	const { promise, resolve, reject } = Promise.withResolvers<string>()
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
		answer => void readAnswer(answer, onNotification).then(resolve, reject),
	)
	outgoing.on('error', reject)
	outgoing.end(body)
	return promise
}

async function readAnswer(response: IncomingMessage, onNotification: (line: string) => void): Promise<string> {
	let answer = ''
	response.setEncoding('utf8')
	if (response.headers['content-type'] === 'text/event-stream') {
		// Loaded on demand for a fast start: the first answer is not a stream.
		const { createParser } = await import('eventsource-parser')
		const take = (frame: string) => {
			if ('method' in JSON.parse(frame)) onNotification(asLine(frame))
			else answer = frame
		}
		const parser = createParser({ onEvent: ({ data }) => take(data) })
		for await (const chunk of response) parser.feed(chunk)
	} else {
		answer = await text(response)
	}
	if (answer.startsWith('{')) return asLine(answer)
	throw new Error(`Roundhouse answered with HTTP ${response.statusCode} and nothing else.`)
}

/** On stdio a message is one line. A line break within JSON is only whitespace. */
const asLine = (message: string) => message.replaceAll('\n', ' ')
