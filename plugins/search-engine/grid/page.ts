import { type Count, isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { type Hit, readHits } from '../hits/read-hits.ts'
import { resolve } from '../mapping/columns.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { readerOf } from '../mapping/source.ts'
import { numberOf, objectOf, objectsOf } from '../transport/answer.ts'
import type { Reply } from '../transport/reply.ts'

/** Reads one value of a hit, whole; `undefined` where the document has none. */
export type ValueReader = (hit: JsonObject) => Json | undefined

const metaReaders: ReadonlyMap<string, ValueReader> = new Map([
	['_id', hit => hit._id],
	['_index', hit => hit._index],
	['_score', hit => hit._score ?? null],
])

export function valueReaderOf(column: string, mapping: Mapping): ValueReader {
	return metaReaders.get(column) ?? fieldReader(column, mapping)
}

function fieldReader(path: string, mapping: Mapping): ValueReader {
	const field = mapping.fields.get(path)
	if (field?.isRuntime) return hit => computedValue(hit.fields, path)
	const read = readerOf(field === undefined ? path : resolve(field, mapping).path)
	return hit => (hit._source === undefined ? undefined : read(hit._source))
}

/** What a search must ask for, so that the hits carry the values of runtime fields. */
export function runtimeFields(mapping: Mapping): JsonObject {
	const names = [...mapping.fields.values()].filter(field => field.isRuntime).map(field => field.path)
	return names.length > 0 ? { fields: names } : {}
}

/** `fields` of a hit always holds arrays; one value stands for itself. */
export function computedValue(fields: Json | undefined, path: string): Json | undefined {
	const values = objectOf(fields)[path]
	return Array.isArray(values) && values.length === 1 ? values[0] : values
}

/** What a search answered, as far as a page needs it. */
export interface Found<T = Hit> {
	readonly hits: readonly T[]
	readonly tookMs: number
	/** Present when the search counted. */
	readonly total?: Count
	readonly notices: readonly string[]
}

/** @throws DriverError when the answer is not JSON. */
export function readFound(reply: Reply): Found {
	const { around, hits } = readHits(reply)
	return { ...aroundHits(around), hits }
}

/** The same of an answer that was parsed. */
export function foundIn(answer: Json): Found<JsonObject> {
	const body = objectOf(answer)
	return { ...aroundHits(body), hits: objectsOf(objectOf(body.hits).hits) }
}

export function aroundHits(body: JsonObject): Omit<Found, 'hits'> {
	const outer = objectOf(body.hits)
	const total = isJsonObject(outer.total) ? outer.total : undefined
	return {
		tookMs: numberOf(body.took),
		...(total !== undefined && { total: { value: numberOf(total.value), isExact: total.relation === 'eq' } }),
		notices: troublesOf(body),
	}
}

/** A search that lost shards or ran out of time answers 200 all the same; the person has to know. */
export function troublesOf(body: JsonObject): string[] {
	const shards = objectOf(body._shards)
	const failed = numberOf(shards.failed)
	const why = shardFailure(shards)
	return [
		...(failed > 0 ? [`${failed} of ${String(shards.total)} shards failed; rows are missing${why && `: ${why}`}`] : []),
		...(body.timed_out === true ? ['The search ran out of time; rows are missing.'] : []),
	]
}

/** The first failure that says something; a shard that is not there has a type and no reason. */
function shardFailure({ failures }: JsonObject): string {
	const reasons = (Array.isArray(failures) ? failures : []).flatMap(failure =>
		isJsonObject(failure) && isJsonObject(failure.reason) ? [failure.reason] : [],
	)
	const texts = [...reasons.map(({ reason }) => reason), ...reasons.map(({ type }) => type)]
	return texts.find(text => typeof text === 'string' && text !== '')?.toString() ?? ''
}
