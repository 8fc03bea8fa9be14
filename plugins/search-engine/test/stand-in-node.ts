import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'

/** Servers that answer as a test requires, where a real engine could not. */

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const root = JSON.stringify({ version: { number: '8.13.4' }, tagline: 'You Know, for Search' })
export const elasticsearch = { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' }

export function ok(response: ServerResponse, body: string = root) {
	response.writeHead(200, elasticsearch).end(body)
}

/** Starts a node that answers with the handler, and records its requests. */
export async function node(handler: Handler) {
	const seen: { readonly line: string; readonly headers: IncomingMessage['headers'] }[] = []
	const server = createServer((request, response) => {
		seen.push({ line: `${request.method} ${request.url}`, headers: request.headers })
		request.resume().on('end', () => handler(request, response))
	})
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
	return {
		host,
		seen,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections()
			await new Promise(resolve => server.close(resolve))
		},
	}
}

/** Returns a port where nothing listens. */
export async function deadHost(): Promise<string> {
	const server = createTcpServer()
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	const { port } = server.address() as AddressInfo
	await new Promise(resolve => server.close(resolve))
	return `127.0.0.1:${port}`
}

/** Returns the error that a call ends with. */
export async function failure(promise: Promise<unknown>) {
	const error = await promise.then(
		() => undefined,
		(reason: unknown) => reason,
	)
	if (!(error instanceof Error)) throw new Error('it did not fail')
	return error as Error & { code: string }
}
