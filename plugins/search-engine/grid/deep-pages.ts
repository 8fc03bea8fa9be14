import { type Count, DriverError, type JsonObject } from '@roundhouse/kit'
import type { SortKey } from '../mapping/sort-key.ts'
import { EngineError } from '../transport/engine-error.ts'
import type { Transport } from '../transport/transport.ts'
import { Jump } from './jump.ts'
import { OpenView } from './open-view.ts'
import type { Found } from './page.ts'
import type { Position } from './positions.ts'
import type { ResultWindow } from './result-window.ts'

interface Options {
	readonly transport: Transport
	readonly table: string
	/** `query` and the other common members of the grid's searches. */
	readonly body: JsonObject
	readonly keys: readonly SortKey[]
	readonly window: ResultWindow
	/** An open view to continue with, and the places in it that are known by their offset. */
	readonly continued?:
		| { readonly view: OpenView; readonly places: readonly (readonly [number, Position])[] }
		| undefined
	/** Whether the view outlives the grid, among those that the driver holds. */
	readonly isHeld?: boolean
}

export const expiredNotice = 'The view of the index expired and was opened again. Rows may have moved.'

type Page = Found & { readonly total: Count }

/** From this number of searches on, a jump by value costs less than a walk. */
const jumpThreshold = 8

/**
 * Reads pages beyond the engine's window: `search_after` over a point-in-time that stays open between pages, so that
 * the next page takes one request at any depth.
 *
 * Passed positions are kept, from both ends of the view. A jump uses the values of the first sort key if possible.
 * Otherwise it walks from the nearest position, with rows that contain only their sort values. Each search renews the
 * point-in-time. If it expires anyway (or its node is gone), it is opened again, the positions are found again, and the
 * page reports that.
 */
export class DeepPages {
	readonly #options: Options
	#view: OpenView | undefined
	#isJumpRefused = false
	/** Serializes pages, because two at once would open two views. */
	#turn: Promise<unknown> = Promise.resolve()

	constructor(options: Options) {
		this.#options = options
		const { continued } = options
		this.#view = continued?.view
		for (const [offset, position] of continued?.places ?? []) this.#view?.forward.keep(offset, position)
	}

	/** What holds rows in one order, if it is open. */
	get view(): OpenView | undefined {
		return this.#view
	}

	/** Returns the view, which the caller then closes. */
	takeView(): OpenView | undefined {
		const view = this.#view
		this.#view = undefined
		return view
	}

	read(offset: number, limit: number, signal: AbortSignal): Promise<Page> {
		const result = this.#turn.then(() => this.#readOrRecover(offset, limit, signal))
		this.#turn = result.catch(() => {})
		return result
	}

	async close(signal: AbortSignal): Promise<void> {
		await this.#turn
		const view = this.#view
		this.#view = undefined
		await view?.close(signal)
	}

	async #readOrRecover(offset: number, limit: number, signal: AbortSignal): Promise<Page> {
		const before = this.#view
		try {
			return await this.#readPage(offset, limit, signal)
		} catch (error) {
			if (before === undefined || !(error instanceof EngineError) || error.status !== 404) throw error
			// Only some of its shards may have lost it.
			before.release()
			this.#view = undefined
			const page = await this.#readPage(offset, limit, signal)
			return {
				...page,
				notices: [expiredNotice, ...page.notices],
			}
		}
	}

	async #readPage(offset: number, limit: number, signal: AbortSignal): Promise<Page> {
		const { transport, table, body, keys, window, isHeld = false } = this.#options
		this.#view ??= await OpenView.open({ transport, table, body, keys, isHeld }, signal)
		const view = this.#view
		const total = { value: view.total, isExact: view.notices.length === 0 }
		const rows = Math.min(limit, view.total - offset)
		if (rows <= 0) return { hits: [], tookMs: 0, notices: view.notices, total }
		// The same rows, counted from the end.
		const fromEnd = view.total - offset - rows
		const [ahead, back] = [view.forward.distance(offset, window.rows), view.backward.distance(fromEnd, window.rows)]
		if (Math.min(ahead, back) > jumpThreshold) await this.#jump(view, offset, signal)
		const isReversed = back < view.forward.distance(offset, window.rows)
		const found = await this.#readRows(view, { isReversed, from: isReversed ? fromEnd : offset, rows }, signal)
		const notices = [...new Set([...view.notices, ...found.notices, ...view.takeRepeatNotices()])]
		return { ...found, hits: isReversed ? found.hits.toReversed() : found.hits, total, notices }
	}

	/** An optimization. In a `range`, 7.x rejects some values that it returned: most dates before 1970 in milliseconds. */
	async #jump(view: OpenView, offset: number, signal: AbortSignal): Promise<void> {
		const { keys, window } = this.#options
		if (this.#isJumpRefused) return
		try {
			await new Jump(view, keys, window).towards(offset, signal)
		} catch (error) {
			if (!(error instanceof EngineError) || error.status !== 400) throw error
			this.#isJumpRefused = true
		}
	}

	/** Reads `rows` from a position on, in as many searches as the window requires. */
	async #readRows(
		view: OpenView,
		{ isReversed, from, rows }: { readonly isReversed: boolean; readonly from: number; readonly rows: number },
		signal: AbortSignal,
	) {
		const { window } = this.#options
		const passed = isReversed ? view.backward : view.forward
		const walked = await this.#walk(view, { isReversed, target: from }, signal)
		const pieces: Found[] = []
		for (let at = from; at < from + rows; ) {
			const [, position] = passed.nearest(at)
			const behind = position !== undefined && { search_after: position }
			const piece = await window.within(
				from + rows - at,
				size => view.search({ size, ...behind }, signal, isReversed),
				troubleOf,
			)
			const last = piece.hits.at(-1)?.value('sort')
			if (!Array.isArray(last)) break
			at += piece.hits.length
			passed.keep(at, last)
			pieces.push(piece)
		}
		return {
			hits: pieces.flatMap(piece => piece.hits),
			tookMs: pieces.reduce((sum, piece) => sum + piece.tookMs, 0),
			notices: [...walked, ...pieces.flatMap(piece => piece.notices)],
		}
	}

	/** Walks to a position. Returns the problems that occurred. */
	async #walk(
		view: OpenView,
		{ isReversed, target }: { readonly isReversed: boolean; readonly target: number },
		signal: AbortSignal,
	): Promise<string[]> {
		const { window } = this.#options
		const passed = isReversed ? view.backward : view.forward
		const notices: string[] = []
		let [at, position] = passed.nearest(target)
		while (at < target) {
			let step = 0
			const { hits, notices: met } = await window.within(
				target - at,
				rows => {
					step = rows
					// From the start, the engine can skip rows; after a position, it must read them.
					const how = position === undefined ? { from: rows - 1, size: 1 } : { search_after: position, size: rows }
					return view.look(how, { filterPath: 'hits.hits.sort', isReversed }, signal)
				},
				troubleOf,
			)
			const sort = hits.at(-1)?.value('sort')
			if (!Array.isArray(sort))
				throw new DriverError('query_failed', 'The index changed while it was read. Open the table again.')
			at += step
			position = sort
			passed.keep(at, sort)
			notices.push(...met)
		}
		return notices
	}
}

function troubleOf(found: Found): string {
	return found.notices.join(' ')
}
