import { fromCell } from '@roundhouse/kit/cell'
import type { Cell } from '../../../host/api/api.ts'
import { nothing, type Staged, type StagedInsert, type StagedRow } from './staged.ts'

/** Staged changes as JSON for a restart, with the versions that they were made against. */

type StagedCell = readonly [column: string, before: Cell, after: Cell]

export interface StagedRecord {
	readonly rows: readonly {
		readonly rowId: string
		readonly version?: string
		readonly cells: readonly StagedCell[]
		readonly isDeleted: boolean
	}[]
	readonly inserts: readonly StagedInsert[]
}

/** `null` if nothing is staged. */
export function recordOf({ rows, inserts }: Staged): StagedRecord | null {
	if (rows.size === 0 && inserts.length === 0) return null
	const cellsOf = ({ cells }: StagedRow) =>
		[...cells].map(([name, cell]): StagedCell => [name, cell.before, cell.after])
	return { rows: [...rows.values()].map(row => ({ ...row, cells: cellsOf(row) })), inserts }
}

/** Reads a record of this or another version of the window; `undefined` if it is something else. */
export function stagedOf(record: unknown): Staged | undefined {
	if (record === null) return nothing
	if (!isRecord(record)) return undefined
	const rows = record.rows.map(({ cells, ...row }): [string, StagedRow] => [
		row.rowId,
		{ ...row, cells: new Map(cells.map(([column, before, after]) => [column, { before, after }])) },
	])
	return { rows: new Map(rows), inserts: record.inserts }
}

/** The host stores it unchanged; an incomplete record is ignored. */
function isRecord(record: unknown): record is StagedRecord {
	const { rows, inserts } = membersOf(record)
	return Array.isArray(rows) && rows.every(isRow) && Array.isArray(inserts) && inserts.every(isInsert)
}

function isRow(row: unknown): boolean {
	const { rowId, version, cells, isDeleted } = membersOf(row)
	const isKnown = typeof rowId === 'string' && (version === undefined || typeof version === 'string')
	return isKnown && typeof isDeleted === 'boolean' && Array.isArray(cells) && cells.every(isStagedCell)
}

function isStagedCell(cell: unknown): boolean {
	return Array.isArray(cell) && cell.length === 3 && typeof cell[0] === 'string' && cell.slice(1).every(isCell)
}

function isInsert(insert: unknown): boolean {
	const { id, values } = membersOf(insert)
	return typeof id === 'string' && isObject(values) && Object.values(values).every(isCell)
}

function isCell(cell: unknown): boolean {
	if (!isObject(cell)) return cell === null || ['boolean', 'string', 'number'].includes(typeof cell)
	const { number, json, missing } = cell
	if (typeof number !== 'string' && typeof json !== 'string' && missing !== true) return false
	try {
		// It has one of the three members that discriminate cells, with the right type.
		fromCell(cell as Cell)
		return true
	} catch {
		return false
	}
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value)
const membersOf = (value: unknown) => (isObject(value) ? value : {})
