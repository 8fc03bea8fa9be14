import { DriverError, isJsonObject, type JsonObject } from '@roundhouse/kit'
import type { RowKey } from '../grid/row-id.ts'
import { readObject } from '../hits/read-hits.ts'
import { EngineError } from '../transport/engine-error.ts'
import type { Reply } from '../transport/reply.ts'
import { pathOf } from '../transport/request-path.ts'
import type { Transport } from '../transport/transport.ts'

/** The document is no longer the one that the user saw. A conflict, not a fault of the change. */
export class ChangedMeanwhile extends DriverError {}

interface ReadCluster {
	readonly transport: Transport
}

/** A document with its metadata, as the engine answered. */
export interface ReadDocument {
	readonly answer: JsonObject
	/** The same as text. */
	readonly text: string
}

/**
 * Reads a document by id instead of by search: the latest state, refreshed or not.
 *
 * @throws DriverError `not_found`.
 */
export async function readDocument(cluster: ReadCluster, key: RowKey, signal: AbortSignal): Promise<ReadDocument> {
	const reply = await askForDocument(cluster, key, signal)
	const answer = reply.status === 200 ? reply.json() : undefined
	if (isJsonObject(answer) && answer.found === true) return { answer, text: reply.text }
	throw whyNotFound(cluster.transport, key, reply)
}

/** Reads like {@link readDocument}, but keeps the document as bytes, so that one of many megabytes is not parsed. */
export async function readRawDocument(
	cluster: ReadCluster,
	key: RowKey,
	signal: AbortSignal,
): Promise<{ readonly meta: JsonObject; readonly source: Uint8Array }> {
	const reply = await askForDocument(cluster, key, signal)
	const answer = reply.status === 200 ? readObject(reply) : undefined
	if (answer?.value('found') !== true) throw whyNotFound(cluster.transport, key, reply)
	const place = answer.range('_source')
	const around = answer.names.filter(name => name !== '_source' && name !== 'found')
	return {
		meta: answer.values(...around),
		source: place ? answer.scanner.bytes.subarray(...place) : Buffer.from('null'),
	}
}

function askForDocument({ transport }: ReadCluster, key: RowKey, signal: AbortSignal): Promise<Reply> {
	const path = pathOf(key.index, '_doc', key.id)
	const search = key.routing === undefined ? '' : `routing=${encodeURIComponent(key.routing)}`
	return transport.exchange({ method: 'GET', path, search, isRead: true, isWhole: true }, signal)
}

function whyNotFound(transport: Transport, key: RowKey, reply: Reply): DriverError {
	const answer = reply.status === 200 || reply.status === 404 ? reply.json() : undefined
	if (isJsonObject(answer) && answer.found === false) {
		return new ChangedMeanwhile('not_found', `${key.index} has no document with the _id "${key.id}".`)
	}
	return reply.status >= 300
		? transport.errorOf(reply)
		: new EngineError('query_failed', 'Invalid response.', { status: reply.status, type: '' })
}
