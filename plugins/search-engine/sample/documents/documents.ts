import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { filterSource, withoutVectors } from '../search/search.ts'
import type { Cluster } from '../store/cluster.ts'
import { primaryTerm, type StoredIndex, type WriteCondition } from '../store/stored-index.ts'
import { failure, illegalArgument, parsingFailure } from '../values/failure.ts'
import { reprinted } from '../values/reprint.ts'

/** The parameters of a URL. */
export type Parameters = ReadonlyMap<string, string>

export interface Answer {
	readonly status: number
	readonly body: Json
}

interface DocumentRequest {
	readonly name: string
	readonly id: string
	readonly parameters: Parameters
}

let generated = 0

/** `GET /<index>/_doc/<id>`: returns the latest version, also before a refresh. */
export function readDocument(cluster: Cluster, { name, id, parameters }: DocumentRequest): Answer {
	const [index] = cluster.resolve(name)
	const document = index?.read(id)
	const meta = { _index: index?.name ?? name, ...typeOf(cluster), _id: id }
	if (document === undefined) return { status: 404, body: { ...meta, found: false } }
	const filter = sourceFilter(parameters)
	const vectors = index ? cluster.vectorsLeftOut(index.mapping) : []
	const source = filterSource(withoutVectors(document.source, filter, vectors), filter)
	const body = {
		...meta,
		_version: document.version,
		_seq_no: document.seqNo,
		_primary_term: primaryTerm,
		...(document.routing !== undefined && { _routing: document.routing }),
		found: true,
		...(source !== undefined && { _source: source }),
	}
	return { status: 200, body }
}

function sourceFilter(parameters: Parameters): Json | undefined {
	const includes = parameters.get('_source_includes')
	const excludes = parameters.get('_source_excludes')
	const vectors = parameters.get('_source_exclude_vectors')
	if ((includes ?? excludes ?? vectors) === undefined) return parameters.get('_source')
	return {
		...(includes !== undefined && { includes }),
		...(excludes !== undefined && { excludes }),
		...(vectors !== undefined && { exclude_vectors: vectors }),
	}
}

/** A document to store. Without an id it gets one. */
interface NewDocument {
	readonly name: string
	readonly id: string | undefined
	readonly body: Json | undefined
	readonly parameters: Parameters
}

/** `PUT /<index>/_doc/<id>`, `POST /<index>/_doc`, `PUT /<index>/_create/<id>`. */
export function indexDocument(cluster: Cluster, { name, id, body, parameters }: NewDocument): Answer {
	if (!isJsonObject(body)) throw parsingFailure('request body is required')
	const index = cluster.writable(name)
	const own = id ?? `rh${String(++generated).padStart(18, '0')}`
	const wasThere = index.read(own) !== undefined
	const document = index.write(own, { source: body, routing: parameters.get('routing') }, conditionOf(parameters))
	refreshIfAsked(index, parameters)
	const result = wasThere ? 'updated' : 'created'
	return { status: wasThere ? 200 : 201, body: written(cluster, { index, id: own, result, document }) }
}

interface DocumentUpdate extends DocumentRequest {
	readonly body: Json | undefined
}

/**
 * `POST /<index>/_update/<id>` with `doc`: objects are merged, everything else is replaced. Without a change the result
 * is `noop`.
 */
export function updateDocument(cluster: Cluster, { name, id, body, parameters }: DocumentUpdate): Answer {
	const doc = isJsonObject(body) ? body.doc : undefined
	if (!isJsonObject(body) || !isJsonObject(doc)) {
		throw failure(400, {
			type: 'action_request_validation_exception',
			reason: 'Validation Failed: 1: script or doc is missing;',
		})
	}
	const index = cluster.writable(name)
	const old = index.read(id)
	if (old === undefined) {
		if (body.doc_as_upsert === true || isJsonObject(body.upsert)) {
			return indexDocument(cluster, { name, id, body: isJsonObject(body.upsert) ? body.upsert : doc, parameters })
		}
		const label = cluster.major < 8 ? `[_doc][${id}]` : `[${id}]`
		throw failure(404, {
			type: 'document_missing_exception',
			reason: `${label}: document missing`,
			shard: '0',
			index: index.name,
		})
	}
	const condition = conditionOf(parameters)
	const source = reprinted(merge(old.source, doc)) as JsonObject
	const isSame = JSON.stringify(source) === JSON.stringify(reprinted(old.source))
	if (isSame && (condition.ifSeqNo === undefined || condition.ifSeqNo === old.seqNo))
		return { status: 200, body: written(cluster, { index, id, result: 'noop', document: old }) }
	const routing = parameters.get('routing') ?? old.routing
	const document = index.write(id, { source, routing }, condition)
	refreshIfAsked(index, parameters)
	return { status: 200, body: written(cluster, { index, id, result: 'updated', document }) }
}

export function deleteDocument(cluster: Cluster, { name, id, parameters }: DocumentRequest): Answer {
	const [index] = cluster.resolve(name)
	if (index === undefined) throw illegalArgument(`no index [${name}]`)
	const { existed, version, seqNo } = index.remove(id, conditionOf(parameters))
	refreshIfAsked(index, parameters)
	const body = written(cluster, { index, id, result: existed ? 'deleted' : 'not_found', document: { version, seqNo } })
	return { status: existed ? 200 : 404, body }
}

function merge(document: JsonObject, part: JsonObject): JsonObject {
	const result: Record<string, Json> = { ...document }
	for (const [key, value] of Object.entries(part)) {
		const old = result[key]
		result[key] = isJsonObject(old) && isJsonObject(value) ? merge(old, value) : value
	}
	return result
}

function conditionOf(parameters: Parameters): WriteCondition {
	const seqNo = parameters.get('if_seq_no')
	const term = parameters.get('if_primary_term')
	if ((seqNo === undefined) !== (term === undefined)) {
		const reason = `Validation Failed: 1: ifSeqNo is ${seqNo === undefined ? 'unassigned' : 'set'}, but primary term is [${term ?? 0}];`
		throw failure(400, { type: 'action_request_validation_exception', reason })
	}
	return {
		mustCreate: parameters.get('op_type') === 'create',
		...(seqNo !== undefined && { ifSeqNo: Number(seqNo), ifPrimaryTerm: Number(term) }),
	}
}

function refreshIfAsked(index: StoredIndex, parameters: Parameters) {
	const refresh = parameters.get('refresh')
	if (refresh !== undefined && refresh !== 'false') index.refresh()
}

/** A document after a write, and the result of the write. */
interface Written {
	readonly index: StoredIndex
	readonly id: string
	readonly result: string
	readonly document: { readonly version: number; readonly seqNo: number }
}

function written(cluster: Cluster, { index, id, result, document }: Written): JsonObject {
	return {
		_index: index.name,
		...typeOf(cluster),
		_id: id,
		_version: document.version,
		result,
		_shards: { total: result === 'noop' ? 0 : 2, successful: result === 'noop' ? 0 : 1, failed: 0 },
		_seq_no: document.seqNo,
		_primary_term: primaryTerm,
	}
}

function typeOf(cluster: Cluster): JsonObject {
	return cluster.major < 8 ? { _type: '_doc' } : {}
}
