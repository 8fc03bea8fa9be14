import { DriverError, isJsonObject, type JsonObject } from '@roundhouse/kit'
import type { RowKey } from '../grid/row-id.ts'
import { EngineError } from '../transport/engine-error.ts'
import { pathOf } from '../transport/request-path.ts'
import type { Transport } from '../transport/transport.ts'

/** Reads a document by its address, not by search: the latest state, refreshed or not. @throws DriverError `not_found`. */
export async function readDocument(transport: Transport, key: RowKey, signal: AbortSignal): Promise<JsonObject> {
	const path = pathOf(key.index, '_doc', key.id)
	const search = key.routing === undefined ? '' : `routing=${encodeURIComponent(key.routing)}`
	const reply = await transport.exchange({ method: 'GET', path, search, isRead: true }, signal)
	const answer = reply.status === 200 || reply.status === 404 ? reply.json() : undefined
	if (isJsonObject(answer) && answer.found === true) return answer
	if (isJsonObject(answer) && answer.found === false) {
		throw new DriverError('not_found', `${key.index} has no document with the _id "${key.id}" any more.`)
	}
	throw reply.status >= 300
		? transport.errorOf(reply)
		: new EngineError('query_failed', 'Invalid response.', reply.status, '')
}
