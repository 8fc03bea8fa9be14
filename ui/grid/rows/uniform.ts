import type { Cell, Column, Row } from '../../../host/api/api.ts'
import { cellOf, isSameCell } from '../../cells/cell-text.ts'

/** Columns with one value in every row, and that value. */
export type Uniform = ReadonlyMap<string, Cell>

/**
 * Returns those of a first page. An editable column counts only if it is empty, because its values may differ further
 * down. `undefined` if one row, or none, decides nothing.
 */
function uniformOf(columns: readonly Column[], rows: readonly Row[]): Uniform | undefined {
	const [first] = rows
	if (!first || rows.length < 2) return undefined
	const candidates = columns.map((column, index) => ({ column, cell: cellOf(first, index) }))
	const quiet = candidates.filter(({ column, cell }) => column.isReadOnly || isNothing(cell))
	return stillUniform(new Map(quiet.map(({ column, cell }) => [column.name, cell])), columns, rows)
}

/** Returns those that remain with more rows: a column that differs once is none. */
function stillUniform(known: Uniform, columns: readonly Column[], rows: readonly Row[]): Uniform {
	const index = new Map(columns.map(({ name }, index) => [name, index]))
	const left = [...known].filter(([name, cell]) => {
		const at = index.get(name)
		return at === undefined || rows.every(row => isSameCell(cellOf(row, at), cell))
	})
	return left.length === known.size ? known : new Map(left)
}

/** Rows of a page, with the columns of the table. */
interface LoadedRows {
	readonly columns: readonly Column[]
	readonly rows: readonly Row[]
	readonly isFirstPage: boolean
}

/**
 * Returns what is known after a page. Another query may change the engine's metadata; an editable column that had a
 * value once stays visible.
 */
export function learnUniform(
	known: Uniform | undefined,
	{ columns, rows, isFirstPage }: LoadedRows,
): Uniform | undefined {
	const fresh = isFirstPage ? uniformOf(columns, rows) : undefined
	if (!known) return fresh
	if (!fresh) return stillUniform(known, columns, rows)
	const isReadOnly = new Map(columns.map(column => [column.name, column.isReadOnly]))
	return new Map([...fresh].filter(([name]) => isReadOnly.get(name) || known.has(name)))
}

const isNothing = (cell: Cell) => cell === null || (typeof cell === 'object' && 'missing' in cell)
