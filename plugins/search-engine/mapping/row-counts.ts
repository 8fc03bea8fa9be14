import { DriverError, isJsonObject, type Json } from '@roundhouse/kit'
import { numberOf, objectOf } from '../transport/answer.ts'
import type { Transport } from '../transport/transport.ts'

/** With more indices than this, nothing is counted, because the engine caps the buckets of one answer. */
const maxIndices = 10_000

/** Longest wait of the list of names for the counts. */
const timeoutMs = 3_000

/**
 * Returns the number of documents by index, as the grid counts them, because `_cat` also counts the elements of nested
 * arrays. One search for all indices. Returns `undefined` if the cluster does not answer it completely and in time, or
 * rejects it.
 */
export async function rowCounts(
	transport: Transport,
	signal: AbortSignal,
): Promise<ReadonlyMap<string, number> | undefined> {
	const soon = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
	const body = { size: 0, track_total_hits: false, aggs: { rows: { terms: { field: '_index', size: maxIndices } } } }
	const search =
		'ignore_unavailable=true&expand_wildcards=open&timeout=2s&filter_path=timed_out,_shards.failed,aggregations'
	try {
		const reply = await transport.send({ method: 'POST', path: '/_search', search, body, isRead: true }, soon)
		return readBuckets(reply.json())
	} catch (error) {
		if (error instanceof DriverError && !signal.aborted) return undefined
		throw error
	}
}

function readBuckets(answer: Json): ReadonlyMap<string, number> | undefined {
	if (!isJsonObject(answer) || answer.timed_out === true) return undefined
	if (isJsonObject(answer._shards) && answer._shards.failed !== 0) return undefined
	const rows = objectOf(objectOf(answer.aggregations).rows)
	if (rows.sum_other_doc_count !== 0 || !Array.isArray(rows.buckets)) return undefined
	const counts = rows.buckets
		.filter(isJsonObject)
		.map(({ key, doc_count: count }) => [String(key), numberOf(count)] as const)
	// The host rejects other counts and would end the driver with all its connections.
	return new Map(counts.filter(([, count]) => count >= 0 && Number.isFinite(count)))
}
