import type { Cell, Column, Row } from '../../../host/ui-server/api.ts'
import { cellOf, isSameCell } from '../../cells/cell-text.ts'

/** Columns that say the same in every row, with what they say. */
export type Uniform = ReadonlyMap<string, Cell>

/**
 * Those of a first page: what a person can write only where it says nothing, for what is alike here may differ below.
 * `undefined` where one row, or none, tells nothing yet.
 */
function uniformOf(columns: readonly Column[], rows: readonly Row[]): Uniform | undefined {
	const [first] = rows
	if (!first || rows.length < 2) return undefined
	const candidates = columns.map((column, index) => ({ column, cell: cellOf(first, index) }))
	const quiet = candidates.filter(({ column, cell }) => column.isReadOnly || isNothing(cell))
	return stillUniform(new Map(quiet.map(({ column, cell }) => [column.name, cell])), columns, rows)
}

/** Those that more rows leave: one that differs once is none any more. */
function stillUniform(known: Uniform, columns: readonly Column[], rows: readonly Row[]): Uniform {
	const index = new Map(columns.map(({ name }, index) => [name, index]))
	const left = [...known].filter(([name, cell]) => {
		const at = index.get(name)
		return at === undefined || rows.every(row => isSameCell(cellOf(row, at), cell))
	})
	return left.length === known.size ? known : new Map(left)
}

/**
 * What is known once a page has come. Another query may change what the engine says of its rows; a column that a person
 * writes, and that had a value once, does not go again.
 */
export function learnUniform(
	known: Uniform | undefined,
	columns: readonly Column[],
	rows: readonly Row[],
	isFirstPage: boolean,
): Uniform | undefined {
	const fresh = isFirstPage ? uniformOf(columns, rows) : undefined
	if (!known) return fresh
	if (!fresh) return stillUniform(known, columns, rows)
	const isReadOnly = new Map(columns.map(column => [column.name, column.isReadOnly]))
	return new Map([...fresh].filter(([name]) => isReadOnly.get(name) || known.has(name)))
}

const isNothing = (cell: Cell) => cell === null || (typeof cell === 'object' && 'missing' in cell)
