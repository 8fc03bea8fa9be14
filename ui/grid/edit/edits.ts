import { createMemo, createSignal } from 'solid-js'
import type { Cell, Change, ChangeOutcome, Row } from '../../../host/ui-server/api.ts'
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

/** Undoing further than this helps nobody, and history is memory. */
const historyLimit = 500

/** The staged changes of one grid: what was typed and not saved yet, with undo and redo. */
export function createEdits() {
	const [staged, setStaged] = createSignal<Staged>(nothing)
	const [past, setPast] = createSignal<readonly Staged[]>([])
	const [future, setFuture] = createSignal<readonly Staged[]>([])
	const [faults, setFaults] = createSignal<ReadonlyMap<string, Fault>>(new Map())
	const [isSending, setSending] = createSignal(false)

	/** One step of undo. What was wrong with the rows that it touches is of yesterday. */
	function commit(next: Staged, rows: readonly string[] = []): void {
		if (next === staged()) return
		const touched = new Set(rows)
		setPast(states => [...states.slice(1 - historyLimit), staged()])
		setFuture([])
		setFaults(known => new Map([...known].filter(([id]) => !touched.has(id))))
		setStaged(next)
	}
	const idsOf = (rows: readonly Pick<Row, 'id'>[]) => rows.map(row => row.id)

	/** Takes away what was applied; the rest stays staged with its reason, and so does what was staged meanwhile. */
	function settle(outcomes: readonly ChangeOutcome[], sent = staged()): Settled {
		const result = settled(staged(), outcomes, sent)
		setStaged(result.staged)
		setFaults(result.faults)
		// What is saved cannot be undone by going back to an earlier list of staged changes.
		setPast([])
		setFuture([])
		return result
	}

	return {
		staged,
		/** Takes up what was kept, or what another window staged; there is nothing to undo it by. */
		take(next: Staged): void {
			setPast([])
			setFuture([])
			setFaults(new Map())
			setStaged(next)
		},
		count: createMemo(() => countOf(staged())),
		get: (rowId: string) => staged().rows.get(rowId),
		/** The new rows, in the order they were staged. */
		inserts: createMemo(() => staged().inserts),
		/** Why the last save left this row pending. */
		faultOf: (rowId: string) => faults().get(rowId),
		faults,
		canUndo: () => past().length > 0,
		canRedo: () => future().length > 0,

		/** Stages cells as one step; editing back to what was there takes a change away. */
		setCells: (changes: readonly CellChange[]) =>
			commit(withCells(staged(), changes), idsOf(changes.map(({ row }) => row))),
		/** Strikes rows through; where all of them are, takes that back. */
		toggleDeleted: (rows: readonly Row[]) => commit(withDeletedToggled(staged(), rows), idsOf(rows)),
		insert: (values: StagedInsert['values']) => commit(withInsert(staged(), { id: newRowId(), values })),
		/** After a conflict: what they have becomes what was there, and of mine what is kept stays, against their version. */
		rebase: (rowId: string, theirs: { readonly version: string | undefined; cell(column: string): Cell }, kept: Kept) =>
			commit(rebased(staged(), rowId, theirs, kept), [rowId]),
		/** Lets go of what is staged for one row. */
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

		/** The changes as the driver takes them. */
		changes: (): readonly Change[] => changesOf(staged()),

		/** Whether they are on their way, whoever shows it. */
		isSending,
		/** Sends them by `apply`, and settles by what came of it. What is on its way is not sent a second time. @throws Error */
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
