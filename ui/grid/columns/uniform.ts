import type { Cell, Column, Row } from '../../../host/api/api.ts'
import { cellOf, isNothing, isSameCell } from '../../cells/cell-text.ts'

/**
 * Columns with one value in every row, or with none. Nothing else decides, so that no column comes or goes while the user
 * scrolls. One page of equal values does not: `_index` is shown for a pattern of several indices.
 */
export interface Uniform {
	/** The value by column. */
	readonly values: ReadonlyMap<string, Cell>
	/** Those that have another value in a later row. */
	readonly differing: ReadonlySet<string>
}

/** So many columns fit on a screen or two. To hide an empty one of them would only hide where a value can be typed. */
const fewColumns = 20

/**
 * Returns those of a first page: the columns that the driver says are uniform, and of a wide
 * table those without a value. `undefined` if
 * one row, or none, decides nothing.
 */
function uniformOf(columns: readonly Column[], rows: readonly Row[]): ReadonlyMap<string, Cell> | undefined {
	const [first] = rows
	if (!first || rows.length < 2) return undefined
	const candidates = columns.map((column, index) => ({ column, cell: cellOf(first, index) }))
	const foldsEmpty = columns.length > fewColumns
	const quiet = candidates.filter(({ column, cell }) => column.isUniform || (foldsEmpty && isNothing(cell)))
	const all = new Map(quiet.map(({ column, cell }) => [column.name, cell]))
	const differing = differingIn(all, columns, rows)
	return new Map([...all].filter(([name]) => !differing.has(name)))
}

/** Returns the columns that have another value in one of the rows. */
function differingIn(
	values: ReadonlyMap<string, Cell>,
	columns: readonly Column[],
	rows: readonly Row[],
): ReadonlySet<string> {
	const index = new Map(columns.map(({ name }, index) => [name, index]))
	const found = [...values].filter(([name, cell]) => {
		const at = index.get(name)
		return at !== undefined && rows.some(row => !isSameCell(cellOf(row, at), cell))
	})
	return new Set(found.map(([name]) => name))
}

/** Rows of a page, with the columns of the table. */
interface LoadedRows {
	readonly columns: readonly Column[]
	readonly rows: readonly Row[]
	readonly isFirstPage: boolean
}

/**
 * Returns what is known after a page. Only a first page decides which columns are uniform: another query may change the
 * engine's metadata, and an editable column that once had a value is not uniform.
 */
export function learnUniform(
	known: Uniform | undefined,
	{ columns, rows, isFirstPage }: LoadedRows,
): Uniform | undefined {
	const fresh = isFirstPage ? uniformOf(columns, rows) : undefined
	if (!fresh) {
		if (!known) return undefined
		const found = differingIn(known.values, columns, rows).union(known.differing)
		// A single row decides nothing, but its values must be seen.
		if (isFirstPage)
			return { values: new Map([...known.values].filter(([name]) => !found.has(name))), differing: new Set() }
		const isKnown = [...found].every(name => known.differing.has(name))
		return isKnown ? known : { ...known, differing: found }
	}
	if (!known) return { values: fresh, differing: new Set() }
	const isReadOnly = new Map(columns.map(column => [column.name, column.isReadOnly]))
	const wasUniform = (name: string) => known.values.has(name) && !known.differing.has(name)
	const values = new Map([...fresh].filter(([name]) => isReadOnly.get(name) || wasUniform(name)))
	return { values, differing: new Set() }
}
