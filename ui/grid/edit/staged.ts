import type { Cell, Change, ChangeOutcome, Column, Row } from '../../../host/ui-server/api.ts'
import { isSameCell } from '../../cells/cell-text.ts'

/** What is staged in one grid, and what becomes of it step by step. Pure: each step gives the next state. */

export interface Staged {
	readonly rows: ReadonlyMap<string, StagedRow>
	readonly inserts: readonly StagedInsert[]
}

export interface StagedRow {
	readonly rowId: string
	readonly version?: string
	/** New values by column, beside what was there. */
	readonly cells: ReadonlyMap<string, { readonly before: Cell; readonly after: Cell }>
	/** The whole row goes. */
	readonly isDeleted: boolean
}

/** A new row; the driver makes its place. */
export interface StagedInsert {
	readonly key: number
	readonly values: Readonly<Record<string, Cell>>
}

export interface CellChange {
	readonly row: Row
	readonly column: Column
	readonly before: Cell
	readonly after: Cell
}

/** What of mine stays after a conflict. */
export interface Kept {
	readonly cells: ReadonlySet<string>
	readonly isDeleted: boolean
}

/** Why the last save left something pending. */
export interface Fault {
	readonly message: string
	readonly isConflict: boolean
}

export const nothing: Staged = { rows: new Map(), inserts: [] }

/** How many changes there are: a cell, a deletion and a new row are one each. */
export function countOf({ rows, inserts }: Staged): number {
	return [...rows.values()].reduce((sum, row) => sum + (row.isDeleted ? 1 : row.cells.size), inserts.length)
}

/** With cells changed; editing back to what was there takes a change away. */
export function withCells(staged: Staged, changes: readonly CellChange[]): Staged {
	const byRow = Map.groupBy(changes, ({ row }) => row)
	return withRows(staged, [...byRow.keys()], (entry, row) => {
		const cells = new Map(entry.cells)
		for (const { column, before, after } of byRow.get(row) ?? []) {
			const original = cells.get(column.name)?.before ?? before
			if (isSameCell(original, after)) cells.delete(column.name)
			else cells.set(column.name, { before: original, after })
		}
		return { ...entry, cells }
	})
}

/** With rows struck through; where all of them are, with that taken back. */
export function withDeletedToggled(staged: Staged, rows: readonly Row[]): Staged {
	const isDeleted = !rows.every(row => staged.rows.get(row.id)?.isDeleted)
	return withRows(staged, rows, entry => ({ ...entry, isDeleted }))
}

function withRows(staged: Staged, rows: readonly Row[], change: (entry: StagedRow, row: Row) => StagedRow): Staged {
	const next = new Map(staged.rows)
	for (const row of rows) {
		const { id: rowId, version } = row
		const untouched = { rowId, ...(version !== undefined && { version }), cells: new Map(), isDeleted: false }
		const entry = change(next.get(rowId) ?? untouched, row)
		if (isNothing(entry)) next.delete(rowId)
		else next.set(rowId, entry)
	}
	return { ...staged, rows: next }
}

export function withInsert(staged: Staged, insert: StagedInsert): Staged {
	return { ...staged, inserts: [...staged.inserts, insert] }
}

export function withoutRow(staged: Staged, rowId: string): Staged {
	return { ...staged, rows: new Map([...staged.rows].filter(([id]) => id !== rowId)) }
}

/** After a conflict: what they have becomes what was there, and of mine what is kept stays, against their version. */
export function rebased(
	staged: Staged,
	rowId: string,
	theirs: { readonly version: string | undefined; cell(column: string): Cell },
	kept: Kept,
): Staged {
	const entry = staged.rows.get(rowId)
	if (!entry) return staged
	const cells = new Map<string, { before: Cell; after: Cell }>()
	for (const [column, { after }] of entry.cells) {
		const before = theirs.cell(column)
		if (kept.cells.has(column) && !isSameCell(before, after)) cells.set(column, { before, after })
	}
	const { version } = theirs
	const mine = { rowId, cells, isDeleted: kept.isDeleted, ...(version !== undefined && { version }) }
	return isNothing(mine) ? withoutRow(staged, rowId) : { ...staged, rows: new Map(staged.rows).set(rowId, mine) }
}

const isNothing = ({ cells, isDeleted }: StagedRow) => cells.size === 0 && !isDeleted

/** The changes as the driver takes them: those of rows in the order they were staged, then the new ones. */
export function changesOf({ rows, inserts }: Staged): readonly Change[] {
	return [...[...rows.values()].map(changeOf), ...inserts.map(({ values }) => ({ kind: 'insert' as const, values }))]
}

function changeOf({ rowId, version, cells, isDeleted }: StagedRow): Change {
	const row = { rowId, ...(version !== undefined && { version }) }
	if (isDeleted) return { kind: 'delete', ...row }
	return { kind: 'update', ...row, set: Object.fromEntries([...cells].map(([name, { after }]) => [name, after])) }
}

/** What a save came to: what is left with its reasons, and what is done. */
export interface Settled {
	readonly staged: Staged
	/** By row, or by the new row's own id. */
	readonly faults: ReadonlyMap<string, Fault>
	readonly rows: ReadonlyMap<string, { readonly staged: StagedRow; readonly version?: string }>
	readonly inserted: number
}

/** Takes away what was applied. The outcomes stand in the order of {@link changesOf}. */
export function settled({ rows, inserts }: Staged, outcomes: readonly ChangeOutcome[]): Settled {
	const applied = new Map<string, { staged: StagedRow; version?: string }>()
	const left = new Map(rows)
	const faults = new Map<string, Fault>()
	for (const [index, row] of [...rows.values()].entries()) {
		const outcome = outcomes[index]
		if (outcome?.status === 'applied') {
			applied.set(row.rowId, { staged: row, ...(outcome.version !== undefined && { version: outcome.version }) })
			left.delete(row.rowId)
		} else faults.set(row.rowId, faultOf(outcome))
	}
	const leftInserts = inserts.filter((insert, index) => {
		const outcome = outcomes[rows.size + index]
		if (outcome?.status === 'applied') return false
		faults.set(`new ${insert.key}`, faultOf(outcome))
		return true
	})
	const inserted = inserts.length - leftInserts.length
	return { staged: { rows: left, inserts: leftInserts }, faults, rows: applied, inserted }
}

function faultOf(outcome: ChangeOutcome | undefined): Fault {
	switch (outcome?.status) {
		case 'conflict':
			return { message: `Changed by someone else since it was read. ${outcome.message}`, isConflict: true }
		case 'failed':
			return { message: outcome.message, isConflict: false }
		case 'unknown':
			return { message: `It is not known whether this was saved. ${outcome.message}`, isConflict: false }
		default:
			return { message: 'Not sent.', isConflict: false }
	}
}
