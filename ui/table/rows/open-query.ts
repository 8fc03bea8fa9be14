import { denseRow } from '@roundhouse/kit/cell'
import type { GridPage, GridQuery } from '../../../host/api/api.ts'
import type { HostConnection } from '../../api/client.ts'

interface Range {
	readonly offset: number
	readonly limit: number
}

/** The table, and the number of rows that open with it. */
interface OpenQueryOptions {
	readonly connection: string
	readonly query: GridQuery
	readonly firstRows: number
}

/** A query that is open in the host, with its cursor in the engine. */
export class OpenQuery {
	static #last = 0
	readonly #host: HostConnection
	readonly #grid = ++OpenQuery.#last
	readonly #abort = new AbortController()
	/** The rows `0` to `firstRows`, which arrive with the answer that the query is open. */
	readonly first: Promise<GridPage>

	constructor(host: HostConnection, { connection, query, firstRows }: OpenQueryOptions) {
		this.#host = host
		const range = { offset: 0, limit: firstRows }
		const opening = { connection, grid: this.#grid, query, ...range }
		this.first = host.call('grid.open', opening, { signal: this.#abort.signal }).then(withDenseRows)
	}

	/** @throws Error, also if the query could not be opened */
	async page(range: Range, signal: AbortSignal): Promise<GridPage> {
		return withDenseRows(await this.#host.call('grid.page', { grid: this.#grid, ...range }, { signal }))
	}

	/** Cancels the opening and closes the cursor. Requests for pages have their own signals. */
	close(): void {
		this.#abort.abort()
		// A grid that is unknown to the host needs no closing.
		void this.#host.call('grid.close', { grid: this.#grid }).catch(() => {})
	}
}

function withDenseRows(page: GridPage): GridPage {
	return { ...page, rows: page.rows.map(row => denseRow(row, page.columns.length)) }
}
