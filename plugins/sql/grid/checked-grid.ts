import { type Call, type Encoded, type Grid, type GridPage, isDriverError } from '@roundhouse/kit'

interface CheckedGridParts<Shape> {
	/** A kept description of the table. */
	readonly kept: Shape
	readonly open: (shape: Shape) => Grid
	/** Reads the description again. */
	readonly read: (call: Call) => Promise<Shape>
}

/** A grid by a kept description of its table. If the first page shows that it is out of date, the table is read again. */
export class CheckedGrid<Shape> implements Grid {
	readonly #parts: CheckedGridParts<Shape>
	#grid: Grid | undefined

	constructor(parts: CheckedGridParts<Shape>) {
		this.#parts = parts
	}

	async page(at: { readonly offset: number; readonly limit: number }, call: Call): Promise<Encoded<GridPage>> {
		if (this.#grid) return this.#grid.page(at, call)
		const { kept, open, read } = this.#parts
		try {
			const grid = open(kept)
			const page = await grid.page(at, call)
			this.#grid = grid
			return page
		} catch (error) {
			if (!isDriverError(error) || !mayBeOutdated.has(error.code)) throw error
		}
		this.#grid = open(await read(call))
		return this.#grid.page(at, call)
	}

	async close(): Promise<void> {
		await this.#grid?.close()
	}
}

/** A column that is gone, or a filter of one that the description does not have yet. */
const mayBeOutdated: ReadonlySet<string> = new Set(['query_failed', 'invalid_argument'])
