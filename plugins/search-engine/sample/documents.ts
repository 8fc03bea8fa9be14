import { isJsonObject, type Json, type JsonObject, parseJson } from '@roundhouse/kit'
import type { Cluster } from './cluster.ts'
import { Failure, failure, illegalArgument, parsingFailure } from './failure.ts'
import { filterSource } from './search.ts'
import { primaryTerm, type StoredIndex, type WriteCondition } from './stored-index.ts'

/** The parameters of a URL. */
export type Parameters = ReadonlyMap<string, string>

export interface Answer {
	readonly status: number
	readonly body: Json
}

let generated = 0

/** `GET /<index>/_doc/<id>`: the latest state, whether searches see it or not. */
export function readDocument(cluster: Cluster, name: string, id: string, parameters: Parameters): Answer {
	const [index] = cluster.resolve(name)
	const document = index?.read(id)
	const meta = { _index: index?.name ?? name, ...typeOf(cluster), _id: id }
	if (document === undefined) return { status: 404, body: { ...meta, found: false } }
	const source = filterSource(document.source, sourceFilter(parameters))
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
	if (includes === undefined && excludes === undefined) return parameters.get('_source')
	return { ...(includes !== undefined && { includes }), ...(excludes !== undefined && { excludes }) }
}

/** `PUT /<index>/_doc/<id>`, `POST /<index>/_doc`, `PUT /<index>/_create/<id>`. */
export function indexDocument(
	cluster: Cluster,
	name: string,
	id: string | undefined,
	body: Json | undefined,
	parameters: Parameters,
): Answer {
	if (!isJsonObject(body)) throw parsingFailure('request body is required')
	const index = cluster.writable(name)
	const own = id ?? `rh${String(++generated).padStart(18, '0')}`
	const wasThere = index.read(own) !== undefined
	const document = index.write(own, body, parameters.get('routing'), conditionOf(parameters))
	refreshIfAsked(index, parameters)
	const result = wasThere ? 'updated' : 'created'
	return { status: wasThere ? 200 : 201, body: written(cluster, index, own, result, document) }
}

/** `POST /<index>/_update/<id>` with `doc`: objects merge, everything else is replaced, nothing new is a `noop`. */
export function updateDocument(
	cluster: Cluster,
	name: string,
	id: string,
	body: Json | undefined,
	parameters: Parameters,
): Answer {
	const doc = isJsonObject(body) ? body.doc : undefined
	if (!isJsonObject(body) || !isJsonObject(doc)) {
		throw failure(400, 'action_request_validation_exception', 'Validation Failed: 1: script or doc is missing;')
	}
	const index = cluster.writable(name)
	const old = index.read(id)
	if (old === undefined) {
		if (body.doc_as_upsert === true || isJsonObject(body.upsert)) {
			return indexDocument(cluster, name, id, isJsonObject(body.upsert) ? body.upsert : doc, parameters)
		}
		const label = cluster.major < 8 ? `[_doc][${id}]` : `[${id}]`
		throw failure(404, 'document_missing_exception', `${label}: document missing`, { shard: '0', index: index.name })
	}
	const condition = conditionOf(parameters)
	const source = merge(old.source, doc)
	if (JSON.stringify(source) === JSON.stringify(old.source) && condition.ifSeqNo === undefined) {
		return { status: 200, body: written(cluster, index, id, 'noop', old) }
	}
	const isSame = JSON.stringify(source) === JSON.stringify(old.source)
	if (isSame && condition.ifSeqNo === old.seqNo) return { status: 200, body: written(cluster, index, id, 'noop', old) }
	const document = index.write(id, source, parameters.get('routing') ?? old.routing, condition)
	refreshIfAsked(index, parameters)
	return { status: 200, body: written(cluster, index, id, 'updated', document) }
}

export function deleteDocument(cluster: Cluster, name: string, id: string, parameters: Parameters): Answer {
	const [index] = cluster.resolve(name)
	if (index === undefined) throw illegalArgument(`no index [${name}]`)
	const { existed, version, seqNo } = index.remove(id, conditionOf(parameters))
	refreshIfAsked(index, parameters)
	const body = written(cluster, index, id, existed ? 'deleted' : 'not_found', { version, seqNo })
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
		throw failure(400, 'action_request_validation_exception', reason)
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

function written(
	cluster: Cluster,
	index: StoredIndex,
	id: string,
	result: string,
	document: { readonly version: number; readonly seqNo: number },
): JsonObject {
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

/** `_bulk`: lines of actions and documents; each has its own outcome. */
export function bulk(cluster: Cluster, defaultIndex: string | undefined, text: string, parameters: Parameters): Answer {
	if (!text.endsWith('\n')) {
		throw illegalArgument('The bulk request must be terminated by a newline [\\n]')
	}
	const lines = text.split('\n').filter(line => line.trim() !== '')
	const items: JsonObject[] = []
	for (let at = 0; at < lines.length; at++) {
		const [action = '', options] = Object.entries(objectFrom(lines[at]))[0] ?? []
		const meta = isJsonObject(options) ? options : {}
		if (!/^(index|create|update|delete)$/.test(action)) {
			throw illegalArgument(
				`Malformed action/metadata line [${at + 1}], expected one of [create, delete, index, update] but found [${action}]`,
			)
		}
		const document = action === 'delete' ? undefined : objectFrom(lines[++at])
		items.push({ [action]: act(cluster, action, { _index: defaultIndex ?? '', ...meta }, document, parameters) })
	}
	const errors = items.some(item => Object.values(item).some(result => isJsonObject(result) && 'error' in result))
	return { status: 200, body: { took: 1, errors, items } }
}

function act(
	cluster: Cluster,
	action: string,
	meta: JsonObject,
	document: JsonObject | undefined,
	shared: Parameters,
): JsonObject {
	const name = String(meta._index)
	const id = meta._id === undefined ? undefined : String(meta._id)
	const own = new Map(shared)
	for (const key of ['routing', 'if_seq_no', 'if_primary_term']) {
		const value = meta[key]
		if (value !== undefined) own.set(key, String(value))
	}
	if (action === 'create') own.set('op_type', 'create')
	try {
		const answer =
			action === 'delete'
				? deleteDocument(cluster, name, id ?? '', own)
				: action === 'update'
					? updateDocument(cluster, name, id ?? '', document, own)
					: indexDocument(cluster, name, id, document, own)
		return { ...(isJsonObject(answer.body) ? answer.body : {}), status: answer.status }
	} catch (error) {
		if (!(error instanceof Failure)) throw error
		const { root_cause: _, ...cause } = isJsonObject(error.body.error) ? error.body.error : {}
		return { _index: name, ...(id !== undefined && { _id: id }), status: error.status, error: cause as JsonObject }
	}
}

function objectFrom(line: string | undefined): JsonObject {
	const value = parseJson(line ?? '')
	if (!isJsonObject(value)) throw illegalArgument(`Malformed content, found ${line?.slice(0, 40)}`)
	return value
}

/** `_mget`, with ids under one index or with documents that name theirs. */
export function readMany(cluster: Cluster, name: string | undefined, body: JsonObject): Answer {
	const { ids, docs } = body
	const wanted = Array.isArray(ids)
		? ids.map((id): JsonObject => ({ _id: id }))
		: Array.isArray(docs)
			? docs.filter(isJsonObject)
			: []
	const found = wanted.map(({ _index, _id }) => {
		return readDocument(cluster, String(_index ?? name ?? ''), String(_id), new Map()).body
	})
	return { status: 200, body: { docs: found } }
}
