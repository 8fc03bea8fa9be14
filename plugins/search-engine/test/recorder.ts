import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { directContext } from '@roundhouse/kit/testing'
import { connect } from '../connect.ts'
import { call } from './fixture.ts'

interface Recorded {
	/** Method, path and query string. */
	readonly line: string
	readonly body?: unknown
}

/**
 * Starts a proxy in front of the cluster that records the driver's requests, and a connection through it. For tests.
 */
export async function recordRequests(url: string) {
	const requests: Recorded[] = []
	const server = createServer((incoming, outgoing) => {
		const chunks: Buffer[] = []
		incoming.on('data', chunk => chunks.push(chunk))
		incoming.on('end', () => {
			const text = Buffer.concat(chunks).toString('utf8')
			requests.push({ line: `${incoming.method} ${incoming.url}`, ...(text !== '' && { body: JSON.parse(text) }) })
			const { method = 'GET', headers, url: path = '/' } = incoming
			const onward = forward(`${url}${path}`, { method, headers }, answer => {
				outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
				answer.pipe(outgoing)
			})
			onward.end(text)
		})
	})
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	const hosts = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
	const connection = await connect({ hosts, auth: 'none' }, directContext(), call())
	return {
		connection,
		requests,
		clear() {
			requests.length = 0
		},
		async close() {
			await connection.close()
			server.closeAllConnections()
			await new Promise(resolve => server.close(resolve))
		},
	}
}
