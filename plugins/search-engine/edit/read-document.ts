import { DriverError, isJsonObject, type JsonObject } from '@roundhouse/kit'
import type { RowKey } from '../grid/row-id.ts'
import { EngineError } from '../transport/engine-error.ts'
import { pathOf } from '../transport/request-path.ts'
import type { Transport } from '../transport/transport.ts'

/** A document with its metadata, as the engine answered. */
export interface ReadDocument {
	readonly answer: JsonObject
	/** The same as text. */
	readonly text: string
}

/**
 * Reads a document by its address, not by search: the latest state, refreshed or not.
 *
 * @param parameters further parameters
 * @throws DriverError `not_found`.
 */
export async function readDocument(
	transport: Transport,
	key: RowKey,
	signal: AbortSignal,
	parameters: readonly string[] = [],
): Promise<ReadDocument> {
	const path = pathOf(key.index, '_doc', key.id)
	const routing = key.routing === undefined ? [] : [`routing=${encodeURIComponent(key.routing)}`]
	const search = [...routing, ...parameters].join('&')
	const reply = await transport.exchange({ method: 'GET', path, search, isRead: true }, signal)
	const answer = reply.status === 200 || reply.status === 404 ? reply.json() : undefined
	if (isJsonObject(answer) && answer.found === true) return { answer, text: reply.text }
	if (isJsonObject(answer) && answer.found === false) {
		throw new DriverError('not_found', `${key.index} has no document with the _id "${key.id}" any more.`)
	}
	throw reply.status >= 300
		? transport.errorOf(reply)
		: new EngineError('query_failed', 'Invalid response.', reply.status, '')
}
