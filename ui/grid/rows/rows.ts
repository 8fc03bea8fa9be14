import { denseCells } from '@roundhouse/kit/cell'
import { createSignal, onCleanup } from 'solid-js'
import type { Column, Count, GridPage, GridQuery, Row } from '../../../host/ui-server/api.ts'
import type { HostConnection } from '../../api/client.ts'
import { messageOf } from '../../words/message-of.ts'
import { Pages, pageSize } from './pages.ts'

/**
 * The rows of one grid, fetched by pages as they come into view. Rows are kept outside of Solid's store: only the
 * count of arrivals is a signal, so a page of a thousand rows costs one update.
 */

/** How many rows are read at once where nobody looks at them. */
const readSize = 1000
/** A fast scroll passes pages nobody reads; wait until it rests. */
const restMs = 50

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
	const [notices, setNotices] = createSignal<readonly string[]>([])
	const [tookMs, setTookMs] = createSignal<number>()
	const [request, setRequest] = createSignal<string>()
	const [failure, setFailure] = createSignal<string>()
	const [isLoading, setLoading] = createSignal(false)
	let grid: Promise<number> | undefined
	/** What is shown belongs to the query before. */
	let isStale = false
	let wanted: readonly [first: number, last: number] = [0, 0]
	let rest: ReturnType<typeof setTimeout> | undefined

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
		isStale = true
		grid = host.call('grid.open', { connection, query: { ...query, firstPage: pageSize } }).then(opened => opened.grid)
		await load(0)
	}

	async function load(page: number): Promise<void> {
		const from = grid
		if (!from || (pages.has(page) && !isStale)) return
		const underWay = loading.get(page)
		if (underWay) return underWay.done
		const abort = new AbortController()
		const { promise, resolve } = Promise.withResolvers<void>()
		const entry: Loading = { abort, done: promise }
		loading.set(page, entry)
		setLoading(true)
		try {
			const range = { offset: page * pageSize, limit: pageSize }
			const result = await host.call('grid.page', { grid: await from, ...range }, { signal: abort.signal })
			if (grid === from) receive(page, result)
		} catch (error) {
			if (!abort.signal.aborted && grid === from) setFailure(messageOf(error))
		} finally {
			if (loading.get(page) === entry) loading.delete(page)
			setLoading(loading.size > 0)
			resolve()
		}
	}

	function receive(page: number, result: GridPage): void {
		if (isStale) pages.clear()
		isStale = false
		pages.keep(page, result.rows.map(dense(result)), (wanted[0] + wanted[1]) / 2)
		if (JSON.stringify(result.columns) !== JSON.stringify(columns())) setColumns(result.columns)
		setTotal(result.total)
		setRequest(result.request)
		setNotices(result.notices)
		setTookMs(result.tookMs)
		setFailure(undefined)
		setArrivals(count => count + 1)
	}

	async function readPast(number: number, range: { offset: number; limit: number }, signal: AbortSignal) {
		const result = await host.call('grid.page', { grid: number, ...range }, { signal })
		return result.rows.map(dense(result))
	}

	/** Fetches what comes into view once the scroll rests, and gives up what is no longer looked at. */
	function show(first: number, last: number): void {
		wanted = [first, last]
		clearTimeout(rest)
		rest = setTimeout(loadWanted, restMs)
	}

	function loadWanted(): void {
		const [from, to] = wanted.map(index => Math.floor(index / pageSize)) as [number, number]
		for (const [page, { abort }] of loading) {
			if (page < from - 1 || page > to + 1) abort.abort()
		}
		for (let page = from; page <= to; page++) void load(page)
	}

	onCleanup(() => {
		clearTimeout(rest)
		end()
	})

	return {
		open,
		show,
		columns,
		total,
		notices,
		tookMs,
		/** The request of the page that came last, as the console takes it. */
		request,
		failure,
		isLoading,
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
			for (let at = first; at <= last; ) {
				const page = Math.floor(at / pageSize)
				const kept = isStale ? undefined : pages.get(page)
				const start = kept ? page * pageSize : at
				const size = kept ? pageSize : Math.min(readSize, last - at + 1)
				const rows = kept ?? (await readPast(await from, { offset: start, limit: size }, signal))
				if (grid !== from) throw new Error('The rows were loaded anew meanwhile. Select them again.')
				found.push(...rows.slice(at - start, last - start + 1))
				onProgress(found.length)
				if (rows.length < size) break
				at = start + size
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
