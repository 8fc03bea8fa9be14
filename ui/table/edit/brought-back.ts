import { isSameCell } from '../../cells/cell-text.ts'
import type { OwnSaves } from './own-saves.ts'
import { type Staged, type StagedRow, withoutRow } from './staged.ts'

/** Staged changes together with earlier ones that an undo brings back. */
export interface BroughtBack {
	readonly staged: Staged
	/** Values and deletions that were changed again since, so that the later change stays. */
	readonly leftOut: number
}

/** Returns what is staged with earlier changes. What was staged or saved again since stays as it is. */
export function broughtBack(staged: Staged, earlier: Staged, saves: OwnSaves): BroughtBack {
	let leftOut = 0
	let next = staged
	for (const row of earlier.rows.values()) {
		const merged = mergedRow(staged.rows.get(row.rowId), row, saves)
		leftOut += merged.leftOut
		next = { ...next, rows: new Map(next.rows).set(row.rowId, merged.row) }
		if (merged.row.cells.size === 0 && !merged.row.isDeleted) next = withoutRow(next, row.rowId)
	}
	const known = new Set(staged.inserts.map(({ id }) => id))
	const inserts = earlier.inserts.filter(({ id }) => !known.has(id))
	return { staged: { ...next, inserts: [...next.inserts, ...inserts] }, leftOut }
}

function mergedRow(now: StagedRow | undefined, earlier: StagedRow, saves: OwnSaves) {
	const { rowId } = earlier
	const cells = new Map(now?.cells)
	let leftOut = 0
	for (const [name, cell] of earlier.cells) {
		const isFree = !now?.isDeleted && !cells.has(name) && saves.isStill(rowId, name, cell.before)
		if (isFree) cells.set(name, cell)
		else if (!isSameCell(cells.get(name)?.after ?? null, cell.after)) leftOut++
	}
	const version = now ? now.version : saves.versionSince(rowId, earlier.version)
	const isDeleted = now?.isDeleted === true || earlier.isDeleted
	return { row: { rowId, cells, isDeleted, ...(version !== undefined && { version }) }, leftOut }
}
