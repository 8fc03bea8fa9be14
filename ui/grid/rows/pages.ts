import type { Row } from '../../../host/ui-server/api.ts'

/** How many rows are fetched at once for the view. */
export const pageSize = 100
/** How many are asked for first: more than a window has room for, and drawn in half the time of a page. */
export const firstRows = 50
/** Pages kept in memory; far ones are dropped and fetched again when they are looked at. */
const keptPages = 60

/** The pages of one table that are here: those nearest to where the person looks. */
export class Pages {
	readonly #pages = new Map<number, readonly Row[]>()

	has(page: number): boolean {
		return this.#pages.has(page)
	}

	get(page: number): readonly Row[] | undefined {
		return this.#pages.get(page)
	}

	/** The row at an index of the table, where its page is here. */
	at(index: number): Row | undefined {
		return this.#pages.get(Math.floor(index / pageSize))?.[index % pageSize]
	}

	/** The row at an index and those after it in its page, as far as they are here. */
	from(index: number): readonly Row[] {
		return this.#pages.get(Math.floor(index / pageSize))?.slice(index % pageSize) ?? []
	}

	find(id: string): Row | undefined {
		return [...this.#pages.values()].flat().find(row => row.id === id)
	}

	/** Keeps a page; beyond the limit the ones farthest from `index` go. */
	keep(page: number, rows: readonly Row[], index: number): void {
		this.#pages.set(page, rows)
		const middle = index / pageSize
		const farthest = [...this.#pages.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle))
		for (const far of farthest.slice(0, Math.max(0, farthest.length - keptPages))) this.#pages.delete(far)
	}

	clear(): void {
		this.#pages.clear()
	}

	/** Puts other rows in the place of those that `change` has another one for. */
	patch(change: (row: Row) => Row | undefined): void {
		for (const [page, rows] of this.#pages) {
			this.#pages.set(
				page,
				rows.map(row => change(row) ?? row),
			)
		}
	}
}
