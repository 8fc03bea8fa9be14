import { isJsonObject, type JsonObject } from '@roundhouse/kit'
import type { QueryContext } from '../query/target.ts'
import type { Cluster, Snapshot } from '../store/cluster.ts'
import type { StoredDocument } from '../store/stored-index.ts'
import { Failure, shardFailure, someShardsFailed } from '../values/failure.ts'

/**
 * Each index has one shard. An error in a shard affects only its rows: the answer is 200 and names the failure, unless
 * all shards failed, or the search does not allow partial results.
 */

export interface ShardContext extends QueryContext {
	readonly documents: readonly StoredDocument[]
	/** Position of its first document in the view over all indices. */
	readonly firstPosition: number
}

export interface Window {
	readonly from: number
	readonly size: number
}

export interface ShardOptions {
	readonly allowsPartial?: boolean
	readonly isScroll?: boolean
}

/** The shards to search, and the requested rows. */
interface ShardSearch {
	readonly snapshots: readonly Snapshot[]
	readonly options: ShardOptions
	readonly window: Window
}

/** @throws Failure */
export function searchShards<T>(
	cluster: Cluster,
	{ snapshots, options: { allowsPartial = true, isScroll = false }, window }: ShardSearch,
	searchOne: (context: ShardContext) => T,
): { readonly searched: readonly T[]; readonly shards: JsonObject } {
	const searched: T[] = []
	const failures: Failure[] = []
	let firstPosition = 0
	for (const { index, documents } of snapshots) {
		const context = { index: index.name, mapping: index.mapping, isOld: cluster.major < 8, documents, firstPosition }
		firstPosition += documents.length
		try {
			checkWindow(window, { most: index.maxResultWindow, index: index.name, isScroll })
			searched.push(searchOne(context))
		} catch (error) {
			if (!(error instanceof Failure) || error.shards.length === 0) throw error
			failures.push(error)
		}
	}
	const [first] = failures
	if (first !== undefined && searched.length === 0) throw first
	if (first !== undefined && !allowsPartial) throw someShardsFailed(first)
	const total = snapshots.length
	const failed = failures.flatMap(failure => failure.shards)
	const shards = { total, successful: searched.length, skipped: 0, failed: failures.length }
	return { searched, shards: failed.length > 0 ? { ...shards, failures: failed.filter(isJsonObject) } : shards }
}

function checkWindow(
	{ from, size }: Window,
	{ most, index, isScroll }: { readonly most: number; readonly index: string; readonly isScroll: boolean },
) {
	if (from + size <= most) return
	const what = isScroll ? 'Batch size is too large, size' : 'Result window is too large, from + size'
	const why = isScroll
		? 'Scroll batch sizes cost as much memory as result windows so they are controlled by the [index.max_result_window] index level setting.'
		: 'See the scroll api for a more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.'
	const reason = `${what} must be less than or equal to: [${most}] but was [${from + size}]. ${why}`
	throw shardFailure(400, { type: 'illegal_argument_exception', reason, index })
}
