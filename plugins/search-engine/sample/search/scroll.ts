import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { listOf } from '../query/clause.ts'
import type { Cluster } from '../store/cluster.ts'
import { durationMs } from '../values/durations.ts'
import { illegalArgument } from '../values/failure.ts'
import { search } from './search.ts'

/**
 * Implements the scroll API for client versions that do not support points in time. It uses a point-in-time internally:
 * the id contains the search and its position.
 */

interface State {
	readonly pit: string
	readonly body: JsonObject
	readonly allowsPartial: boolean
	readonly after?: Json
}

/** A search whose result is read in pages. */
interface ScrollRequest {
	readonly expression: string
	readonly body: JsonObject
	readonly keepAlive: string
	readonly allowsPartial: boolean
}

export function begin(cluster: Cluster, { expression, body, keepAlive, allowsPartial }: ScrollRequest): JsonObject {
	const pit = cluster.openPoint(expression, durationMs(keepAlive))
	return step(cluster, { pit, body, allowsPartial }, keepAlive)
}

export function next(cluster: Cluster, { scroll, scroll_id: id }: JsonObject): JsonObject {
	return step(cluster, decode(id), scroll === undefined ? undefined : String(scroll))
}

/** @returns how many scrolls were freed */
export function clear(cluster: Cluster, { scroll_id: id }: JsonObject): number {
	return listOf(id).filter(one => cluster.closePoint(decode(one).pit)).length
}

function step(cluster: Cluster, state: State, keepAlive: string | undefined): JsonObject {
	const pit = { id: state.pit, ...(keepAlive !== undefined && { keep_alive: keepAlive }) }
	const sort = [...listOf(state.body.sort), { _shard_doc: 'asc' }]
	const after = state.after === undefined ? {} : { search_after: state.after }
	const { pit_id: renewed, ...answer } = search(
		cluster,
		{ expression: undefined, body: { ...state.body, sort, pit, ...after } },
		{ allowsPartial: state.allowsPartial, isScroll: true },
	)
	const hits = isJsonObject(answer.hits) && Array.isArray(answer.hits.hits) ? answer.hits.hits : []
	const last = hits.findLast(isJsonObject)?.sort ?? state.after
	const following = { ...state, pit: String(renewed), ...(last !== undefined && { after: last }) }
	return { _scroll_id: encode(following), ...answer }
}

function encode(state: State): string {
	return Buffer.from(JSON.stringify(state)).toString('base64')
}

/** @throws Failure for a text that is not an id */
function decode(id: Json | undefined): State {
	try {
		return JSON.parse(Buffer.from(String(id), 'base64').toString('utf8')) as State
	} catch {
		throw illegalArgument(`Cannot parse scroll id`)
	}
}
