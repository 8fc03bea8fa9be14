import { fromCell } from '@roundhouse/kit/cell'
import { isExactNumber } from '@roundhouse/kit/json'
import type { Cell } from '../../host/api/api.ts'
import { copyText } from '../cells/cell-text.ts'

/** The order of the rows of a result. It applies to the rows that the window has. */
export interface ResultSort {
	/** Index of the column. */
	readonly column: number
	readonly direction: 'ascending' | 'descending'
}

type Rows = readonly (readonly Cell[])[]

/** Returns the sort after a click on a column's header: ascending, then descending, then none. */
export function sortedBy(sort: ResultSort | undefined, column: number): ResultSort | undefined {
	if (sort?.column !== column) return { column, direction: 'ascending' }
	return sort.direction === 'ascending' ? { column, direction: 'descending' } : undefined
}

/** Returns the rows in order: numbers by value, then sizes such as `1.7mb`, then texts. Rows without a value are last. */
export function sortedRows(rows: Rows, sort: ResultSort | undefined): Rows {
	if (sort === undefined) return rows
	const { column, direction } = sort
	const sign = direction === 'ascending' ? 1 : -1
	const keyed = rows.map(row => ({ row, key: keyOf(row[column] ?? null) }))
	return keyed
		.toSorted((a, b) => {
			if (a.key === undefined || b.key === undefined) return Number(a.key === undefined) - Number(b.key === undefined)
			return sign * compared(a.key, b.key)
		})
		.map(({ row }) => row)
}

type Key = number | string

function keyOf(cell: Cell): Key | undefined {
	if (cell === null || (typeof cell === 'object' && 'missing' in cell)) return undefined
	const value = typeof cell === 'object' && 'number' in cell ? fromCell(cell) : cell
	if (typeof value === 'number') return value
	if (isExactNumber(value)) return Number(value.rawJSON)
	const text = copyText(cell)
	return sizeOf(text) ?? text
}

const units: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3, tb: 1024 ** 4 }

/** Returns the bytes of a size that an engine has printed. */
function sizeOf(text: string): number | undefined {
	const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)([kmgt]?b)$/i.exec(text) ?? []
	const factor = units[unit.toLowerCase()]
	return factor === undefined ? undefined : Number(digits) * factor
}

const collator = new Intl.Collator(undefined, { numeric: true })

function compared(a: Key, b: Key): number {
	if (typeof a === 'number' && typeof b === 'number') return a - b
	if (typeof a === typeof b) return collator.compare(String(a), String(b))
	return typeof a === 'number' ? -1 : 1
}
