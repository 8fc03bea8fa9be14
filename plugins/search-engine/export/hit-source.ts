import { DriverError, type JsonObject } from '@roundhouse/kit'
import { troublesOf } from '../grid/page.ts'
import type { ResultWindow } from '../grid/result-window.ts'
import { type Hit, type HitAnswer, readHits } from '../hits/read-hits.ts'
import type { SortKey } from '../mapping/sort-key.ts'
import type { Reply } from '../transport/reply.ts'
import type { Transport } from '../transport/transport.ts'

/** A source of hits for an export, in batches. */
export interface HitSource {
	/** Known after the first batch. */
	readonly total: number | undefined
	/** How many searches were repeated because a connection dropped. */
	readonly repeats: number
	/** Returns the next hits, or none at the end. */
	next(signal: AbortSignal): Promise<readonly Hit[]>
	close(signal: AbortSignal): Promise<void>
}

/** What an export reads. */
export interface SourceOptions {
	readonly transport: Transport
	readonly table: string
	/** `query`, and the other common members of each search. */
	readonly body: JsonObject
	readonly keys: readonly SortKey[]
	/** Upper limit of rows. */
	readonly limit: number
	readonly window: ResultWindow
}

/** Search parameter: a search that loses a shard fails instead of answering 200 with fewer rows. */
export const wholeAnswer = 'allow_partial_search_results=false'

/** Reads a batch. @throws DriverError if rows are missing, which a count may not show */
export function wholeHits(reply: Reply): HitAnswer {
	const answer = readHits(reply)
	const troubles = troublesOf(answer.around)
	if (troubles.length === 0) return answer
	throw new DriverError('query_failed', `${troubles.join(' ')} The export is not complete. Start it again.`)
}
