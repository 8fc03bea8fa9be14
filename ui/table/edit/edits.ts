import { batch, createMemo, createSignal } from 'solid-js'
import type { Cell, Change, ChangeOutcome, Column, Row } from '../../../host/api/api.ts'
import { broughtBack } from './brought-back.ts'
import { misfitsOf } from './misfits.ts'
import { OwnSaves } from './own-saves.ts'
import {
	type CellChange,
	changesOf,
	countOf,
	hasAny,
	isSameStaged,
	type KeptChanges,
	newRowId,
	nothing,
	rebased,
	type SaveFailure,
	type Settled,
	type Staged,
	type StagedInsert,
	settled,
	withCells,
	withDeletedToggled,
	withInserts,
	withoutColumns,
	withoutRow,
	withoutSaved,
} from './staged.ts'

/** More steps of undo help no user, and history takes memory. */
const historyLimit = 500

/** The staged changes of one grid, with undo and redo. */
export function createEdits() {
	const [staged, setStaged] = createSignal<Staged>(nothing)
	const [past, setPast] = createSignal<readonly Staged[]>([])
	const [future, setFuture] = createSignal<readonly Staged[]>([])
	const [faults, setFaults] = createSignal<ReadonlyMap<string, SaveFailure>>(new Map())
	const [columns, setColumns] = createSignal<readonly Column[]>([])
	const [outdated, setOutdated] = createSignal<{ find(): ReadonlyMap<string, SaveFailure> }>()
	const misfits = createMemo(
		(): ReadonlyMap<string, SaveFailure> => new Map([...misfitsOf(staged(), columns()), ...(outdated()?.find() ?? [])]),
	)
	const allFaults = createMemo(() => (misfits().size === 0 ? faults() : new Map([...misfits(), ...faults()])))
	const [isSending, setSending] = createSignal(false)
	const saves = new OwnSaves()
	const [editor, setEditor] = createSignal<{ finish(): boolean }>()

	/** A step of undo clears the faults of the rows that it touches. */
	function commit(next: Staged, rows: readonly string[] = []): void {
		if (isSameStaged(next, staged())) return
		const touched = new Set(rows)
		batch(() => {
			setPast(states => [...states.slice(1 - historyLimit), staged()])
			setFuture([])
			setFaults(known => new Map([...known].filter(([id]) => !touched.has(id))))
			setStaged(next)
		})
	}
	const idsOf = (rows: readonly Pick<Row, 'id'>[]) => rows.map(row => row.id)

	/** Removes what was applied. The rest stays staged with its reason, and so does what was staged meanwhile. */
	function settle(outcomes: readonly ChangeOutcome[], sent = staged()): Settled {
		const result = settled(staged(), outcomes, sent)
		saves.note(result)
		// Undo cannot revert what is saved by restoring an earlier list of staged changes. What failed can still be undone.
		const isLeft = countOf(result.staged) > 0
		batch(() => {
			setPast(states => (isLeft ? withoutSaved(states, result, sent) : []))
			setFuture([])
			setStaged(result.staged)
			setFaults(result.faults)
		})
		return result
	}

	/** Shows another state of the history. A fault belongs to what was sent, so it goes with it. */
	function show(next: Staged): void {
		const now = staged()
		const isSame = (id: string) => next.rows.get(id) === now.rows.get(id)
		setFaults(known => new Map([...known].filter(([id]) => isSame(id))))
		setStaged(next)
	}

	return {
		staged,
		/** The states that undo leads to, the last one first to come. */
		past,
		/** Takes stored changes, or those of another window, with what can be undone. */
		take(next: Staged, before: readonly Staged[] = []): void {
			batch(() => {
				setPast(before)
				setFuture([])
				setFaults(new Map())
				setStaged(next)
			})
		},
		count: createMemo(() => countOf(staged())),
		get: (rowId: string) => staged().rows.get(rowId),
		/** The new rows in the order of staging. */
		inserts: createMemo(() => staged().inserts),
		/** Whether one of these changes is staged as it was made. */
		hasAny: (changes: readonly CellChange[]) => hasAny(staged(), changes),
		/** Why the last save left this row pending, or why it cannot be saved. */
		faultOf: (rowId: string) => allFaults().get(rowId),
		faults: allFaults,
		/** Texts that their columns do not take, and rows that have changed since they were shown. */
		misfits,
		/** Checks staged values by these columns. */
		checkBy: (columns: readonly Column[]) => void setColumns(columns),
		/** Takes what finds staged rows that are known to be others in the table than the ones that are shown. */
		checkRows: (find: () => ReadonlyMap<string, SaveFailure>) => void setOutdated({ find }),
		/** Takes the open editor of a cell: a function that keeps its value. */
		setEditor(finish: (() => boolean) | undefined): void {
			setEditor(finish && { finish })
		},
		/** Whether the editor of a cell is open. */
		isTyping: () => editor() !== undefined,
		/** Keeps what is being typed. Returns `false` if the value is refused. */
		finishTyping: () => editor()?.finish() ?? true,
		canUndo: () => past().length > 0,
		canRedo: () => future().length > 0,

		/**
		 * Stages cells as one step; restoring the original value removes a change.
		 * @param added new rows for some of these cells
		 */
		setCells: (changes: readonly CellChange[], added: readonly StagedInsert[] = []) =>
			commit(withCells(withInserts(staged(), added), changes), idsOf(changes.map(({ row }) => row))),
		/** Marks rows for deletion, or unmarks them if all are marked. */
		toggleDeleted: (rows: readonly Row[]) => commit(withDeletedToggled(staged(), rows), idsOf(rows)),
		insert: (values: StagedInsert['values']) => commit(withInserts(staged(), [{ id: newRowId(), values }])),
		/**
		 * After a conflict: their values become the original, and the kept ones of mine are staged against their version.
		 */
		rebase: (
			rowId: string,
			theirs: { readonly version: string | undefined; cell(column: string): Cell },
			kept: KeptChanges,
		) => commit(rebased(staged(), rowId, { theirs, kept }), [rowId]),
		/**
		 * Restores earlier changes, as one step.
		 * @returns the number of changes that were not restored, because they were changed again since
		 */
		bringBack(earlier: Staged): number {
			const { staged: next, leftOut } = broughtBack(staged(), earlier, saves)
			commit(next, [...earlier.rows.keys()])
			return leftOut
		},
		/** Discards the staged changes of one row, or a new row. */
		drop: (rowId: string) => commit(withoutRow(staged(), rowId), [rowId]),
		/** Discards the staged values of some columns. */
		dropColumns: (names: ReadonlySet<string>) => commit(withoutColumns(staged(), names), [...staged().rows.keys()]),

		undo(): void {
			const last = past().at(-1)
			if (!last) return
			batch(() => {
				setPast(states => states.slice(0, -1))
				setFuture(states => [staged(), ...states])
				show(last)
			})
		},

		redo(): void {
			const [next, ...rest] = future()
			if (!next) return
			batch(() => {
				setFuture(rest)
				setPast(states => [...states, staged()])
				show(next)
			})
		},

		discard(): void {
			commit(nothing)
			setFuture([])
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
/** What the cells of a grid need of its changes. */
export type CellEdits = Pick<
	Edits,
	| 'setCells'
	| 'get'
	| 'faultOf'
	| 'inserts'
	| 'hasAny'
	| 'toggleDeleted'
	| 'setEditor'
	| 'isSending'
	| 'count'
	| 'canUndo'
	| 'canRedo'
	| 'undo'
	| 'redo'
>
