import { fromCell } from '@roundhouse/kit/cell'
import type { Cell } from '../../../host/ui-server/api.ts'
import { nothing, type Staged, type StagedInsert, type StagedRow } from './staged.ts'

/** What is staged as JSON, to be taken up after a restart: with the versions it was made against. */

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

/** `null` where nothing is staged. */
export function recordOf({ rows, inserts }: Staged): StagedRecord | null {
	if (rows.size === 0 && inserts.length === 0) return null
	const cellsOf = ({ cells }: StagedRow) =>
		[...cells].map(([name, cell]): StagedCell => [name, cell.before, cell.after])
	return { rows: [...rows.values()].map(row => ({ ...row, cells: cellsOf(row) })), inserts }
}

/** Reads a record that this window, or another version of it, wrote; `undefined` where it is something else. */
export function stagedOf(record: unknown): Staged | undefined {
	if (record === null) return nothing
	if (!isRecord(record)) return undefined
	const rows = record.rows.map(({ cells, ...row }): [string, StagedRow] => [
		row.rowId,
		{ ...row, cells: new Map(cells.map(([column, before, after]) => [column, { before, after }])) },
	])
	return { rows: new Map(rows), inserts: record.inserts }
}

/** The host keeps it as it was written, whoever wrote it; of one that is half a record nothing is taken. */
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
		// It has one of the three members that tell cells apart, of the right type.
		fromCell(cell as Cell)
		return true
	} catch {
		return false
	}
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value)
const membersOf = (value: unknown) => (isObject(value) ? value : {})
