import { isJsonObject, type JsonObject, parseJson } from '@roundhouse/kit'
import type { Cluster } from '../store/cluster.ts'
import { Failure, illegalArgument } from '../values/failure.ts'
import {
	type Answer,
	deleteDocument,
	indexDocument,
	type Parameters,
	readDocument,
	updateDocument,
} from './documents.ts'

/** The lines of a bulk request, with the index of its path. */
interface BulkRequest {
	readonly defaultIndex: string | undefined
	readonly text: string
	readonly parameters: Parameters
}

/** `_bulk`: lines of actions and documents, each with a separate outcome. */
export function bulk(cluster: Cluster, { defaultIndex, text, parameters }: BulkRequest): Answer {
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
		items.push({
			[action]: act(cluster, { action, meta: { _index: defaultIndex ?? '', ...meta }, document, shared: parameters }),
		})
	}
	const errors = items.some(item => Object.values(item).some(result => isJsonObject(result) && 'error' in result))
	return { status: 200, body: { took: 1, errors, items } }
}

/** One action of a bulk request. */
interface BulkAction {
	readonly action: string
	readonly meta: JsonObject
	readonly document: JsonObject | undefined
	readonly shared: Parameters
}

function act(cluster: Cluster, { action, meta, document, shared }: BulkAction): JsonObject {
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
				? deleteDocument(cluster, { name, id: id ?? '', parameters: own })
				: action === 'update'
					? updateDocument(cluster, { name, id: id ?? '', body: document, parameters: own })
					: indexDocument(cluster, { name, id, body: document, parameters: own })
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

/** `_mget`, with ids of one index, or with documents that name their index. */
export function readMany(
	cluster: Cluster,
	name: string | undefined,
	{ body, parameters }: { readonly body: JsonObject; readonly parameters: Parameters },
): Answer {
	const { ids, docs } = body
	const wanted = Array.isArray(ids)
		? ids.map((id): JsonObject => ({ _id: id }))
		: Array.isArray(docs)
			? docs.filter(isJsonObject)
			: []
	const found = wanted.map(({ _index, _id }) => {
		return readDocument(cluster, { name: String(_index ?? name ?? ''), id: String(_id), parameters }).body
	})
	return { status: 200, body: { docs: found } }
}
