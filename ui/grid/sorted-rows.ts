import { fromCell } from '@roundhouse/kit/cell'
import { isExactNumber } from '@roundhouse/kit/json'
import type { Cell, Row, Sort } from '../../host/api/api.ts'
import { copyText } from '../cells/cell-text.ts'

/** One column of the order of rows in memory. */
export interface RowSort {
	/** Index of its values in the cells. */
	readonly column: number
	readonly direction: Sort['direction']
}

/**
 * Returns the rows in order: numbers by value, then sizes such as `1.7mb`, then texts. Rows without a value are last.
 * Equal rows keep their order.
 */
export function sortedRows<R extends Row>(rows: readonly R[], sorts: readonly RowSort[]): readonly R[] {
	if (sorts.length === 0) return rows
	const keyed = rows.map(row => ({ row, keys: sorts.map(({ column }) => keyOf(row.cells[column] ?? null)) }))
	return keyed
		.toSorted((a, b) => {
			for (const [at, { direction }] of sorts.entries()) {
				const [one, other] = [a.keys[at], b.keys[at]]
				if (one === undefined && other === undefined) continue
				if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
				const order = compared(one, other)
				if (order !== 0) return direction === 'asc' ? order : -order
			}
			return 0
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
