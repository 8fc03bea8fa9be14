import { createMemo, createSignal } from 'solid-js'
import type { Cell, Change, ChangeOutcome, Row } from '../../../host/api/api.ts'
import {
	type CellChange,
	changesOf,
	countOf,
	type Fault,
	type Kept,
	newRowId,
	nothing,
	rebased,
	type Settled,
	type Staged,
	type StagedInsert,
	settled,
	withCells,
	withDeletedToggled,
	withInsert,
	withoutRow,
} from './staged.ts'

/** More steps of undo help no user, and history takes memory. */
const historyLimit = 500

/** The staged changes of one grid, with undo and redo. */
export function createEdits() {
	const [staged, setStaged] = createSignal<Staged>(nothing)
	const [past, setPast] = createSignal<readonly Staged[]>([])
	const [future, setFuture] = createSignal<readonly Staged[]>([])
	const [faults, setFaults] = createSignal<ReadonlyMap<string, Fault>>(new Map())
	const [isSending, setSending] = createSignal(false)

	/** A step of undo clears the faults of the rows that it touches. */
	function commit(next: Staged, rows: readonly string[] = []): void {
		if (next === staged()) return
		const touched = new Set(rows)
		setPast(states => [...states.slice(1 - historyLimit), staged()])
		setFuture([])
		setFaults(known => new Map([...known].filter(([id]) => !touched.has(id))))
		setStaged(next)
	}
	const idsOf = (rows: readonly Pick<Row, 'id'>[]) => rows.map(row => row.id)

	/** Removes what was applied. The rest stays staged with its reason, and so does what was staged meanwhile. */
	function settle(outcomes: readonly ChangeOutcome[], sent = staged()): Settled {
		const result = settled(staged(), outcomes, sent)
		setStaged(result.staged)
		setFaults(result.faults)
		// Undo cannot revert what is saved by restoring an earlier list of staged changes.
		setPast([])
		setFuture([])
		return result
	}

	return {
		staged,
		/** Takes stored changes, or those of another window; there is nothing to undo. */
		take(next: Staged): void {
			setPast([])
			setFuture([])
			setFaults(new Map())
			setStaged(next)
		},
		count: createMemo(() => countOf(staged())),
		get: (rowId: string) => staged().rows.get(rowId),
		/** The new rows in the order of staging. */
		inserts: createMemo(() => staged().inserts),
		/** Why the last save left this row pending. */
		faultOf: (rowId: string) => faults().get(rowId),
		faults,
		canUndo: () => past().length > 0,
		canRedo: () => future().length > 0,

		/** Stages cells as one step; restoring the original value removes a change. */
		setCells: (changes: readonly CellChange[]) =>
			commit(withCells(staged(), changes), idsOf(changes.map(({ row }) => row))),
		/** Marks rows for deletion, or unmarks them if all are marked. */
		toggleDeleted: (rows: readonly Row[]) => commit(withDeletedToggled(staged(), rows), idsOf(rows)),
		insert: (values: StagedInsert['values']) => commit(withInsert(staged(), { id: newRowId(), values })),
		/**
		 * After a conflict: their values become the original, and the kept ones of mine are staged against their version.
		 */
		rebase: (rowId: string, theirs: { readonly version: string | undefined; cell(column: string): Cell }, kept: Kept) =>
			commit(rebased(staged(), rowId, { theirs, kept }), [rowId]),
		/** Discards the staged changes of one row. */
		drop: (rowId: string) => commit(withoutRow(staged(), rowId), [rowId]),

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
			commit(nothing)
			setFaults(new Map())
		},

		/** The changes in the driver's format. */
		changes: (): readonly Change[] => changesOf(staged()),

		/** Whether they are being saved, in any view. */
		isSending,
		/** Sends them by `apply` and applies the outcomes. Changes under way are not sent twice. @throws Error */
		async send(apply: (changes: readonly Change[]) => Promise<readonly ChangeOutcome[]>): Promise<Settled> {
			if (isSending()) throw new Error('These changes are being saved already.')
			setSending(true)
			try {
				const sent = staged()
				return settle(await apply(changesOf(sent)), sent)
			} finally {
				setSending(false)
			}
		},
		settle,
	}
}
export type Edits = ReturnType<typeof createEdits>
