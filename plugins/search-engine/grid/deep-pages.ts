import { type Count, DriverError, isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { type SortKey, sortBody } from '../query/sort.ts'
import { EngineError } from '../transport/engine-error.ts'
import type { Transport } from '../transport/transport.ts'
import { type Found, readFound } from './page.ts'
import { closePoint, keepAlive, openPoint } from './point-in-time.ts'

/** The most rows one search may pass over or return: the engine's own `max_result_window`. */
export const windowRows = 10_000

/** Sort values of the row before a position; reading goes on behind it. */
type Position = readonly Json[]

/**
 * Pages beyond the engine's window: `search_after` over a point-in-time that stays open between pages, so that the
 * next page costs one request at any depth.
 *
 * Positions that were passed are kept, from both ends of the view; a jump walks from the nearest one, with rows that
 * carry nothing but their sort values. Each search renews the point-in-time. When it has expired all the same (or the
 * node that held it is gone), it is opened again, the positions are found again, and the page says so.
 */
export class DeepPages {
	readonly #transport: Transport
	readonly #table: string
	/** `query` and what else the searches of the grid have in common. */
	readonly #body: JsonObject
	readonly #keys: readonly SortKey[]
	#view: View | undefined
	/** Pages are read one after the other: two at once would open two views. */
	#turn: Promise<unknown> = Promise.resolve()

	constructor(transport: Transport, table: string, body: JsonObject, keys: readonly SortKey[]) {
		this.#transport = transport
		this.#table = table
		this.#body = body
		this.#keys = [...keys, { field: '_shard_doc', order: 'asc', nestedIn: [] }]
	}

	read(offset: number, limit: number, signal: AbortSignal): Promise<Found & { readonly total: Count }> {
		const result = this.#turn.then(() => this.#readOrRecover(offset, limit, signal))
		this.#turn = result.catch(() => {})
		return result
	}

	async close(signal: AbortSignal): Promise<void> {
		await this.#turn
		const view = this.#view
		this.#view = undefined
		if (view === undefined) return
		await closePoint(this.#transport, view.id, signal)
	}

	async #readOrRecover(offset: number, limit: number, signal: AbortSignal) {
		const wasOpen = this.#view !== undefined
		try {
			return await this.#readPage(offset, limit, signal)
		} catch (error) {
			if (!wasOpen || !(error instanceof EngineError) || error.status !== 404) throw error
			this.#view = undefined
			const page = await this.#readPage(offset, limit, signal)
			const notice = 'The view of the index had expired and was opened again; rows may have moved.'
			return { ...page, notices: [notice, ...page.notices] }
		}
	}

	async #readPage(offset: number, limit: number, signal: AbortSignal) {
		this.#view ??= await this.#open(signal)
		const view = this.#view
		const total = { value: view.total, isExact: true }
		const rows = Math.min(limit, view.total - offset)
		if (rows <= 0) return { hits: [], tookMs: 0, notices: [], total }
		// The same rows, counted from the end.
		const fromEnd = view.total - offset - rows
		const isReversed = distance(view.backward, fromEnd) < distance(view.forward, offset)
		const start = await this.#walk(view, isReversed, isReversed ? fromEnd : offset, signal)
		const found = await this.#search(view, isReversed, { size: rows, ...start }, signal)
		const last = found.hits.at(-1)?.sort
		const passed = isReversed ? view.backward : view.forward
		if (Array.isArray(last)) passed.set((isReversed ? fromEnd : offset) + found.hits.length, last)
		return { ...found, hits: isReversed ? found.hits.toReversed() : found.hits, total }
	}

	/** Goes to a position; gives what a search must carry to read on from there. */
	async #walk(view: View, isReversed: boolean, target: number, signal: AbortSignal): Promise<JsonObject> {
		const passed = isReversed ? view.backward : view.forward
		let [at, position] = nearest(passed, target)
		while (at < target) {
			const step = Math.min(windowRows, target - at)
			// From the very start the engine can skip; behind a position it can only be read past.
			const how = position === undefined ? { from: step - 1, size: 1 } : { search_after: position, size: step }
			const { hits } = await this.#search(view, isReversed, { ...how, _source: false }, signal, 'pit_id,hits.hits.sort')
			const sort = hits.at(-1)?.sort
			if (!Array.isArray(sort))
				throw new DriverError('query_failed', 'The index changed under the view; open the table again.')
			at += step
			position = sort
			passed.set(at, sort)
		}
		return position === undefined ? {} : { search_after: position }
	}

	async #search(view: View, isReversed: boolean, part: JsonObject, signal: AbortSignal, filterPath?: string) {
		const body = {
			...this.#body,
			track_total_hits: false,
			sort: sortBody(this.#keys, isReversed),
			pit: { id: view.id, keep_alive: keepAlive },
			...part,
		}
		const search = filterPath === undefined ? '' : `filter_path=${filterPath}`
		const reply = await this.#transport.send({ method: 'POST', path: '/_search', search, body, isRead: true }, signal)
		const answer = reply.json()
		if (isJsonObject(answer) && typeof answer.pit_id === 'string') view.id = answer.pit_id
		return readFound(answer)
	}

	async #open(signal: AbortSignal): Promise<View> {
		const id = await openPoint(this.#transport, this.#table, signal)
		const view: View = { id, total: 0, forward: new Map(), backward: new Map() }
		const counted = await this.#search(view, false, { size: 0, track_total_hits: true }, signal)
		view.total = counted.total?.value ?? 0
		return view
	}
}

interface View {
	id: string
	total: number
	/** Positions by the number of rows before them, in sort order and in reversed order. */
	readonly forward: Map<number, Position>
	readonly backward: Map<number, Position>
}

function nearest(passed: ReadonlyMap<number, Position>, target: number): [number, Position | undefined] {
	let best = 0
	for (const at of passed.keys()) if (at <= target && at > best) best = at
	return [best, passed.get(best)]
}

/** Searches needed to get to `target`. */
function distance(passed: ReadonlyMap<number, Position>, target: number): number {
	const [at] = nearest(passed, target)
	return Math.ceil((target - at) / windowRows)
}
