import { isJsonObject, type Json, type JsonObject, stringifyJson } from '@roundhouse/kit'
import { readHits } from '../hits/read-hits.ts'
import type { SortKey } from '../mapping/sort-key.ts'
import { searchAfter, sortBody } from '../query/sort.ts'
import { type EngineRequest, repeatableRead } from '../transport/engine-request.ts'
import type { Transport } from '../transport/transport.ts'
import { type Found, foundFrom, pageLimit, repeatNotices } from './page.ts'
import { closePoint, keepAlive, openPoint, withoutDocuments } from './point-in-time.ts'
import { Positions } from './positions.ts'

/** The table, the query and the order of a view. `keys` are the keys of its sort. */
interface ViewSource {
	readonly transport: Transport
	readonly table: string
	readonly body: JsonObject
	readonly keys: readonly SortKey[]
	/** Whether the driver closes it, as one of few that it holds. */
	readonly isHeld: boolean
}

/** A view whose point-in-time is open, with its id. */
interface OpenedView {
	readonly transport: Transport
	readonly body: JsonObject
	readonly keys: readonly SortKey[]
	readonly id: string
}

/**
 * A point-in-time with one query and one sort order. Stores the positions that were already read, from the start and
 * from the end.
 */
export class OpenView {
	readonly #transport: Transport
	readonly #body: JsonObject
	readonly #keys: readonly SortKey[]
	#id: string
	#notices: readonly string[] = []
	#repeats = 0
	/** Number of all its rows. */
	total = 0
	/** Positions in sort order and in reversed order. */
	readonly forward = new Positions()
	readonly backward = new Positions()

	private constructor({ transport, body, keys, id }: OpenedView) {
		this.#transport = transport
		this.#body = body
		this.#keys = withPlace(keys)
		this.#id = id
	}

	/** @param body `query` and the other common members of the grid's searches. */
	static async open({ transport, table, body, keys, isHeld }: ViewSource, signal: AbortSignal): Promise<OpenView> {
		const view = new OpenView({ transport, body, keys, id: await openPoint(transport, { table, isHeld }, signal) })
		try {
			const counted = await view.search({ size: 0, track_total_hits: true }, signal)
			view.total = counted.total?.value ?? 0
			view.#notices = counted.notices
			return view
		} catch (error) {
			view.release()
			throw error
		}
	}

	/** Returns a view of the same point-in-time, with other common members of its searches, or for another grid. */
	continued(body: JsonObject): OpenView {
		const view = new OpenView({ transport: this.#transport, body, keys: this.#keys.slice(0, -1), id: this.#id })
		view.total = this.total
		view.#notices = this.#notices
		return view
	}

	/** Whether both have the same rows in the same order. */
	isSameAs(other: OpenView): boolean {
		return this.#id === other.#id && stringifyJson(this.#order) === stringifyJson(other.#order)
	}

	/** Whether a row of this order has a place in the order of these keys and of this query. */
	isOrderOf({ body, keys }: { readonly body: JsonObject; readonly keys: readonly SortKey[] }): boolean {
		return stringifyJson(this.#order) === stringifyJson(orderOf(body, withPlace(keys)))
	}

	get #order(): Json {
		return orderOf(this.#body, this.#keys)
	}

	/** Problems that occurred when the view was opened. If shards failed then, their rows are missing on every page. */
	get notices(): readonly string[] {
		return this.#notices
	}

	/**
	 * Returns a notice if a connection dropped since the last call. Repeated searches are complete, so this is separate
	 * from {@link notices}.
	 */
	takeRepeatNotices(): readonly string[] {
		const notices = repeatNotices(this.#repeats)
		this.#repeats = 0
		return notices
	}

	/** Returns `size` documents with all members of the grid's searches. */
	search(part: JsonObject & { readonly size: number }, signal: AbortSignal, isReversed = false): Promise<Found> {
		return this.#send({ ...this.#body, ...part }, { search: '', isReversed, ...pageLimit(part.size) }, signal)
	}

	/**
	 * Returns facts about documents without reading them.
	 *
	 * @param filterPath of the required parts of the answer
	 */
	look(
		part: JsonObject,
		{ filterPath, isReversed = false }: { readonly filterPath: string; readonly isReversed?: boolean | undefined },
		signal: AbortSignal,
	): Promise<Found> {
		const search = `filter_path=pit_id,_shards,timed_out,${filterPath}`
		return this.#send({ query: this.query, ...withoutDocuments, ...part }, { search, isReversed }, signal)
	}

	async #send(
		part: JsonObject,
		{
			search,
			isReversed,
			...limit
		}: { readonly search: string; readonly isReversed: boolean } & Pick<EngineRequest, 'maxAnswerBytes'>,
		signal: AbortSignal,
	): Promise<Found> {
		const { search_after: after } = part
		const body = {
			track_total_hits: false,
			sort: sortBody(this.#keys, isReversed),
			pit: { id: this.#id, keep_alive: keepAlive },
			...part,
			...(Array.isArray(after) && { search_after: searchAfter(after, this.#keys) }),
		}
		const reply = await this.#transport.send(
			{ method: 'POST', path: '/_search', search, body, isWhole: true, ...repeatableRead, ...limit },
			signal,
		)
		this.#repeats += reply.repeats
		const answer = readHits(reply)
		if (typeof answer.around.pit_id === 'string') this.#id = answer.around.pit_id
		return foundFrom(answer)
	}

	/**
	 * Returns the exact number of documents in the view's point-in-time for `query`. A caller that wants to keep the
	 * view's own query must include it in `query`.
	 */
	async count(query: JsonObject, signal: AbortSignal): Promise<number> {
		const part = { query, size: 0, track_total_hits: true }
		const { total } = await this.look(part, { filterPath: 'hits.total' }, signal)
		return total?.value ?? 0
	}

	/** The view's query. */
	get query(): JsonObject {
		return isJsonObject(this.#body.query) ? this.#body.query : { match_all: {} }
	}

	close(signal: AbortSignal): Promise<void> {
		return closePoint(this.#transport, this.#id, signal)
	}

	/** Closes a view that is not used any more, without waiting. If that fails, the view expires. */
	release() {
		this.close(AbortSignal.timeout(5_000)).catch(() => {})
	}
}

/** Rows with equal values are in the order of their places, so that each has one place. */
function withPlace(keys: readonly SortKey[]): readonly SortKey[] {
	return [...keys, { field: '_shard_doc', order: 'asc', nestedIn: [] }]
}

const orderOf = ({ query }: JsonObject, keys: readonly SortKey[]): Json => [query ?? null, ...sortBody(keys)]
