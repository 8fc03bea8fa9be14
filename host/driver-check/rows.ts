import { createHash } from 'node:crypto'
import { type Cell, type Column, type GridPage, type GridQuery, isExactNumber, type Row } from '@roundhouse/kit'
import { denseRow } from '@roundhouse/kit/cell'
import { DoesNotApply } from './findings.ts'
import type { Lab } from './lab.ts'

/** Reading tables in pages, as the window does. */

/** Upper limit of the rows that a case reads of a table. */
const defaultMaxRows = 5_000
export const pageSize = 1_000

export interface Rows {
	readonly columns: GridPage['columns']
	/** With one cell for each column. */
	readonly rows: readonly Row[]
	/** Whether these are all rows. */
	readonly isWhole: boolean
}

export const unfilteredQuery = (table: string): GridQuery => ({ table, filters: [], match: 'all', sort: [] })

/** Opens a grid with its first rows, runs `work`, and closes it. */
export async function withGrid<T>(
	lab: Lab,
	{ query, limit }: { readonly query: GridQuery; readonly limit: number },
	work: (grid: number, first: GridPage) => Promise<T>,
): Promise<T> {
	const grid = ++lastGrid
	const first = await lab.read('openGrid', { grid, query, offset: 0, limit })
	try {
		return await work(grid, first)
	} finally {
		await lab.call('closeGrid', { grid })
	}
}

/** Numbers of grids in the shared process. The host's own sessions count from 1. */
let lastGrid = 1_000_000

/** Reads the rows of a query in pages of one size. */
export function readRows(
	lab: Lab,
	query: GridQuery,
	{ size = pageSize, maxRows = defaultMaxRows } = {},
): Promise<Rows> {
	return withGrid(lab, { query, limit: size }, async (grid, first) => {
		const rows = dense(first)
		let isWhole = first.rows.length < size
		while (!isWhole && rows.length < maxRows) {
			const page = await lab.read('gridPage', { grid, offset: rows.length, limit: size })
			rows.push(...dense(page))
			isWhole = page.rows.length < size
		}
		return { columns: first.columns, rows, isWhole }
	})
}

function dense({ columns, rows }: GridPage): Row[] {
	return rows.map(row => denseRow(row, columns.length))
}

/** Cells that two reads of an unchanged row have in common: those of volatile columns change by themselves. */
export const steadyCells = (columns: readonly Column[], cells: readonly Cell[]): readonly Cell[] =>
	cells.filter((_, at) => !columns[at]?.isVolatile)

/** Returns the table whose rows are tried: the one that the conformance file names, or the first. */
export async function testTable(lab: Lab): Promise<string> {
	if (lab.file.table !== undefined) return lab.file.table
	const [first] = await lab.call('listTables', {})
	if (!first) throw new DoesNotApply('There is no table.')
	return first.name
}

const hashedTables = 10
/** Of a table that the examples do not edit. */
const hashedRows = 1_000

/** Returns a digest of counts and rows of all tables, up to a limit: equal digests mean that nothing was changed. */
export async function stateOf(lab: Lab): Promise<string> {
	const hash = createHash('sha256')
	const tables = await lab.call('listTables', {})
	hash.update(JSON.stringify(tables.map(({ name }) => name)))
	for (const { name } of tables.slice(0, hashedTables)) {
		const { sort, ...query } = unfilteredQuery(name)
		const { value, isExact } = await lab.call('countRows', { query })
		if (isExact) hash.update(String(value))
		const maxRows = name === lab.file.edits?.table ? defaultMaxRows : hashedRows
		const { columns, rows } = await readRows(lab, unfilteredQuery(name), { maxRows })
		// Sorted, because a table without a sort may change its order.
		const texts = rows
			.map(({ id, version, cells }) => JSON.stringify([id, version, steadyCells(columns, cells)]))
			.sort()
		hash.update(texts.join('\n'))
	}
	return hash.digest('hex')
}

/** A scalar of a cell, for comparison. Numbers keep their digits as text; `undefined` is null, missing or no scalar. */
export function scalarOf(cell: Cell | undefined): string | number | boolean | undefined {
	if (cell === null || cell === undefined) return undefined
	if (isExactNumber(cell)) return Number(cell.rawJSON)
	if (typeof cell !== 'object') return cell
	return 'number' in cell ? Number(cell.number) : undefined
}

/** Whether a cell has no value. */
export const isEmpty = (cell: Cell | undefined) =>
	cell === null || cell === undefined || (typeof cell === 'object' && 'missing' in cell)

export const cellsById = ({ rows }: Rows) => new Map(rows.map(row => [row.id, row]))
