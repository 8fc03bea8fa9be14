import {
	type Call,
	type Column,
	type Count,
	DriverError,
	type Encoded,
	type Grid,
	type GridOpening,
	type GridPage,
} from '@roundhouse/kit'
import { hasDecimals } from '../hits/decimals.ts'
import type { Hit } from '../hits/read-hits.ts'
import { columnsOf, unmappedColumn } from '../mapping/columns.ts'
import { defaultWindowRows } from '../mapping/index-settings.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { whyNoInsert } from '../mapping/several.ts'
import type { SortKey } from '../mapping/sort-key.ts'
import { maxUnmapped } from '../mapping/source.ts'
import type { QueryPlan } from '../query/query.ts'
import { roundingNotices } from '../query/sort.ts'
import { describeRequest } from '../transport/describe-request.ts'
import type { EngineRequest } from '../transport/engine-request.ts'
import { named } from '../transport/engine-words.ts'
import { OversizedAnswer } from '../transport/failure.ts'
import { isAtLeast, type Product } from '../transport/product.ts'
import type { Transport } from '../transport/transport.ts'
import { BatchSize } from './batch-size.ts'
import { DeepPages, expiredNotice } from './deep-pages.ts'
import { inDocumentOrder } from './document-order.ts'
import type { FirstPage } from './first-page.ts'
import { GridSearch } from './grid-search.ts'
import { type HeldViews, positionText } from './held-views.ts'
import { largeFields } from './large-fields.ts'
import type { OpenView } from './open-view.ts'
import { type Found, readFound } from './page.ts'
import type { Position } from './positions.ts'
import { ResultWindow } from './result-window.ts'
import { RowPrinter } from './row-printer.ts'

/** Rows as a JSON list, because their documents may be too large to be kept. */
interface PrintedRows extends Omit<Found, 'hits'> {
	readonly rows: Uint8Array
	readonly count: number
	readonly columns: readonly Column[]
}

/** A view that is open already, and places in it. */
type Continued =
	| { readonly view: OpenView; readonly places: readonly (readonly [offset: number, position: Position])[] }
	| undefined

/** How rows are printed. */
interface Layout {
	readonly columns: readonly Column[]
	readonly printer: RowPrinter
}

const reopenedNotice = 'The view of the index was opened again, because of its large values. Rows may have moved.'

/** The documents of one table with one filter and one order. */
export class DocumentGrid implements Grid {
	readonly #transport: Transport
	readonly #product: Product
	readonly #query: GridOpening
	readonly #plan: QueryPlan
	readonly #mapping: Mapping
	/** Paths of fields that are left out of the answers, because they are large. */
	#leftOut: readonly string[] = []
	#search: GridSearch
	#deep: DeepPages
	readonly #ahead: FirstPage | undefined
	/** Absent if rows need no positions. */
	readonly #views: HeldViews | undefined
	readonly #unmapped = new Set<string>()
	/** Columns of the mapping, in the order of the first documents, so that later pages have the same order. */
	#mapped: readonly Column[]
	#isOrdered = false
	#columns: readonly Column[]
	#printer: RowPrinter
	readonly #window: ResultWindow
	readonly #batch: BatchSize
	/** Whether the documents of a page did not fit into one answer, although large fields are left out. */
	#isHeavy = false
	#isClosed = false
	/** Whether rows may have moved, which the next page reports. */
	#isReopened = false
	/** Whether the view of the pages before is closed, which the next page reports. */
	#isExpired = false
	/** Whether the view stays open behind the grid, because a row of it has a position. */
	#isHeld = false
	/** Counted once, because a count for each page costs more than the page. */
	#total: Count | undefined

	constructor(options: {
		readonly transport: Transport
		readonly product: Product
		readonly query: GridOpening
		readonly plan: QueryPlan
		readonly mapping: Mapping
		/** The first page, if it was requested before the mapping was known. */
		readonly ahead: FirstPage | undefined
		/** Of the connection. */
		readonly timeZone: string
		/** Where views are held between the grids of a client. */
		readonly views: HeldViews
	}) {
		const { transport, product, query, plan, mapping, ahead, timeZone, views } = options
		this.#transport = transport
		this.#product = product
		this.#query = query
		this.#plan = plan
		this.#mapping = mapping
		this.#ahead = ahead
		this.#window = new ResultWindow(mapping.windowRows)
		this.#search = this.#newSearch()
		// Before this version a point-in-time gives rows no place.
		this.#views = query.givesPositions && isAtLeast(product.version, 7, 12) ? views : undefined
		this.#deep = this.#newDeepPages(this.#continued())
		this.#mapped = columnsOf(mapping, { isRanked: this.#search.isRanked, timeZone })
		this.#columns = this.#mapped
		this.#printer = new RowPrinter(this.#columns, mapping, { without: query.without ?? [] })
		this.#batch = new BatchSize(this.#window)
	}

	#newSearch(): GridSearch {
		return new GridSearch({
			query: this.#query,
			plan: this.#plan,
			mapping: this.#mapping,
			leftOut: this.#leftOut,
		})
	}

	/** Where an earlier grid of the same query ended, if its view is still open. */
	#continued(): Continued {
		const { after } = this.#query
		const found = after && this.#views?.find(after.position)
		this.#isExpired = after !== undefined && found === undefined
		if (after === undefined || found === undefined) return undefined
		const { body } = this.#search
		if (!found.view.isOrderOf({ body, keys: this.#keys }))
			throw new DriverError('invalid_argument', 'The cursor is of another query. Begin with the first page.')
		return { view: found.view.continued(body), places: [[after.offset, found.position]] }
	}

	get #keys(): readonly SortKey[] {
		const byRank: SortKey[] = this.#search.isRanked ? [{ field: '_score', order: 'desc', nestedIn: [] }] : []
		const { keys } = this.#search
		return keys.length > 0 ? keys : byRank
	}

	#newDeepPages(continued?: Continued): DeepPages {
		return new DeepPages({
			transport: this.#transport,
			table: this.#query.table,
			body: this.#search.body,
			keys: this.#keys,
			window: this.#window,
			continued,
			isHeld: this.#views !== undefined,
		})
	}

	async page(range: { readonly offset: number; readonly limit: number }, call: Call): Promise<Encoded<GridPage>> {
		const { offset, limit } = range
		if (!Number.isInteger(offset) || !Number.isInteger(limit) || offset < 0 || limit < 1 || limit > defaultWindowRows) {
			throw new DriverError('invalid_argument', 'A page needs an offset from 0 and a limit from 1 to 10,000.')
		}
		const { rows, count, columns, tookMs, notices } = await this.#read(offset, limit, call)
		const insert = whyNoInsert(this.#query.table)
		return withRows(rows, {
			columns,
			total: this.#total ?? { value: offset + count, isExact: false },
			tookMs,
			...(insert !== undefined && { cannot: { insert } }),
			request: describeRequest(this.#transport.asSent(this.#searchFrom(offset, limit))),
			notices: [
				...this.#search.notices,
				...this.#mappingNotices(),
				...this.#unmappedNotice(),
				...this.#leftOutNotice(),
				...this.#takeReopenedNotice(),
				...notices,
			],
		})
	}

	async close(): Promise<void> {
		this.#isClosed = true
		this.#ahead?.drop()
		if (this.#isHeld) this.#deep.takeView()
		await closed(this.#deep)
	}

	async #read(offset: number, limit: number, call: Call): Promise<PrintedRows> {
		if (this.#isHeavy) return this.#readInPieces(offset, limit, call)
		const leftOut = this.#leftOut
		const found = await this.#findUnlessOversized(offset, limit, call.signal)
		// Another page may have decided meanwhile what is left out.
		const isCurrent = leftOut === this.#leftOut
		if (found && leftOut.length === 0) return this.#printed(found)
		if (found && isCurrent && !found.hits.some(hasReprinted)) return this.#printed(found)
		if (isCurrent && found) this.#readWhole()
		else if (isCurrent) await this.#leaveOutLargeFields(offset, limit, call)
		return this.#read(offset, limit, call)
	}

	async #findUnlessOversized(offset: number, limit: number, signal: AbortSignal): Promise<Found | undefined> {
		try {
			return await this.#find(offset, limit, signal)
		} catch (error) {
			if (!(error instanceof OversizedAnswer) || limit === 1) throw error
			return undefined
		}
	}

	/** Finds the large fields in some rows of a page. From then on, no answer contains them. */
	async #leaveOutLargeFields(offset: number, limit: number, call: Call): Promise<void> {
		const before = this.#leftOut
		const found = await this.#batch.read({
			ask: rows => this.#find(offset, rows, call.signal),
			sizeOf: sizeOfDocuments,
			most: Math.ceil(limit / 10),
		})
		// Another page has found them meanwhile. This answer contains them still.
		if (this.#leftOut !== before || this.#isHeavy) return
		// Adds columns for keys outside the mapping.
		this.#printed(found)
		const large = largeFields(found.hits, {
			columns: this.#columns,
			mapping: this.#mapping,
			leftOut: this.#leftOut,
			rows: limit,
		})
		if (large.length === 0) {
			this.#isHeavy = true
			return
		}
		this.#leaveOut([...this.#leftOut, ...large])
	}

	/** From now on, no answer leaves a value out. */
	#readWhole(): void {
		this.#isHeavy = true
		this.#leaveOut([])
	}

	#leaveOut(paths: readonly string[]): void {
		this.#leftOut = paths
		this.#search = this.#newSearch()
		const view = this.#views && this.#deep.takeView()
		this.#isReopened ||= this.#deep.view !== undefined
		void closed(this.#deep)
		const places = view?.forward.all ?? []
		this.#deep = this.#newDeepPages(view && { view: view.continued(this.#search.body), places })
		this.#layOut()
	}

	#takeReopenedNotice(): string[] {
		const notices = [...(this.#isReopened ? [reopenedNotice] : []), ...(this.#isExpired ? [expiredNotice] : [])]
		this.#isReopened = false
		this.#isExpired = false
		return notices
	}

	/**
	 * Reads large documents a few at a time, and keeps only their printed rows. Keys outside the mapping that only later
	 * pieces have become columns of the next page.
	 */
	async #readInPieces(offset: number, limit: number, call: Call): Promise<PrintedRows> {
		const pieces: PrintedRows[] = []
		let layout: Layout | undefined
		let [count, bytes] = [0, 0]
		do {
			const found = await this.#batch.read({
				ask: rows => this.#find(offset + count, rows, call.signal),
				sizeOf: sizeOfDocuments,
				most: limit - count,
			})
			const piece: PrintedRows = this.#printed(found, layout)
			// A page that is loaded at the same time may add columns, which these rows do not have.
			layout ??= { columns: piece.columns, printer: this.#printer }
			pieces.push(piece)
			count += piece.count
			bytes += sizeOfDocuments(found)
			call.progress({ done: count, total: limit })
			if (piece.count === 0) break
		} while (count < limit && offset + count < (this.#total?.value ?? 0))
		const megabytes = Math.round(bytes / 1_000_000)
		return {
			rows: joinLists(pieces.map(({ rows }) => rows)),
			count,
			columns: pieces[0]?.columns ?? this.#columns,
			tookMs: pieces.reduce((sum, { tookMs }) => sum + tookMs, 0),
			notices: [
				`The documents of this page have ${megabytes} MB, so they were read in ${pieces.length} parts.`,
				...new Set(pieces.flatMap(({ notices }) => notices)),
			],
		}
	}

	async #find(offset: number, limit: number, signal: AbortSignal): Promise<Found> {
		if (this.#isClosed) throw new DriverError('user_cancelled', 'The grid was closed.')
		// A point-in-time keeps the rows of several searches in one order.
		const hasViews = isAtLeast(this.#product.version, 7, 12)
		const isContinuous = (this.#isHeavy && hasViews) || this.#views !== undefined
		const isShallow = offset + limit <= defaultWindowRows && !isContinuous
		return isShallow ? this.#shallow(offset, limit, signal) : this.#beyondWindow(offset, limit, signal)
	}

	async #shallow(offset: number, limit: number, signal: AbortSignal): Promise<Found> {
		const request = this.#searchFrom(offset, limit)
		const reply = await (this.#ahead?.take(request, signal) ?? this.#transport.send(request, signal))
		return readFound(reply)
	}

	#searchFrom(offset: number, limit: number): EngineRequest {
		return this.#search.from(offset, limit, this.#total === undefined)
	}

	#beyondWindow(offset: number, limit: number, signal: AbortSignal): Promise<Found> {
		if (isAtLeast(this.#product.version, 7, 12)) return this.#deep.read(offset, limit, signal)
		throw new DriverError(
			'unsupported',
			`Elasticsearch ${this.#product.info.version} cannot page past 10,000 documents (7.12 and later can). Narrow them with a filter, or reverse the sort.`,
		)
	}

	#mappingNotices(): string[] {
		const { sourceless, isInferred } = this.#mapping
		if (isInferred) {
			return [
				'This credential may not read the mapping (privilege view_index_metadata). Types are those of searches, and documents cannot be edited.',
			]
		}
		if (sourceless.length === 0) return []
		return [
			`${sourceless.map(named).join(', ')} stores no documents (_source is disabled), so their fields cannot be shown.`,
		]
	}

	#leftOutNotice(): string[] {
		if (this.#leftOut.length === 0) return []
		return [`Pages leave out large values: ${this.#leftOut.map(named).join(', ')}. They are read with the whole row.`]
	}

	#unmappedNotice(): string[] {
		if (this.#unmapped.size < maxUnmapped) return []
		return [`Only ${maxUnmapped} of the keys outside the mapping are columns. The view of a row shows all of its keys.`]
	}

	/** Returns what gives rows their place. Holds the view, unless no row is behind them. */
	#placing({ hits, total }: Found): ((hit: Hit) => string | undefined) | undefined {
		const { view } = this.#deep
		const isWhole = total?.value === hits.length
		if (this.#views === undefined || view === undefined || isWhole) return undefined
		this.#isHeld = true
		const name = this.#views.hold(view)
		return hit => positionText(name, hit.value('sort'))
	}

	/** @param layout for rows that continue others. Otherwise keys that the columns lack become columns. */
	#printed(found: Found, layout?: Layout): PrintedRows {
		const { hits, total, tookMs } = found
		const rounded = roundingNotices(this.#keys, () => hits.map(hit => hit.value('sort')))
		const notices = [...found.notices, ...rounded]
		this.#total = total ?? this.#total
		const positionOf = this.#placing(found)
		if (layout) {
			const rows = layout.printer.print(hits, this.#unmapped, positionOf)
			return { rows, count: hits.length, columns: layout.columns, tookMs, notices }
		}
		if (!this.#isOrdered && hits.length > 0) {
			this.#isOrdered = true
			this.#mapped = inDocumentOrder(this.#mapped, hits)
			this.#layOut()
		}
		let rows = this.#printer.print(hits, this.#unmapped, positionOf)
		if (this.#columns.length < this.#mapped.length + this.#unmapped.size) {
			this.#layOut()
			rows = this.#printer.print(hits, this.#unmapped, positionOf)
		}
		return { rows, count: hits.length, columns: this.#columns, tookMs, notices }
	}

	/** Keys outside the mapping become columns at the end, and remain for the grid's later pages. */
	#layOut() {
		this.#columns = [...this.#mapped, ...[...this.#unmapped].map(unmappedColumn)]
		this.#printer = new RowPrinter(this.#columns, this.#mapping, {
			leftOut: this.#leftOut,
			without: this.#query.without ?? [],
		})
	}
}

async function closed(pages: DeepPages): Promise<void> {
	try {
		await pages.close(AbortSignal.timeout(5_000))
	} catch {
		// The point-in-time expires anyway, so a failure can be ignored.
	}
}

/** Returns whether the engine's source filter may have printed a number of the document again. */
function hasReprinted(hit: Hit): boolean {
	const range = hit.range('_source')
	return range !== undefined && hasDecimals(hit.scanner, range)
}

function sizeOfDocuments({ hits }: Found): number {
	return hits.reduce((sum, { start, end }) => sum + end - start, 0)
}

/** Returns one JSON list with the elements of all. */
function joinLists(lists: readonly Uint8Array[]): Uint8Array {
	const full = lists.filter(list => list.length > 2)
	const parts = full.flatMap((list, index) => [Buffer.from(index === 0 ? '[' : ','), list.subarray(1, -1)])
	return Buffer.concat([...(full.length === 0 ? [Buffer.from('[')] : parts), Buffer.from(']')])
}

/** Returns a page with rows that are already printed. */
function withRows(rows: Uint8Array, page: Omit<GridPage, 'rows'>): Encoded<GridPage> {
	return Buffer.concat([Buffer.from('{"rows":'), rows, Buffer.from(`,${JSON.stringify(page).slice(1)}`)])
}
