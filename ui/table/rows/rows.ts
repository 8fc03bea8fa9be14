import { createSignal, onCleanup } from 'solid-js'
import type { Column, GridPage, GridQuery, Row } from '../../../host/api/api.ts'
import type { HostConnection } from '../../api/client.ts'
import type { LoadedRows, RowRange } from '../../grid/source.ts'
import { messageOf } from '../../words/message-of.ts'
import { OpenQuery } from './open-query.ts'
import { createPageFacts } from './page-facts.ts'
import { PageLoader } from './page-loader.ts'
import { firstRows, Pages } from './pages.ts'

/** Rows that are read at once outside of the view. */
const readSize = 1000

/**
 * The rows of one grid, fetched by pages as they come into view. Rows are outside of Solid's store: only the number of
 * arrivals is a signal, so a page of a thousand rows costs one update.
 */
export function createRows(host: HostConnection, connection: string) {
	const pages = new Pages()
	const [arrivals, setArrivals] = createSignal(0)
	/** The first rows of the query, which stay when their page is evicted. */
	let first: readonly Row[] = []
	const [firstArrivals, setFirstArrivals] = createSignal(0)
	/** Number of queries whose first rows have arrived. */
	const [reading, setReading] = createSignal(0)
	/** Number of pages that have arrived. */
	const [answers, setAnswers] = createSignal(0)
	const facts = createPageFacts()
	const { columns, total } = facts.seen
	const [failure, setFailure] = createSignal<string>()
	/** The user has cancelled, which is no fault. */
	const [isCancelled, setCancelled] = createSignal(false)
	const [isLoading, setLoading] = createSignal(false)
	/** The first rows of a query are under way. */
	const [isOpening, setOpening] = createSignal(false)
	let query: OpenQuery | undefined
	/** The shown rows belong to the previous query. */
	let isStale = false
	/** Of the first page only `firstRows` are loaded. */
	let isFirstCut = false
	const loader = new PageLoader({
		load,
		has: page => !isStale && !(page === 0 && isFirstCut) && pages.has(page),
		lastPage: () => Math.floor(((total()?.value ?? 1) - 1) / pages.size),
		pageSize: () => pages.size,
		onLoading: setLoading,
	})
	onCleanup(end)

	/** Ends the open query: its requests and its cursor in the engine. */
	function end(): void {
		loader.stop()
		query?.close()
		query = undefined
	}

	/** Opens a query and shows its first rows; until then the previous rows stay. */
	async function open(wanted: GridQuery): Promise<void> {
		end()
		setFailure(undefined)
		setCancelled(false)
		setOpening(true)
		isStale = true
		query = new OpenQuery(host, { connection, query: wanted, firstRows })
		await loader.load(0)
	}

	async function load(page: number, signal: AbortSignal): Promise<void> {
		const from = query
		if (!from) return
		const isFirst = page === 0 && isStale
		const { size } = pages
		try {
			const result = await (isFirst ? from.first : from.page({ offset: page * size, limit: size }, signal))
			if (query === from && (isFirst || !signal.aborted)) receive(page, result, isFirst ? firstRows : size)
		} catch (error) {
			// While the first page is missing, its error is the reason for those of the others.
			if (!signal.aborted && query === from && (isFirst || !isStale)) fail(messageOf(error))
		}
	}

	function fail(message: string): void {
		setOpening(false)
		setFailure(message)
	}

	function receive(page: number, result: GridPage, limit: number): void {
		const isFirstPage = isStale
		isStale = false
		const { rows } = result
		const { size } = pages
		if (isFirstPage) pages.begin(result.columns.length)
		// Pages of another size are under way, for example where the rows of a reopened tab are.
		if (pages.size !== size) loader.stop()
		const [top, bottom] = loader.inView
		pages.keep(page, rows, (top + bottom) / 2)
		const isTop = page === 0 && (isFirstPage || rows.length >= first.length)
		if (isTop) first = rows
		setAnswers(count => count + 1)
		if (isFirstPage) setReading(count => count + 1)
		// First, so that an error while drawing a page is reported by the view and is no failed load.
		facts.receive(result, isFirstPage)
		if (page === 0) isFirstCut = limit < pages.size && rows.length === limit
		setFailure(undefined)
		setOpening(false)
		// The view was set for the previous query.
		if (isFirstPage) loader.show(top, bottom)
		if (isTop) setFirstArrivals(count => count + 1)
		setArrivals(count => count + 1)
	}

	/**
	 * Returns the rows of a range. Missing ones are read without the page store, which holds only a part of a large range.
	 * @throws Error if they cannot be read, or the grid was reloaded meanwhile
	 */
	async function read(
		{ first, last }: RowRange,
		signal: AbortSignal,
		onProgress: (read: number) => void,
	): Promise<readonly Row[]> {
		const from = query
		if (!from) return []
		const found: Row[] = []
		while (first + found.length <= last) {
			const at = first + found.length
			const here = isStale ? [] : pages.from(at).slice(0, last - at + 1)
			const limit = Math.min(readSize, last - at + 1)
			const rows = here.length > 0 ? here : (await from.page({ offset: at, limit }, signal)).rows
			if (query !== from) throw new Error('The rows were reloaded. Select them again.')
			found.push(...rows)
			onProgress(found.length)
			if (rows !== here && rows.length < limit) break
		}
		return found
	}

	return {
		open,
		read,
		/** Fetches the rows in view, and some ahead. */
		show: (first: number, last: number) => loader.show(first, last),
		...facts.seen,
		failure,
		/** Whether the query failed, so that the rows, their number and their notices are those of the previous one. */
		isOfPrevious: () => failure() !== undefined && isStale,
		isCancelled,
		isLoading,
		isOpening,
		reading,
		answers,
		/** Aborts the first rows of a query; the previous ones stay. */
		cancel(): void {
			end()
			setCancelled(true)
			fail('You cancelled the search.')
		},
		/** Returns the row with an id, if loaded. */
		find(id: string): Row | undefined {
			arrivals()
			return pages.find(id)
		},
		/** Returns the row at an index, `undefined` while it is loading. */
		at(index: number): Row | undefined {
			arrivals()
			return pages.at(index)
		},
		/** The first rows of the query, from which its columns take their widths and looks. Does not change while the user scrolls. */
		first(): readonly Row[] {
			firstArrivals()
			return first
		},
		/** The rows in memory, in order. */
		loaded(): readonly LoadedRows[] {
			arrivals()
			return pages.all()
		},
		/** Applies the changes of a save without reading the page again. */
		patch(change: (row: Row, columns: readonly Column[]) => Row | undefined): void {
			const patched = (row: Row) => change(row, columns())
			pages.patch(patched)
			first = first.map(row => patched(row) ?? row)
			setFirstArrivals(count => count + 1)
			setArrivals(count => count + 1)
		},
	}
}

export type Rows = ReturnType<typeof createRows>
