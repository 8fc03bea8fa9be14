import type { Assessment } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { connect } from '../connect.ts'
import type { SearchConnection } from '../connection.ts'
import { call, statement } from './fixture.ts'
import { elasticsearch, node, ok } from './mock-node.ts'

export interface ScriptedAnswer {
	readonly status?: number
	readonly headers?: Readonly<Record<string, string | string[]>>
	readonly body: unknown
}

/**
 * Starts a node that identifies itself and gives one answer to all other requests, and a connection to it. For tests.
 */
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

/** Answers by the start of a request's method and path. All other requests find no index. */
export type Answers = Readonly<Record<string, readonly [status: number, body: unknown]>>

/** Opens a connection to an engine with some answers, for one piece of work. */
export async function withEngine<T>(answers: Answers, work: (connection: SearchConnection) => Promise<T>): Promise<T> {
	await using server = await node((request, response) => {
		if (request.url === '/') return ok(response)
		const found = Object.entries(answers).find(([start]) => `${request.method} ${request.url}`.startsWith(start))
		const [status, body] = found?.[1] ?? [404, { error: { type: 'index_not_found_exception', reason: 'x' } }]
		response.writeHead(status, elasticsearch).end(JSON.stringify(body))
	})
	const connection = await connect({ hosts: server.host, auth: 'none' }, directContext(), call())
	try {
		return await work(connection)
	} finally {
		await connection.close()
	}
}

/** Answers to the look-ups of a by-query request on one index that has this many matches. */
export function matches(index: string, value: number): Answers {
	const buckets = value === 0 ? [] : [{ key: index, doc_count: value }]
	const found = {
		timed_out: false,
		_shards: { failed: 0 },
		hits: { total: { value, relation: 'eq' }, hits: [] },
		aggregations: { indices: { sum_other_doc_count: 0, buckets } },
	}
	return {
		[`POST /${index}/_search`]: [200, found],
		[`GET /${index}/_settings`]: [200, { [index]: { settings: { index: { uuid: 'u' } } } }],
		[`GET /${index}/_mapping`]: [200, {}],
		[`GET /${index}/_alias`]: [200, {}],
	}
}

/** Returns the message for the user about a request, if the engine answers so. */
export function assessedBy(answers: Answers, text: string): Promise<Assessment | undefined> {
	return withEngine(answers, async connection => connection.console.assess?.(statement(connection, text), call()))
}
