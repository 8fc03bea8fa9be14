import { DriverError, type Json, type JsonObject, stringifyJson } from '@roundhouse/kit'
import { BatchSize } from '../grid/batch-size.ts'
import { aroundHits } from '../grid/page.ts'
import { closePoint, keepAlive, openPoint, withoutDocuments } from '../grid/point-in-time.ts'
import type { ResultWindow } from '../grid/result-window.ts'
import { type Hit, readHits } from '../hits/read-hits.ts'
import type { SortKey } from '../mapping/sort-key.ts'
import { searchAfter, sortBody } from '../query/sort.ts'
import { EngineError } from '../transport/engine-error.ts'
import { repeatableRead } from '../transport/engine-request.ts'
import type { Reply } from '../transport/reply.ts'
import type { Transport } from '../transport/transport.ts'
import { type HitSource, type SourceOptions, wholeAnswer, wholeHits } from './hit-source.ts'

/**
 * Reads all hits of a search, by `search_after` over a point-in-time. Concurrent writes neither move nor duplicate a
 * row.
 *
 * For the engine, nearly all the cost of a batch is unpacking its documents, serially. In document order it can skip to
 * any place. So this first looks up where a batch ends, without documents, and has the engine work on the next batch
 * concurrently. In any other order, looking up that place costs as much as a search.
 */
export class PointSource implements HitSource {
	readonly #transport: Transport
	readonly #body: JsonObject
	readonly #keys: readonly SortKey[]
	readonly #sort: Json
	/** Whether batches are started ahead, which requires document order. */
	#looksAhead: boolean
	readonly #limit: number
	readonly #window: ResultWindow
	readonly #batch: BatchSize
	#id: string
	#total: number | undefined
	#given = 0
	#repeats = 0
	/** The place after the rows that were returned. */
	#place: PagePosition = {}
	#ahead: Batch | undefined
	/** Where the batches ended. */
	readonly #ends = new Set<string>()

	private constructor({ transport, body, keys, limit, window }: SourceOptions, id: string) {
		this.#transport = transport
		this.#id = id
		this.#body = body
		this.#keys = keys
		this.#sort = sortBody([...keys, { field: '_shard_doc', order: 'asc', nestedIn: [] }])
		this.#looksAhead = keys.length === 0
		this.#limit = limit
		this.#window = window
		this.#batch = new BatchSize(window)
	}

	static async open(options: SourceOptions, signal: AbortSignal): Promise<PointSource> {
		// Each export closes its point in time, so a client has no more of them open than exports.
		return new PointSource(options, await openPoint(options.transport, { table: options.table, isHeld: true }, signal))
	}

	get total(): number | undefined {
		return this.#total
	}

	get repeats(): number {
		return this.#repeats
	}

	async next(signal: AbortSignal): Promise<readonly Hit[]> {
		if (this.#given >= this.#limit) return []
		const batch = this.#ahead ?? this.#begin(Promise.resolve(this.#place), this.#given, signal)
		this.#ahead = this.#beginNext(batch, signal)
		const hits = await batch.hits
		const last = hits.at(-1)
		if (last !== undefined) {
			this.#place = placeAfter(last, this.#place)
			const place = stringifyJson(this.#place)
			// Shards that compare in different ways give the same rows again and again.
			if (this.#ends.has(place)) throw new DriverError('query_failed', 'Invalid response: the rows repeat.')
			this.#ends.add(place)
		}
		this.#given += hits.length
		// If fewer rows than requested arrived, the batch that was started begins at the wrong place.
		if (this.#ahead !== undefined && !isSame(await this.#begins(this.#ahead), this.#place)) this.#drop()
		return hits
	}

	close(signal: AbortSignal): Promise<void> {
		this.#drop()
		return closePoint(this.#transport, this.#id, signal)
	}

	/** @param at number of rows before it */
	#begin(from: Promise<PagePosition>, at: number, signal: AbortSignal): Batch {
		const stop = new AbortController()
		const rows = Math.min(this.#batch.rows, this.#limit - at)
		const hits = from.then(place => this.#read(place, rows, AbortSignal.any([signal, stop.signal])))
		// The caller that takes the batch gets its error. Until then, no code handles it.
		hits.catch(() => {})
		return { from, behind: at + rows, rows, hits, stop }
	}

	/** Starts the next batch, once the first batch has shown how many rows exist and how many fit into an answer. */
	#beginNext({ from, behind, rows }: Batch, signal: AbortSignal): Batch | undefined {
		if (!this.#looksAhead || behind >= Math.min(this.#total ?? 0, this.#limit)) return undefined
		const place = from.then(place => this.#look(place, rows, signal))
		return this.#begin(place, behind, signal)
	}

	/** Returns where a batch begins. If the engine does not say, batches are read one after the other from then on. */
	async #begins({ from }: Batch): Promise<PagePosition | undefined> {
		try {
			return await from
		} catch (error) {
			if (!(error instanceof EngineError) || error.status === 404) throw error
			this.#looksAhead = false
			return undefined
		}
	}

	#drop() {
		this.#ahead?.stop.abort()
		this.#ahead = undefined
	}

	async #read(place: PagePosition, rows: number, signal: AbortSignal): Promise<readonly Hit[]> {
		const counted = this.#total !== undefined
		const reply = await this.#batch.read({
			ask: size => this.#search({ ...this.#body, ...place, size, track_total_hits: !counted }, wholeAnswer, signal),
			sizeOf: ({ bytes }) => bytes.length,
			most: rows,
		})
		const { around, hits } = wholeHits(reply)
		if (typeof around.pit_id === 'string') this.#id = around.pit_id
		this.#total ??= aroundHits(around).total?.value
		return hits
	}

	/** Returns the place this many rows further on, or the same place at the end. */
	async #look(place: PagePosition, rows: number, signal: AbortSignal): Promise<PagePosition> {
		const { query } = this.#body
		const reply = await this.#window.within(rows, size =>
			this.#search(
				{ ...(query !== undefined && { query }), ...withoutDocuments, ...place, size, track_total_hits: false },
				`${wholeAnswer}&filter_path=hits.hits.sort`,
				signal,
			),
		)
		const after = readHits(reply).hits.at(-1)?.value('sort')
		return after === undefined ? place : { search_after: after }
	}

	async #search(part: JsonObject, search: string, signal: AbortSignal): Promise<Reply> {
		const { search_after: after } = part
		const body = {
			...part,
			...(Array.isArray(after) && { search_after: searchAfter(after, this.#keys) }),
			sort: this.#sort,
			pit: { id: this.#id, keep_alive: keepAlive },
		}
		const request = { method: 'POST', path: '/_search', search, body, isWhole: true, ...repeatableRead } as const
		const reply = await this.#transport.send(request, signal)
		this.#repeats += reply.repeats
		return reply
	}
}

/** The place after a row, by its sort values. Without sort values, the place before the first row. */
type PagePosition = { readonly search_after?: Json }

/** Rows that were requested, and may not have been taken yet. */
interface Batch {
	readonly from: Promise<PagePosition>
	readonly rows: number
	/** Number of rows before the next batch, if all requested rows arrive. */
	readonly behind: number
	readonly hits: Promise<readonly Hit[]>
	readonly stop: AbortController
}

/** @throws DriverError if the place did not change, because reading on would never end */
function placeAfter(hit: Hit, before: PagePosition): PagePosition {
	const after = hit.value('sort')
	if (after !== undefined && !isSame({ search_after: after }, before)) return { search_after: after }
	throw new DriverError('query_failed', 'Invalid response: the rows have no valid sort values.')
}

function isSame(a: PagePosition | undefined, b: PagePosition): boolean {
	return a !== undefined && stringifyJson(a) === stringifyJson(b)
}
