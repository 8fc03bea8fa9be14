import { denseCells } from '@roundhouse/kit/cell'
import { createSignal, onCleanup } from 'solid-js'
import type { Column, Count, GridPage, GridQuery, Row } from '../../../host/ui-server/api.ts'
import type { HostConnection } from '../../api/client.ts'
import { messageOf } from '../../words/message-of.ts'
import { firstRows, Pages, pageSize } from './pages.ts'
import { learnUniform, type Uniform } from './uniform.ts'

/**
 * The rows of one grid, fetched by pages as they come into view. Rows are kept outside of Solid's store: only the
 * count of arrivals is a signal, so a page of a thousand rows costs one update.
 */

/** How many rows are read at once where nobody looks at them. */
const readSize = 1000
/** A fast scroll passes pages nobody reads: those are looked at that are in view about once a frame. */
const betweenMs = 12
/** Pages that are fetched before they come into view, in the direction of the scroll. */
const pagesAhead = 2

/** A page on its way. */
interface Loading {
	readonly abort: AbortController
	readonly done: Promise<void>
}

export function createRows(host: HostConnection, connection: string) {
	const pages = new Pages()
	const loading = new Map<number, Loading>()
	const [arrivals, setArrivals] = createSignal(0)
	const [columns, setColumns] = createSignal<readonly Column[]>([])
	const [total, setTotal] = createSignal<Count>()
	const [uniform, setUniform] = createSignal<Uniform>()
	const [notices, setNotices] = createSignal<readonly string[]>([])
	const [tookMs, setTookMs] = createSignal<number>()
	const [request, setRequest] = createSignal<string>()
	const [failure, setFailure] = createSignal<string>()
	const [isLoading, setLoading] = createSignal(false)
	/** The first rows of a query are on their way. */
	const [isOpening, setOpening] = createSignal(false)
	let grid: Promise<number> | undefined
	/** What is shown belongs to the query before. */
	let isStale = false
	/** The first page is here only as far as `firstRows`. */
	let isFirstCut = false
	let wanted: readonly [first: number, last: number] = [0, 0]
	let isGoingUp = false
	let next: ReturnType<typeof setTimeout> | undefined

	/** Ends the query that is open: what it has under way, and its cursor in the engine. */
	function end(): void {
		for (const { abort } of loading.values()) abort.abort()
		loading.clear()
		const closing = grid
		grid = undefined
		void closing?.then(number => host.call('grid.close', { grid: number })).catch(() => {})
	}

	/** Opens a query and shows its first page; until that comes, what was shown stays in view. */
	async function open(query: GridQuery): Promise<void> {
		end()
		setFailure(undefined)
		setOpening(true)
		isStale = true
		grid = host.call('grid.open', { connection, query: { ...query, firstPage: firstRows } }).then(opened => opened.grid)
		await load(0)
	}

	async function load(page: number): Promise<void> {
		const from = grid
		if (!from || kept(page)) return
		const underWay = loading.get(page)
		if (underWay) return underWay.done
		const abort = new AbortController()
		const { promise, resolve } = Promise.withResolvers<void>()
		const entry: Loading = { abort, done: promise }
		loading.set(page, entry)
		setLoading(true)
		try {
			const range = { offset: page * pageSize, limit: page === 0 && isStale ? firstRows : pageSize }
			const result = await host.call('grid.page', { grid: await from, ...range }, { signal: abort.signal })
			if (grid === from) receive(page, result, range.limit)
		} catch (error) {
			if (!abort.signal.aborted && grid === from) fail(messageOf(error))
		} finally {
			if (loading.get(page) === entry) loading.delete(page)
			setLoading(loading.size > 0)
			resolve()
		}
	}

	/** A page that is here whole. */
	function kept(page: number): readonly Row[] | undefined {
		return isStale || (page === 0 && isFirstCut) ? undefined : pages.get(page)
	}

	function fail(message: string): void {
		setOpening(false)
		setFailure(message)
	}

	function receive(page: number, result: GridPage, limit: number): void {
		if (isStale) pages.clear()
		const isFirstPage = isStale
		isStale = false
		const rows = result.rows.map(dense(result))
		pages.keep(page, rows, (wanted[0] + wanted[1]) / 2)
		// First, so that a page which cannot be drawn is the view's fault to tell, and no failed load.
		if (JSON.stringify(result.columns) !== JSON.stringify(columns())) setColumns(result.columns)
		setUniform(known => learnUniform(known, result.columns, rows, isFirstPage))
		if (page === 0) isFirstCut = limit < pageSize && rows.length === limit
		setTotal(result.total)
		setRequest(result.request)
		setNotices(result.notices)
		setTookMs(result.tookMs)
		setFailure(undefined)
		setOpening(false)
		// Of the query before other pages were in view.
		if (isFirstPage) show(...wanted)
		setArrivals(count => count + 1)
	}

	async function readPast(number: number, range: { offset: number; limit: number }, signal: AbortSignal) {
		const result = await host.call('grid.page', { grid: number, ...range }, { signal })
		return result.rows.map(dense(result))
	}

	/** Fetches what comes into view, and what lies ahead of it, a few times in the time of a glance. */
	function show(first: number, last: number): void {
		isGoingUp = first === wanted[0] ? isGoingUp : first < wanted[0]
		wanted = [first, last]
		next ??= setTimeout(loadWanted, betweenMs)
	}

	function loadWanted(): void {
		next = undefined
		const [from, to] = wanted.map(index => Math.floor(index / pageSize)) as [number, number]
		const lastPage = Math.floor(((total()?.value ?? 1) - 1) / pageSize)
		const low = Math.max(0, isGoingUp ? from - pagesAhead : from)
		const high = Math.min(Math.max(lastPage, to), isGoingUp ? to : to + pagesAhead)
		for (const [page, { abort }] of loading) {
			if (page >= low && page <= high) continue
			abort.abort()
			// It may be looked at again before its answer says that it was given up.
			loading.delete(page)
		}
		for (let page = from; page <= to; page++) void load(page)
		for (let page = to + 1; page <= high; page++) void load(page)
		for (let page = from - 1; page >= low; page--) void load(page)
	}

	onCleanup(() => {
		clearTimeout(next)
		end()
	})

	return {
		open,
		show,
		columns,
		/** Columns that say the same in every row that came. */
		uniform,
		total,
		notices,
		tookMs,
		/** The request of the page that came last, as the console takes it. */
		request,
		failure,
		isLoading,
		isOpening,
		/** Gives up the first rows of a query; those of the one before stay. */
		cancel(): void {
			end()
			fail('The rows were not loaded.')
		},
		/** The row with an id, where it is here. */
		find: (id: string): Row | undefined => pages.find(id),
		/** The row at an index, `undefined` while it is on its way. */
		at(index: number): Row | undefined {
			arrivals()
			return pages.at(index)
		},
		/**
		 * The rows of a range. Those that are not here are read past what is kept for the view, which holds a part of a
		 * large range only. @throws Error where they cannot be read, or the grid was loaded anew meanwhile
		 */
		async read(
			first: number,
			last: number,
			signal: AbortSignal,
			onProgress: (read: number) => void,
		): Promise<readonly Row[]> {
			const from = grid
			if (!from) return []
			const found: Row[] = []
			while (first + found.length <= last) {
				const at = first + found.length
				const here = isStale ? [] : pages.from(at).slice(0, last - at + 1)
				const limit = Math.min(readSize, last - at + 1)
				const rows = here.length > 0 ? here : await readPast(await from, { offset: at, limit }, signal)
				if (grid !== from) throw new Error('The rows were loaded anew meanwhile. Select them again.')
				found.push(...rows)
				onProgress(found.length)
				if (rows !== here && rows.length < limit) break
			}
			return found
		},
		/** Shows what a save has changed, without reading the page again. */
		patch(change: (row: Row, columns: readonly Column[]) => Row | undefined): void {
			pages.patch(row => change(row, columns()))
			setArrivals(count => count + 1)
		},
	}
}
function dense({ columns }: GridPage): (row: Row) => Row {
	return ({ at, ...row }) => ({ ...row, cells: at ? denseCells({ cells: row.cells, at }, columns.length) : row.cells })
}

export type Rows = ReturnType<typeof createRows>
