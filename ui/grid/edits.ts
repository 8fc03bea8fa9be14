import { createMemo, createSignal } from 'solid-js'
import type { Cell, Change, ChangeOutcome, Column, Row } from '../../host/ui-server/api.ts'
import { isSameCell } from './cell-text.ts'

/** The staged changes of one grid: what was typed and not saved yet, with undo and redo. */

export interface StagedRow {
	readonly rowId: string
	readonly version?: string
	/** New values by column, beside what was there. */
	readonly cells: ReadonlyMap<string, { readonly before: Cell; readonly after: Cell }>
	/** The whole row goes. */
	readonly isDeleted: boolean
}
type Staged = ReadonlyMap<string, StagedRow>

/** Undoing further than this helps nobody, and history is memory. */
const historyLimit = 500

export function createEdits() {
	const [staged, setStaged] = createSignal<Staged>(new Map())
	const [past, setPast] = createSignal<readonly Staged[]>([])
	const [future, setFuture] = createSignal<readonly Staged[]>([])
	const [faults, setFaults] = createSignal<ReadonlyMap<string, string>>(new Map())

	function commit(next: Staged): void {
		setPast(states => [...states.slice(1 - historyLimit), staged()])
		setFuture([])
		setStaged(next)
	}

	function change(row: Row, update: (entry: StagedRow) => StagedRow): void {
		const { id: rowId, version } = row
		const entry = staged().get(rowId) ?? {
			rowId,
			...(version !== undefined && { version }),
			cells: new Map(),
			isDeleted: false,
		}
		const changed = update(entry)
		const next = new Map(staged())
		if (changed.cells.size === 0 && !changed.isDeleted) next.delete(rowId)
		else next.set(rowId, changed)
		setFaults(known => new Map([...known].filter(([id]) => id !== rowId)))
		commit(next)
	}

	return {
		count: createMemo(() => [...staged().values()].reduce((sum, row) => sum + (row.isDeleted ? 1 : row.cells.size), 0)),
		rowCount: () => staged().size,
		get: (rowId: string) => staged().get(rowId),
		/** Why the last save left this row pending. */
		faultOf: (rowId: string) => faults().get(rowId),
		faults,
		canUndo: () => past().length > 0,
		canRedo: () => future().length > 0,

		/** Stages one cell; editing back to what was there takes the change away. */
		setCell(row: Row, column: Column, before: Cell, after: Cell): void {
			change(row, entry => {
				const cells = new Map(entry.cells)
				const original = cells.get(column.name)?.before ?? before
				if (isSameCell(original, after)) cells.delete(column.name)
				else cells.set(column.name, { before: original, after })
				return { ...entry, cells }
			})
		},

		toggleDeleted(row: Row): void {
			change(row, entry => ({ ...entry, isDeleted: !entry.isDeleted }))
		},

		undo(): void {
			const last = past().at(-1)
			if (!last) return
			setPast(states => states.slice(0, -1))
			setFuture(states => [staged(), ...states])
			setStaged(last)
		},

		redo(): void {
			const [next, ...rest] = future()
			if (!next) return
			setFuture(rest)
			setPast(states => [...states, staged()])
			setStaged(next)
		},

		discard(): void {
			if (staged().size > 0) commit(new Map())
			setFaults(new Map())
		},

		/** The changes in the order they were staged, as the driver takes them. */
		changes(): readonly Change[] {
			return [...staged().values()].map(toChange)
		},

		/** Takes away what was applied; the rest stays staged with its reason. @returns the applied rows, by id */
		settle(
			outcomes: readonly ChangeOutcome[],
		): ReadonlyMap<string, { readonly staged: StagedRow; readonly version?: string }> {
			const rows = [...staged().values()]
			const applied = new Map<string, { staged: StagedRow; version?: string }>()
			const left = new Map(staged())
			const reasons = new Map<string, string>()
			for (const [index, row] of rows.entries()) {
				const outcome = outcomes[index]
				if (outcome?.status === 'applied') {
					applied.set(row.rowId, { staged: row, ...(outcome.version !== undefined && { version: outcome.version }) })
					left.delete(row.rowId)
				} else reasons.set(row.rowId, reasonOf(outcome))
			}
			setStaged(left)
			setFaults(reasons)
			// What is saved cannot be undone by going back to an earlier list of staged changes.
			setPast([])
			setFuture([])
			return applied
		},
	}
}
export type Edits = ReturnType<typeof createEdits>

function toChange({ rowId, version, cells, isDeleted }: StagedRow): Change {
	const row = { rowId, ...(version !== undefined && { version }) }
	if (isDeleted) return { kind: 'delete', ...row }
	return { kind: 'update', ...row, set: Object.fromEntries([...cells].map(([name, { after }]) => [name, after])) }
}

function reasonOf(outcome: ChangeOutcome | undefined): string {
	switch (outcome?.status) {
		case 'conflict':
			return `Changed by someone else since it was read. ${outcome.message}`
		case 'failed':
			return outcome.message
		case 'unknown':
			return `It is not known whether this was saved. ${outcome.message}`
		default:
			return 'Not sent.'
	}
}
