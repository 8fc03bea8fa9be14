import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'

/** An error of the engine, with the body that the engine sends. */
export class Failure extends Error {
	readonly status: number
	readonly body: JsonObject

	constructor(status: number, error: JsonObject) {
		super(String(error.reason))
		this.status = status
		this.body = { error, status }
	}

	/** The shards that failed, or none if the request itself was rejected. */
	get shards(): readonly Json[] {
		const error = isJsonObject(this.body.error) ? this.body.error : {}
		return Array.isArray(error.failed_shards) ? error.failed_shards : []
	}
}

/** The cause of an error: its type, its reason, and the other members that the engine adds. */
type Cause = JsonObject & { readonly type: string; readonly reason: string }

interface ShardCause {
	readonly type: string
	readonly reason: string
	readonly index: string
}

/** The common structure: one cause, repeated as the root cause. */
export function failure(status: number, cause: Cause): Failure {
	return new Failure(status, { root_cause: [cause], ...cause })
}

export function illegalArgument(reason: string): Failure {
	return failure(400, { type: 'illegal_argument_exception', reason })
}

export function parsingFailure(reason: string): Failure {
	return failure(400, { type: 'parsing_exception', reason, line: 1, col: 1 })
}

/** Refuses what the engine does and the sample does not, where a guess would answer wrongly. */
export function notInSample(what: string): Failure {
	return parsingFailure(`This sample does not know ${what}. A real cluster does.`)
}

export function indexNotFound(index: string): Failure {
	return failure(404, {
		type: 'index_not_found_exception',
		reason: `no such index [${index}]`,
		'resource.type': 'index_or_alias',
		'resource.id': index,
		index_uuid: '_na_',
		index,
	})
}

export function versionConflict(index: string, id: string, detail: string): Failure {
	const reason = `[${id}]: version conflict, ${detail}`
	return failure(409, {
		type: 'version_conflict_engine_exception',
		reason,
		index_uuid: uuidOf(index),
		shard: '0',
		index,
	})
}

/** @param block the block's number and text, as in the engine */
export function blocked(index: string, block: string): Failure {
	return failure(403, { type: 'cluster_block_exception', reason: `index [${index}] blocked by: [FORBIDDEN/${block}];` })
}

/** An error in a shard, wrapped by the error of the search. */
export function shardFailure(status: number, { type, reason, index }: ShardCause): Failure {
	const cause = { type, reason, index_uuid: uuidOf(index), index }
	return wrapped(status, cause, { shard: 0, index, node: nodeId, reason: cause })
}

/** The error of a search that requires all of its shards, and lost one. */
export function someShardsFailed({ status, body }: Failure): Failure {
	const error = isJsonObject(body.error) ? body.error : {}
	return new Failure(status, { ...error, reason: 'Partial shards failure' })
}

export function contextMissing(id: number): Failure {
	const cause = { type: 'search_context_missing_exception', reason: `No search context found for id [${id}]` }
	return wrapped(404, cause, { shard: 0, index: null, reason: cause })
}

function wrapped(status: number, cause: JsonObject, shard: Json): Failure {
	return new Failure(status, {
		root_cause: [cause],
		type: 'search_phase_execution_exception',
		reason: 'all shards failed',
		phase: 'query',
		grouped: true,
		failed_shards: [shard],
	})
}

const nodeId = 'rHsAmPlEqTu7nOdE0x1y2Z'

/** Returns an id like the engine's random ids, but the same at each start. */
export function uuidOf(index: string): string {
	return Buffer.from(index.padEnd(16, '~')).toString('base64url').slice(0, 22)
}
