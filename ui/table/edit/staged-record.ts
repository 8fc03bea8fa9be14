import { fromCell, isCell } from '@roundhouse/kit/cell'
import type { Cell } from '../../../host/api/api.ts'
import { nothing, type Staged, type StagedInsert, type StagedRow } from './staged.ts'

/** Staged changes as JSON for a restart, with the versions that they were made against. */

type StagedCell = readonly [column: string, before: Cell, after: Cell]

interface RowRecord {
	readonly rowId: string
	readonly version?: string
	readonly cells: readonly StagedCell[]
	readonly isDeleted: boolean
}

export interface StagedRecord {
	readonly rows: readonly RowRecord[]
	readonly inserts: readonly StagedInsert[]
	/** What undo leads to. States share their rows, so each row is written once and named by its index. */
	readonly past?: {
		readonly rows: readonly RowRecord[]
		readonly inserts: readonly StagedInsert[]
		readonly states: readonly { readonly rows: readonly number[]; readonly inserts: readonly number[] }[]
	}
}

/** Rows in all kept states together. Earlier steps of undo are left out. */
const mostKept = 5_000

/** `null` if nothing is staged and nothing can be undone. */
export function recordOf(staged: Staged, past: readonly Staged[] = []): StagedRecord | null {
	const kept = keptStates(past)
	if (staged.rows.size === 0 && staged.inserts.length === 0 && kept.length === 0) return null
	return { ...partsOf([staged]), ...(kept.length > 0 && { past: pastOf(kept) }) }
}

/** The latest states, as far as they are small enough. */
function keptStates(past: readonly Staged[]): readonly Staged[] {
	let size = 0
	const tooLarge = past.findLastIndex(({ rows, inserts }) => {
		size += rows.size + inserts.length + 1
		return size > mostKept
	})
	return past.slice(tooLarge + 1)
}

function pastOf(states: readonly Staged[]): NonNullable<StagedRecord['past']> {
	const rows = indexed(states.flatMap(state => [...state.rows.values()]))
	const inserts = indexed(states.flatMap(state => state.inserts))
	return {
		rows: [...rows.keys()].map(rowRecord),
		inserts: [...inserts.keys()],
		states: states.map(state => ({
			rows: [...state.rows.values()].map(row => rows.get(row) ?? 0),
			inserts: state.inserts.map(insert => inserts.get(insert) ?? 0),
		})),
	}
}

const indexed = <T>(all: readonly T[]) => new Map([...new Set(all)].map((one, index) => [one, index]))

const partsOf = (states: readonly Staged[]) => ({
	rows: states.flatMap(({ rows }) => [...rows.values()].map(rowRecord)),
	inserts: states.flatMap(({ inserts }) => inserts),
})

/** In a fixed order: a window that takes a record must read the same text, or it would write it back as a change. */
const rowRecord = ({ rowId, version, cells, isDeleted }: StagedRow): RowRecord => ({
	rowId,
	...(version !== undefined && { version }),
	isDeleted,
	cells: [...cells].map(([name, { before, after }]): StagedCell => [name, before, after]),
})

const rowOf = ({ cells, ...row }: RowRecord): StagedRow => ({
	...row,
	cells: new Map(cells.map(([column, before, after]) => [column, { before, after }])),
})

/** Reads a record of this or another version of the window; `undefined` if it is something else. */
export function stagedOf(record: unknown): { readonly staged: Staged; readonly past: readonly Staged[] } | undefined {
	if (record === null) return { staged: nothing, past: [] }
	if (!isRecord(record)) return undefined
	const { past } = record
	return {
		staged: { rows: byId(record.rows.map(rowOf)), inserts: record.inserts },
		past: past && isPast(past) ? statesOf(past) : [],
	}
}

const byId = (rows: readonly StagedRow[]) => new Map(rows.map(row => [row.rowId, row]))

function statesOf(past: NonNullable<StagedRecord['past']>): readonly Staged[] {
	const rows = past.rows.map(rowOf)
	const at = <T>(all: readonly T[], indices: readonly number[]) =>
		indices.map(index => all[index]).filter(one => one !== undefined)
	return past.states.map(state => ({ rows: byId(at(rows, state.rows)), inserts: at(past.inserts, state.inserts) }))
}

function isPast(past: unknown): boolean {
	const { states } = membersOf(past)
	const isIndices = (all: unknown) => Array.isArray(all) && all.every(index => typeof index === 'number')
	const isState = (state: unknown) => isIndices(membersOf(state).rows) && isIndices(membersOf(state).inserts)
	return isRecord(past) && Array.isArray(states) && states.every(isState)
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
	return Array.isArray(cell) && cell.length === 3 && typeof cell[0] === 'string' && cell.slice(1).every(isReadable)
}

function isInsert(insert: unknown): boolean {
	const { id, values } = membersOf(insert)
	return typeof id === 'string' && isObject(values) && Object.values(values).every(isReadable)
}

/** Also checks that its number or its JSON can be read. */
function isReadable(cell: unknown): boolean {
	try {
		if (!isCell(cell)) return false
		fromCell(cell)
		return true
	} catch {
		return false
	}
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value)
const membersOf = (value: unknown) => (isObject(value) ? value : {})
