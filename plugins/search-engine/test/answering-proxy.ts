import { createServer, request as forward, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from '@roundhouse/kit'
import { elasticsearch } from './mock-node.ts'

export interface FixedAnswer {
	readonly status: number
	readonly body: Json
}

/**
 * Starts a proxy that answers some requests itself and forwards all others. For tests.
 *
 * @param answerOf returns the answer to a request (`GET /path?query`), or `undefined` if the cluster behind answers it
 */
export async function answeringProxy(url: string, answerOf: (line: string, body: string) => FixedAnswer | undefined) {
	const { hostname, port } = new URL(url)
	const server = createServer(async (incoming, response) => {
		const { method = 'GET', headers, url: target = '/' } = incoming
		const body = await textOf(incoming)
		const answer = answerOf(`${method} ${target}`, body)
		if (answer !== undefined) {
			response.writeHead(answer.status, elasticsearch).end(JSON.stringify(answer.body))
			return
		}
		// As options, because a URL would lose the id `..`.
		const onward = forward({ hostname, port, path: target, method, headers }, real => {
			response.writeHead(real.statusCode ?? 500, real.headers)
			real.pipe(response)
		})
		// The cluster behind has closed the connection.
		onward.on('error', () => response.destroy())
		onward.end(body)
	})
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	return {
		hosts: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		/** Closes all connections, as a node does that restarts. */
		drop: () => server.closeAllConnections(),
		async [Symbol.asyncDispose]() {
			server.closeAllConnections()
			await new Promise(resolve => server.close(resolve))
		},
	}
}

async function textOf(incoming: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = []
	for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
	return Buffer.concat(chunks).toString('utf8')
}
