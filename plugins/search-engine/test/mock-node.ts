import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'

/** Mock servers for responses that a test cannot get from a real engine. */

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const root = JSON.stringify({ version: { number: '8.13.4' }, tagline: 'You Know, for Search' })
export const elasticsearch = { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' }

export function ok(response: ServerResponse, body: string = root) {
	response.writeHead(200, elasticsearch).end(body)
}

/** Starts a node that answers with the handler, and records its requests. */
export async function node(handler: Handler) {
	const requests: { readonly line: string; readonly headers: IncomingMessage['headers'] }[] = []
	const server = createServer((request, response) => {
		requests.push({ line: `${request.method} ${request.url}`, headers: request.headers })
		request.resume().on('end', () => handler(request, response))
	})
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
	return {
		host,
		requests,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections()
			await new Promise(resolve => server.close(resolve))
		},
	}
}

/** Returns the address of a port on which no server listens. */
export async function unusedAddress(): Promise<string> {
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
	if (!(error instanceof Error)) throw new Error('expected the call to fail, but it succeeded')
	return error as Error & { code: string }
}
