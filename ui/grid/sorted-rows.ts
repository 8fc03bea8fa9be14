import { fromCell } from '@roundhouse/kit/cell'
import { isExactNumber } from '@roundhouse/kit/json'
import type { Cell, Row, Sort } from '../../host/api/api.ts'
import { copyText } from '../cells/cell-text.ts'
import { compareDecimals, decimalIn } from '../cells/decimal.ts'
import type { Slices } from './slices.ts'

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
	return rows
		.map(row => keyed(row, sorts))
		.sort(comparison(sorts))
		.map(({ row }) => row)
}

/** Returns the rows in the order of {@link sortedRows}, without holding the window. */
export async function sortedInSlices<R extends Row>(
	rows: readonly R[],
	sorts: readonly RowSort[],
	slices: Slices,
): Promise<readonly R[]> {
	if (sorts.length === 0) return rows
	const compare = comparison(sorts)
	let runs: (readonly Keyed<R>[])[] = []
	for (let first = 0; first < rows.length; first += runLength) {
		await slices.pause()
		const run = rows.slice(first, first + runLength).map(row => keyed(row, sorts))
		runs.push(run.sort(compare))
	}
	while (runs.length > 1) {
		const merged: (readonly Keyed<R>[])[] = []
		for (let at = 0; at < runs.length; at += 2)
			merged.push(await mergedRuns(runs[at] ?? [], runs[at + 1] ?? [], compare, slices))
		runs = merged
	}
	return (runs[0] ?? []).map(({ row }) => row)
}
/** A run is sorted at once. */
const runLength = 500

interface Keyed<R> {
	readonly row: R
	readonly keys: readonly (Key | undefined)[]
}

type Comparison = (one: Keyed<unknown>, other: Keyed<unknown>) => number

const keyed = <R extends Row>(row: R, sorts: readonly RowSort[]): Keyed<R> => ({
	row,
	keys: sorts.map(({ column }) => keyOf(row.cells[column] ?? null)),
})

function comparison(sorts: readonly RowSort[]): Comparison {
	return (a, b) => {
		for (const [at, { direction }] of sorts.entries()) {
			const [one, other] = [a.keys[at], b.keys[at]]
			if (one === undefined && other === undefined) continue
			if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
			const order = compared(one, other)
			if (order !== 0) return direction === 'asc' ? order : -order
		}
		return 0
	}
}

/** Of equal rows, those of the first run come first. */
async function mergedRuns<R>(
	one: readonly Keyed<R>[],
	other: readonly Keyed<R>[],
	compare: Comparison,
	slices: Slices,
): Promise<readonly Keyed<R>[]> {
	const merged: Keyed<R>[] = []
	let [at, otherAt] = [0, 0]
	while (merged.length < one.length + other.length) {
		if (merged.length % runLength === 0) await slices.pause()
		const [first, second] = [one[at], other[otherAt]]
		if (first && (!second || compare(first, second) <= 0)) {
			merged.push(first)
			at++
		} else if (second) {
			merged.push(second)
			otherAt++
		}
	}
	return merged
}

/** A number that a double cannot hold. */
interface LongNumber {
	readonly nearest: number
	readonly text: string
}

type Key = number | LongNumber | string

function keyOf(cell: Cell): Key | undefined {
	if (cell === null || (typeof cell === 'object' && 'missing' in cell)) return undefined
	const value = typeof cell === 'object' && 'number' in cell ? fromCell(cell) : cell
	if (typeof value === 'number') return value
	if (isExactNumber(value)) return { nearest: Number(value.rawJSON), text: value.rawJSON }
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
	if (typeof a === 'string' && typeof b === 'string') return collator.compare(a, b)
	if (typeof a === 'string' || typeof b === 'string') return typeof a === 'string' ? 1 : -1
	if (typeof a === 'number' && typeof b === 'number') return a - b
	const [one, other] = [a, b].map(key => (typeof key === 'number' ? { nearest: key, text: String(key) } : key))
	if (!one || !other) return 0
	// Texts are read where the doubles say nothing.
	const [exact, otherExact] = one.nearest === other.nearest ? [decimalIn(one.text), decimalIn(other.text)] : []
	return exact && otherExact ? compareDecimals(exact, otherExact) : Math.sign(one.nearest - other.nearest) || 0
}
