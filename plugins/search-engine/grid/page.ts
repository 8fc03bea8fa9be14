import { type Count, isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { type Hit, type HitAnswer, readHits } from '../hits/read-hits.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { numberOf, objectOf, objectsOf } from '../transport/answer.ts'
import { EngineError } from '../transport/engine-error.ts'
import type { EngineRequest } from '../transport/engine-request.ts'
import { quoted } from '../transport/engine-words.ts'
import type { Reply } from '../transport/reply.ts'

/** Returns the members of a search that make the hits include the values of runtime fields. */
export function runtimeFields(mapping: Mapping): JsonObject {
	const names = [...mapping.fields.values()].filter(field => field.isRuntime).map(field => field.path)
	return names.length > 0 ? { fields: names } : {}
}

/** Returns a computed value. `fields` of a hit always contains arrays; a single element is unwrapped. */
export function computedValue(fields: Json | undefined, path: string): Json | undefined {
	const values = objectOf(fields)[path]
	return Array.isArray(values) && values.length === 1 ? values[0] : values
}

/** Documents of a page that are larger together are read in another way. */
export const pageBytes = 32 * 1024 * 1024

/** Returns the member of a request for this many rows that limits its answer. One document may be as large as it is. */
export function pageLimit(rows: number): Pick<EngineRequest, 'maxAnswerBytes'> {
	return rows > 1 ? { maxAnswerBytes: pageBytes } : {}
}

/** The parts of a search answer that a page needs. */
export interface Found<T = Hit> {
	readonly hits: readonly T[]
	readonly tookMs: number
	/** Present if the search counted. */
	readonly total?: Count
	readonly notices: readonly string[]
}

/** @throws DriverError if the answer is not JSON. */
export function readFound(reply: Reply): Found {
	const { notices, ...found } = foundFrom(readHits(reply))
	return { ...found, notices: [...notices, ...repeatNotices(reply.repeats)] }
}

/** The same for an answer that was read, without a notice about repeats. */
export function foundFrom({ around, hits }: HitAnswer): Found {
	return { ...aroundHits(around), hits }
}

/** Says that an answer needed more than one request. */
export function repeatNotices(repeats: number): readonly string[] {
	return repeats > 0 ? ['The connection dropped while these documents were read, so they were read again.'] : []
}

/** The same for a parsed answer. */
export function foundIn(answer: Json): Found<JsonObject> {
	const body = objectOf(answer)
	return { ...aroundHits(body), hits: objectsOf(objectOf(body.hits).hits) }
}

/** @throws EngineError if no shard could search */
export function aroundHits(body: JsonObject): Omit<Found, 'hits'> {
	refuseFailed(body)
	const outer = objectOf(body.hits)
	const total = isJsonObject(outer.total) ? outer.total : undefined
	const notices = troublesOf(body)
	const isExact = total?.relation === 'eq' && notices.length === 0
	return {
		tookMs: numberOf(body.took),
		...(total !== undefined && { total: { value: numberOf(total.value), isExact } }),
		notices,
	}
}

/**
 * Throws if each shard that the engine did not skip has failed. A range of time can leave one shard of many, and the
 * answer then looks as if no document fitted.
 */
export function refuseFailed(body: JsonObject): void {
	const shards = objectOf(body._shards)
	const reached = numberOf(shards.total) - numberOf(shards.skipped)
	if (!(reached > 0) || numberOf(shards.failed) < reached) return
	const why = shardFailure(shards)
	throw new EngineError('query_failed', `No shard could search${why && `: ${quoted(why)}`}.`, { status: 200, type: '' })
}

/** Returns notices about lost shards and a timeout. The engine answers 200 in both cases. */
export function troublesOf(body: JsonObject): string[] {
	const shards = objectOf(body._shards)
	const failed = numberOf(shards.failed)
	const why = shardFailure(shards)
	return [
		...(failed > 0
			? [`${failed} of ${numberOf(shards.total)} shards failed; documents are missing${why && `: ${quoted(why)}`}`]
			: []),
		...(body.timed_out === true ? ['The search timed out; documents are missing.'] : []),
	]
}

/** Returns the first failure with a reason. A missing shard has a type but no reason. */
function shardFailure({ failures }: JsonObject): string {
	const reasons = (Array.isArray(failures) ? failures : []).flatMap(failure =>
		isJsonObject(failure) && isJsonObject(failure.reason) ? [failure.reason] : [],
	)
	const texts = [...reasons.map(({ reason }) => reason), ...reasons.map(({ type }) => type)]
	return texts.find(text => typeof text === 'string' && text !== '')?.toString() ?? ''
}
