import {
	type Call,
	type Column,
	type Count,
	DriverError,
	type Encoded,
	type Grid,
	type GridPage,
	type GridQuery,
} from '@roundhouse/kit'
import { columnsOf, unmappedColumn } from '../mapping/columns.ts'
import { defaultWindowRows } from '../mapping/index-settings.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { maxUnmapped } from '../mapping/source.ts'
import type { QueryPlan } from '../query/query.ts'
import type { SortKey } from '../query/sort.ts'
import { describeRequest } from '../transport/describe-request.ts'
import { named } from '../transport/engine-words.ts'
import { isAtLeast, type Product } from '../transport/product.ts'
import type { EngineRequest, Transport } from '../transport/transport.ts'
import { DeepPages } from './deep-pages.ts'
import { inDocumentOrder } from './document-order.ts'
import type { FirstPage } from './first-page.ts'
import { GridSearch } from './grid-search.ts'
import { type Found, readFound } from './page.ts'
import { ResultWindow } from './result-window.ts'
import { RowPrinter } from './row-printer.ts'

/** The documents of one table with one filter and one order. */
export class DocumentGrid implements Grid {
	readonly #transport: Transport
	readonly #product: Product
	readonly #mapping: Mapping
	readonly #search: GridSearch
	readonly #deep: DeepPages
	readonly #ahead: FirstPage | undefined
	readonly #unmapped = new Set<string>()
	/** Columns of the mapping, in the order of the first documents, so that later pages have the same order. */
	#mapped: readonly Column[]
	#isOrdered = false
	#columns: readonly Column[]
	#printer: RowPrinter
	/** Counted once, because a count for each page costs more than the page. */
	#total: Count | undefined

	constructor(options: {
		readonly transport: Transport
		readonly product: Product
		readonly query: GridQuery
		readonly plan: QueryPlan
		readonly mapping: Mapping
		/** The first page, if it was requested before the mapping was known. */
		readonly ahead: FirstPage | undefined
	}) {
		const { transport, product, query, plan, mapping, ahead } = options
		this.#transport = transport
		this.#product = product
		this.#mapping = mapping
		this.#ahead = ahead
		this.#search = new GridSearch({ query, plan, mapping, version: product.version })
		this.#mapped = columnsOf(mapping)
		this.#columns = this.#mapped
		this.#printer = new RowPrinter(this.#columns, mapping)
		const byRank: SortKey[] = plan.isRanked ? [{ field: '_score', order: 'desc', nestedIn: [] }] : []
		const { body, keys } = this.#search
		this.#deep = new DeepPages({
			transport,
			table: query.table,
			body,
			keys: keys.length > 0 ? keys : byRank,
			window: new ResultWindow(mapping.windowRows),
		})
	}

	async page(range: { readonly offset: number; readonly limit: number }, call: Call): Promise<Encoded<GridPage>> {
		const { offset, limit } = range
		if (!Number.isInteger(offset) || !Number.isInteger(limit) || offset < 0 || limit < 1 || limit > defaultWindowRows) {
			throw new DriverError('invalid_argument', 'A page needs an offset from 0 and a limit from 1 to 10,000.')
		}
		const found = await (offset + limit <= defaultWindowRows
			? this.#shallow(offset, limit, call.signal)
			: this.#beyondWindow(offset, limit, call.signal))
		this.#total = found.total ?? this.#total
		const rows = this.#printRows(found)
		return withRows(rows, {
			columns: this.#columns,
			total: this.#total ?? { value: offset + found.hits.length, isExact: false },
			tookMs: found.tookMs,
			request: describeRequest(this.#searchFrom(offset, limit)),
			notices: [...this.#search.notices, ...this.#sourcelessNotice(), ...this.#unmappedNotice(), ...found.notices],
		})
	}

	async close(): Promise<void> {
		this.#ahead?.drop()
		try {
			await this.#deep.close(AbortSignal.timeout(5_000))
		} catch {
			// The point-in-time expires anyway, so a failure can be ignored.
		}
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
			`Elasticsearch ${this.#product.info.version} cannot page past 10,000 rows (7.12 and later can). Narrow the rows with a filter, or reverse the sort.`,
		)
	}

	#sourcelessNotice(): string[] {
		const { sourceless } = this.#mapping
		if (sourceless.length === 0) return []
		return [
			`${sourceless.map(named).join(', ')} stores no documents (_source is disabled), so their fields cannot be shown.`,
		]
	}

	#unmappedNotice(): string[] {
		if (this.#unmapped.size < maxUnmapped) return []
		return [`Only ${maxUnmapped} of the keys outside the mapping are columns. The view of a row shows all of its keys.`]
	}

	/** Keys outside the mapping become columns at the end, and remain for the grid's later pages. */
	#printRows(found: Found): Uint8Array {
		if (!this.#isOrdered && found.hits.length > 0) {
			this.#isOrdered = true
			this.#mapped = inDocumentOrder(this.#mapped, found.hits)
			this.#layOut()
		}
		const before = this.#unmapped.size
		const rows = this.#printer.print(found.hits, this.#unmapped)
		if (this.#unmapped.size === before) return rows
		this.#layOut()
		return this.#printer.print(found.hits, this.#unmapped)
	}

	#layOut() {
		this.#columns = [...this.#mapped, ...[...this.#unmapped].map(unmappedColumn)]
		this.#printer = new RowPrinter(this.#columns, this.#mapping)
	}
}

/** Returns a page with rows that are already printed. */
function withRows(rows: Uint8Array, page: Omit<GridPage, 'rows'>): Encoded<GridPage> {
	return Buffer.concat([Buffer.from('{"rows":'), rows, Buffer.from(`,${JSON.stringify(page).slice(1)}`)])
}
