import { directContext } from '@roundhouse/kit/testing'
import { connect } from '../connect.ts'
import { call } from './fixture.ts'
import { elasticsearch, node, ok } from './stand-in-node.ts'

export interface ScriptedAnswer {
	readonly status?: number
	readonly headers?: Readonly<Record<string, string | string[]>>
	readonly body: unknown
}

/** A node that gives one answer to everything but the question who it is, and a connection to it. For tests. */
export async function scriptedEngine({ status = 200, headers, body }: ScriptedAnswer) {
	const server = await node((request, response) => {
		if (request.url === '/') return ok(response)
		response.writeHead(status, { ...elasticsearch, ...headers }).end(JSON.stringify(body))
	})
	const connection = await connect({ hosts: server.host, auth: 'none' }, directContext(), call())
	return {
		connection,
		async [Symbol.asyncDispose]() {
			await connection.close()
			await server[Symbol.asyncDispose]()
		},
	}
}
