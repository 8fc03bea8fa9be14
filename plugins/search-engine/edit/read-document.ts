import { DriverError, isJsonObject, type JsonObject } from '@roundhouse/kit'
import type { RowKey } from '../grid/row-id.ts'
import { readObject } from '../hits/read-hits.ts'
import { EngineError } from '../transport/engine-error.ts'
import type { Reply } from '../transport/reply.ts'
import { pathOf } from '../transport/request-path.ts'
import type { Transport } from '../transport/transport.ts'

/** A document with its metadata, as the engine answered. */
export interface ReadDocument {
	readonly answer: JsonObject
	/** The same as text. */
	readonly text: string
}

/**
 * Reads a document by id instead of by search: the latest state, refreshed or not.
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
	const reply = await askForDocument(transport, key, { signal, parameters })
	const answer = reply.status === 200 ? reply.json() : undefined
	if (isJsonObject(answer) && answer.found === true) return { answer, text: reply.text }
	throw whyNotFound(transport, key, reply)
}

/** Reads like {@link readDocument}, but keeps the document as bytes, so that one of many megabytes is not parsed. */
export async function readRawDocument(
	transport: Transport,
	key: RowKey,
	signal: AbortSignal,
): Promise<{ readonly meta: JsonObject; readonly source: Uint8Array }> {
	const reply = await askForDocument(transport, key, { signal })
	const answer = reply.status === 200 ? readObject(reply) : undefined
	if (answer?.value('found') !== true) throw whyNotFound(transport, key, reply)
	const place = answer.place('_source')
	const around = answer.names.filter(name => name !== '_source' && name !== 'found')
	return {
		meta: answer.values(...around),
		source: place ? answer.scanner.bytes.subarray(...place) : Buffer.from('null'),
	}
}

function askForDocument(
	transport: Transport,
	key: RowKey,
	{ signal, parameters = [] }: { readonly signal: AbortSignal; readonly parameters?: readonly string[] | undefined },
): Promise<Reply> {
	const path = pathOf(key.index, '_doc', key.id)
	const routing = key.routing === undefined ? [] : [`routing=${encodeURIComponent(key.routing)}`]
	const search = [...routing, ...parameters].join('&')
	return transport.exchange({ method: 'GET', path, search, isRead: true }, signal)
}

function whyNotFound(transport: Transport, key: RowKey, reply: Reply): DriverError {
	const answer = reply.status === 200 || reply.status === 404 ? reply.json() : undefined
	if (isJsonObject(answer) && answer.found === false) {
		return new DriverError('not_found', `${key.index} no longer has a document with the _id "${key.id}".`)
	}
	return reply.status >= 300
		? transport.errorOf(reply)
		: new EngineError('query_failed', 'Invalid response.', { status: reply.status, type: '' })
}
