import type { Row } from '../../../host/api/api.ts'
import type { LoadedRows } from '../../grid/source.ts'

/** Rows that are fetched at once for the view. */
export const pageSize = 100
/** Rows that are fetched first: more than a window shows, and drawn in half the time of a page. */
export const firstRows = 50
/** Pages in memory; distant ones are evicted and fetched again on demand. */
const keptPages = 60

/** The loaded pages of one table: those nearest to the view. */
export class Pages {
	readonly #pages = new Map<number, readonly Row[]>()

	has(page: number): boolean {
		return this.#pages.has(page)
	}

	get(page: number): readonly Row[] | undefined {
		return this.#pages.get(page)
	}

	/** Returns the row at an index of the table, if its page is loaded. */
	at(index: number): Row | undefined {
		return this.#pages.get(Math.floor(index / pageSize))?.[index % pageSize]
	}

	/** Returns the row at an index and those after it in its page, if loaded. */
	from(index: number): readonly Row[] {
		return this.#pages.get(Math.floor(index / pageSize))?.slice(index % pageSize) ?? []
	}

	/** Returns all loaded pages in order, with the index of their first row. */
	all(): readonly LoadedRows[] {
		return [...this.#pages].sort(([a], [b]) => a - b).map(([page, rows]) => ({ first: page * pageSize, rows }))
	}

	find(id: string): Row | undefined {
		return [...this.#pages.values()].flat().find(row => row.id === id)
	}

	/** Stores a page; above the limit the pages farthest from `index` are evicted. */
	keep(page: number, rows: readonly Row[], index: number): void {
		this.#pages.set(page, rows)
		const middle = index / pageSize
		const farthest = [...this.#pages.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle))
		for (const far of farthest.slice(0, Math.max(0, farthest.length - keptPages))) this.#pages.delete(far)
	}

	clear(): void {
		this.#pages.clear()
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
