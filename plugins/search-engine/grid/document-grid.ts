import {
	type Call,
	type Column,
	type Count,
	DriverError,
	type Encoded,
	type Grid,
	type GridPage,
	type GridQuery,
	type JsonObject,
} from '@roundhouse/kit'
import { columnsOf, unmappedColumn } from '../mapping/columns.ts'
import { defaultWindowRows } from '../mapping/index-settings.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { mostUnmapped } from '../mapping/source.ts'
import type { QueryPlan } from '../query/query.ts'
import { planSort, type SortKey, sortBody } from '../query/sort.ts'
import { describeRequest } from '../transport/describe-request.ts'
import { isAtLeast, type Product } from '../transport/product.ts'
import { pathOf } from '../transport/request-path.ts'
import type { EngineRequest, Transport } from '../transport/transport.ts'
import { DeepPages } from './deep-pages.ts'
import { inDocumentOrder } from './document-order.ts'
import { FirstPage } from './first-page.ts'
import { type Found, readFound, runtimeFields } from './page.ts'
import { ResultWindow } from './result-window.ts'
import { RowPrinter } from './row-printer.ts'

/** The documents of one table under one filter and one order. */
export class DocumentGrid implements Grid {
	readonly #transport: Transport
	readonly #product: Product
	readonly #table: string
	readonly #mapping: Mapping
	readonly #keys: readonly SortKey[]
	/** What every search of this grid carries. */
	readonly #body: JsonObject
	readonly #notices: readonly string[]
	readonly #deep: DeepPages
	readonly #ahead: FirstPage | undefined
	readonly #unmapped = new Set<string>()
	/** Those of the mapping, in the order of the first documents that came, so that later pages have the same. */
	#mapped: readonly Column[]
	#isOrdered = false
	#columns: readonly Column[]
	#printer: RowPrinter
	/** Counted once: counting anew for each page costs more than the page. */
	#total: Count | undefined

	constructor(
		transport: Transport,
		product: Product,
		mapping: Mapping,
		query: GridQuery,
		plan: QueryPlan,
		ahead?: FirstPage,
	) {
		const sort = planSort(query.sort, mapping)
		this.#transport = transport
		this.#product = product
		this.#table = query.table
		this.#mapping = mapping
		this.#ahead = ahead
		this.#keys = sort.keys
		this.#notices = [...sort.notices, ...plan.notices]
		this.#mapped = columnsOf(mapping)
		this.#columns = this.#mapped
		this.#printer = new RowPrinter(this.#columns, mapping)
		this.#body = {
			query: plan.query,
			seq_no_primary_term: true,
			...(plan.isRanked && sort.keys.length > 0 && { track_scores: true }),
			...runtimeFields(mapping),
		}
		const byRank: SortKey[] = plan.isRanked ? [{ field: '_score', order: 'desc', nestedIn: [] }] : []
		this.#deep = new DeepPages({
			transport,
			table: query.table,
			body: this.#body,
			keys: sort.keys.length > 0 ? sort.keys : byRank,
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
			notices: [...this.#notices, ...this.#sourcelessNotice(), ...this.#unmappedNotice(), ...found.notices],
		})
	}

	/** Sends the search for the first rows; another grid of the same query may take its answer. */
	begin(rows: number): FirstPage {
		return new FirstPage(this.#transport, this.#searchFrom(0, rows))
	}

	async close(): Promise<void> {
		this.#ahead?.drop()
		try {
			await this.#deep.close(AbortSignal.timeout(5_000))
		} catch {
			// The point-in-time runs out by itself, and nobody waits for this answer.
		}
	}

	async #shallow(offset: number, limit: number, signal: AbortSignal): Promise<Found> {
		const request = this.#searchFrom(offset, limit)
		const reply = await (this.#ahead?.take(request, signal) ?? this.#transport.send(request, signal))
		return readFound(reply)
	}

	#searchFrom(offset: number, limit: number): EngineRequest {
		const body = {
			from: offset,
			size: limit,
			...this.#body,
			track_total_hits: this.#total === undefined,
			...(this.#keys.length > 0 && { sort: sortBody(this.#keys) }),
		}
		return { method: 'POST', path: `${pathOf(this.#table)}/_search`, body, isRead: true }
	}

	#beyondWindow(offset: number, limit: number, signal: AbortSignal): Promise<Found> {
		if (isAtLeast(this.#product.version, 7, 12)) return this.#deep.read(offset, limit, signal)
		throw new DriverError(
			'unsupported',
			`Elasticsearch ${this.#product.info.version} cannot page past 10,000 rows (7.12 and later can). Narrow with a filter, or sort the other way round.`,
		)
	}

	#sourcelessNotice(): string[] {
		const { sourceless } = this.#mapping
		if (sourceless.length === 0) return []
		return [`${sourceless.join(', ')} keeps no documents (_source is disabled): their fields cannot be shown.`]
	}

	#unmappedNotice(): string[] {
		if (this.#unmapped.size < mostUnmapped) return []
		return [`Only ${mostUnmapped} of the keys outside the mapping are columns; a row shows all of its own.`]
	}

	/** Keys that the mapping does not know become columns at the end, and stay for the grid's later pages. */
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

/** A page of rows that are printed already. */
function withRows(rows: Uint8Array, page: Omit<GridPage, 'rows'>): Encoded<GridPage> {
	return Buffer.concat([Buffer.from('{"rows":'), rows, Buffer.from(`,${JSON.stringify(page).slice(1)}`)])
}
