import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { directContext } from '@roundhouse/kit/testing'
import { connect } from '../connect.ts'
import { call } from './fixture.ts'

export interface ScriptedAnswer {
	readonly status?: number
	readonly headers?: Readonly<Record<string, string | readonly string[]>>
	readonly body: unknown
}

/** A cluster that gives one answer to everything but the question who it is, and a connection to it. For tests. */
export async function scriptedEngine({ status = 200, headers = {}, body }: ScriptedAnswer) {
	const product = { version: { number: '8.19.1' }, tagline: 'You Know, for Search' }
	const server = createServer((request, response) => {
		request.resume()
		const isAnswer = request.url !== '/'
		response.writeHead(isAnswer ? status : 200, {
			'x-elastic-product': 'Elasticsearch',
			'content-type': 'application/json',
			...(isAnswer && (headers as Record<string, string | string[]>)),
		})
		response.end(JSON.stringify(isAnswer ? body : product))
	})
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	const hosts = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
	const connection = await connect({ hosts, auth: 'none' }, directContext(), call())
	return {
		connection,
		async [Symbol.asyncDispose]() {
			await connection.close()
			server.closeAllConnections()
			await new Promise(resolve => server.close(resolve))
		},
	}
}
