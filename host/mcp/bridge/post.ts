import { type IncomingMessage, request } from 'node:http'
import { endpointPath } from '../wire/handshake-file.ts'
import { bridgeHeader } from '../wire/header-names.ts'
import type { Host } from './find-host.ts'

export interface Post {
	readonly host: Host
	readonly bridgeId: string
	readonly headers: Readonly<Record<string, string>>
	readonly body: string
	readonly signal: AbortSignal
	/** Each JSON-RPC message of the answer, as it comes. */
	onMessage(line: string): void
}

export interface Posted {
	readonly status: number
	readonly sessionId: string | undefined
	/** How many messages came. */
	readonly messages: number
}

/** Sends one message to the endpoint and hands on whatever comes back, whatever the HTTP status. @throws Error of the socket */
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
				resolve({
					status: answer.statusCode ?? 0,
					sessionId: typeof sessionId === 'string' ? sessionId : undefined,
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
	const isStream = answer.headers['content-type'] === 'text/event-stream'
	const separator = isStream ? '\n\n' : undefined
	let text = ''
	let messages = 0
	const take = (line: string) => {
		messages++
		onMessage(line)
	}
	answer.setEncoding('utf8')
	for await (const chunk of answer) {
		text += chunk
		if (separator === undefined) continue
		const frames = text.split(separator)
		text = frames.pop() ?? ''
		for (const frame of frames) if (frame.startsWith('data: ')) take(frame.slice(6))
	}
	if (!isStream && text.startsWith('{')) take(text.replaceAll('\n', ' '))
	return messages
}
