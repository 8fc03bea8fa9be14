import type { Row } from '../../../host/api/api.ts'
import type { LoadedRows } from '../../grid/source.ts'

/** Rows that are fetched at once for the view. */
export const pageSize = 100
/** A page of more than some 10,000 cells takes longer to parse than a frame lasts. */
const [wideColumns, widePageSize] = [100, 25] as const
/** Rows that are fetched first: more than a window shows, and drawn in half the time of a page. */
export const firstRows = 50
/** Rows in memory; distant pages are evicted and fetched again on demand. */
const keptRows = 6000

/** The loaded pages of one table: those nearest to the view. */
export class Pages {
	readonly #pages = new Map<number, readonly Row[]>()
	#size = pageSize

	/** Rows of a page. */
	get size(): number {
		return this.#size
	}

	/** Removes all pages, and begins with those of a table of so many columns. */
	begin(columns: number): void {
		this.#pages.clear()
		this.#size = columns > wideColumns ? widePageSize : pageSize
	}

	has(page: number): boolean {
		return this.#pages.has(page)
	}

	get(page: number): readonly Row[] | undefined {
		return this.#pages.get(page)
	}

	/** Returns the row at an index of the table, if its page is loaded. */
	at(index: number): Row | undefined {
		return this.#pages.get(Math.floor(index / this.#size))?.[index % this.#size]
	}

	/** Returns the row at an index and those after it in its page, if loaded. */
	from(index: number): readonly Row[] {
		return this.#pages.get(Math.floor(index / this.#size))?.slice(index % this.#size) ?? []
	}

	/** Returns all loaded pages in order, with the index of their first row. */
	all(): readonly LoadedRows[] {
		return [...this.#pages].sort(([a], [b]) => a - b).map(([page, rows]) => ({ first: page * this.#size, rows }))
	}

	find(id: string): Row | undefined {
		return [...this.#pages.values()].flat().find(row => row.id === id)
	}

	/** Stores rows from the first of a page on; above the limit the pages farthest from `index` are evicted. */
	keep(page: number, rows: readonly Row[], index: number): void {
		const last = Math.max(page, page + Math.ceil(rows.length / this.#size) - 1)
		for (let at = page; at <= last; at++) {
			this.#pages.set(at, rows.slice((at - page) * this.#size, (at - page + 1) * this.#size))
		}
		const middle = index / this.#size
		const farthest = [...this.#pages.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle))
		for (const far of farthest.slice(0, Math.max(0, farthest.length - keptRows / this.#size))) this.#pages.delete(far)
	}

	/** Replaces rows for which `change` returns another one. */
	patch(change: (row: Row) => Row | undefined): void {
		for (const [page, rows] of this.#pages) {
			this.#pages.set(
				page,
				rows.map(row => change(row) ?? row),
			)
		}
	}
}
