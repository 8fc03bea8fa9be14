import { type Cell, type Column, isJsonObject, type JsonObject, missingCell, type Row, toCell } from '@roundhouse/kit'
import { resolve } from '../mapping/columns.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { type ValueReader, valueReaderOf } from './page.ts'
import { encodeRowId, rowKeyOf, rowVersionOf } from './row-id.ts'

/** From this many columns on a row may come without its missing cells: most documents have few of many fields. */
const manyColumns = 200

/** Makes the rows of a table of its hits. */
export class RowReader {
	readonly #readers: readonly ValueReader[]
	/** Columns by the first key of their path, so that a wide table is not searched for what a document lacks. */
	readonly #byKey = new Map<string, number[]>()
	/** Columns that are not read from the document. */
	readonly #always: number[] = []

	constructor(columns: readonly Column[], mapping: Mapping) {
		this.#readers = columns.map(({ name }) => valueReaderOf(name, mapping))
		for (const [index, { name, type }] of columns.entries()) {
			const field = mapping.fields.get(name)
			const isInDocument = type === 'unmapped' || (field !== undefined && !field.isRuntime)
			if (!isInDocument) {
				this.#always.push(index)
				continue
			}
			const key = firstKey(field === undefined ? name : resolve(field, mapping).path)
			const known = this.#byKey.get(key)
			if (known === undefined) this.#byKey.set(key, [index])
			else known.push(index)
		}
	}

	row(hit: JsonObject): Row {
		const version = rowVersionOf(hit)
		const head = { id: encodeRowId(rowKeyOf(hit)), ...(version !== undefined && { version }) }
		if (this.#readers.length < manyColumns) return { ...head, cells: this.#readers.map(read => toCell(read(hit))) }
		return { ...head, ...this.#sparse(hit) }
	}

	#sparse(hit: JsonObject): Pick<Row, 'cells' | 'at'> {
		const at: number[] = []
		const found: Cell[] = []
		for (const index of this.#columnsIn(hit)) {
			const cell = toCell(this.#readers[index]?.(hit))
			if (cell === missingCell) continue
			at.push(index)
			found.push(cell)
		}
		if (at.length * 2 < this.#readers.length) return { cells: found, at }
		const cells = Array<Cell>(this.#readers.length).fill(missingCell)
		for (const [place, index] of at.entries()) cells[index] = found[place] ?? missingCell
		return { cells }
	}

	/** Those that the document may have a value for, in their order. */
	#columnsIn(hit: JsonObject): readonly number[] {
		const keys = isJsonObject(hit._source) ? new Set(Object.keys(hit._source).map(firstKey)) : []
		return [...this.#always, ...[...keys].flatMap(key => this.#byKey.get(key) ?? [])].toSorted((a, b) => a - b)
	}
}

/** A key may hold dots itself, and then stands for the same path. */
function firstKey(path: string): string {
	const end = path.indexOf('.')
	return end < 0 ? path : path.slice(0, end)
}
