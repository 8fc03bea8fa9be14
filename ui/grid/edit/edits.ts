import { createMemo, createSignal } from 'solid-js'
import type { Cell, Change, ChangeOutcome, Column, Row } from '../../../host/ui-server/api.ts'
import { isSameCell } from '../../cells/cell-text.ts'

/** The staged changes of one grid: what was typed and not saved yet, with undo and redo. */

export interface CellChange {
	readonly row: Row
	readonly column: Column
	readonly before: Cell
	readonly after: Cell
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

interface Staged {
	readonly rows: ReadonlyMap<string, StagedRow>
	readonly inserts: readonly StagedInsert[]
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

/** Undoing further than this helps nobody, and history is memory. */
const historyLimit = 500

export function createEdits() {
	const [staged, setStaged] = createSignal<Staged>(nothing)
	const [past, setPast] = createSignal<readonly Staged[]>([])
	const [future, setFuture] = createSignal<readonly Staged[]>([])
	const [faults, setFaults] = createSignal<ReadonlyMap<string, Fault>>(new Map())
	let lastInsert = 0

	function commit(next: Staged): void {
		setPast(states => [...states.slice(1 - historyLimit), staged()])
		setFuture([])
		setStaged(next)
	}

	/** Stages changes of rows as one step of undo. */
	function change(rows: readonly Row[], update: (entry: StagedRow, row: Row) => StagedRow): void {
		const next = new Map(staged().rows)
		for (const row of rows) {
			const { id: rowId, version } = row
			const entry = next.get(rowId) ?? {
				rowId,
				...(version !== undefined && { version }),
				cells: new Map(),
				isDeleted: false,
			}
			const changed = update(entry, row)
			if (changed.cells.size === 0 && !changed.isDeleted) next.delete(rowId)
			else next.set(rowId, changed)
		}
		const ids = new Set(rows.map(row => row.id))
		setFaults(known => new Map([...known].filter(([id]) => !ids.has(id))))
		commit({ ...staged(), rows: next })
	}

	/** Puts something else in the place of what is staged for one row. */
	function replace(rowId: string, entry: StagedRow | undefined): void {
		const rows = new Map(staged().rows)
		if (entry) rows.set(rowId, entry)
		else rows.delete(rowId)
		setFaults(known => new Map([...known].filter(([id]) => id !== rowId)))
		commit({ ...staged(), rows })
	}

	return {
		count: createMemo(() => {
			const { rows, inserts } = staged()
			return [...rows.values()].reduce((sum, row) => sum + (row.isDeleted ? 1 : row.cells.size), inserts.length)
		}),
		get: (rowId: string) => staged().rows.get(rowId),
		inserts: () => staged().inserts,
		/** Why the last save left this row pending. */
		faultOf: (rowId: string) => faults().get(rowId),
		faults,
		canUndo: () => past().length > 0,
		canRedo: () => future().length > 0,

		/** Stages cells as one step; editing back to what was there takes a change away. */
		setCells(changes: readonly CellChange[]): void {
			const byRow = Map.groupBy(changes, ({ row }) => row)
			change([...byRow.keys()], (entry, row) => {
				const cells = new Map(entry.cells)
				for (const { column, before, after } of byRow.get(row) ?? []) {
					const original = cells.get(column.name)?.before ?? before
					if (isSameCell(original, after)) cells.delete(column.name)
					else cells.set(column.name, { before: original, after })
				}
				return { ...entry, cells }
			})
		},

		/** Strikes rows through; where all of them are, takes that back. */
		toggleDeleted(rows: readonly Row[]): void {
			const isDeleted = !rows.every(row => staged().rows.get(row.id)?.isDeleted)
			change(rows, entry => ({ ...entry, isDeleted }))
		},

		insert(values: StagedInsert['values']): void {
			commit({ ...staged(), inserts: [...staged().inserts, { key: ++lastInsert, values }] })
		},

		/** After a conflict: what they have becomes what was there, and of mine what is kept stays, against their version. */
		rebase(rowId: string, version: string | undefined, theirs: (column: string) => Cell, kept: Kept): void {
			const entry = staged().rows.get(rowId)
			if (!entry) return
			const cells = new Map<string, { before: Cell; after: Cell }>()
			for (const [column, { after }] of entry.cells) {
				const before = theirs(column)
				if (kept.cells.has(column) && !isSameCell(before, after)) cells.set(column, { before, after })
			}
			const { isDeleted } = kept
			const isNothing = cells.size === 0 && !isDeleted
			replace(rowId, isNothing ? undefined : { rowId, cells, isDeleted, ...(version !== undefined && { version }) })
		},

		/** Lets go of what is staged for one row. */
		drop: (rowId: string) => replace(rowId, undefined),

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

		/** The changes as the driver takes them: those of rows in the order they were staged, then the new ones. */
		changes(): readonly Change[] {
			const { rows, inserts } = staged()
			return [
				...[...rows.values()].map(toChange),
				...inserts.map(({ values }) => ({ kind: 'insert' as const, values })),
			]
		},

		/** Takes away what was applied; the rest stays staged with its reason. @returns the applied rows, by id */
		settle(outcomes: readonly ChangeOutcome[]): Settled {
			const { rows, inserts } = staged()
			const applied = new Map<string, { staged: StagedRow; version?: string }>()
			const left = new Map(rows)
			const reasons = new Map<string, Fault>()
			for (const [index, row] of [...rows.values()].entries()) {
				const outcome = outcomes[index]
				if (outcome?.status === 'applied') {
					applied.set(row.rowId, { staged: row, ...(outcome.version !== undefined && { version: outcome.version }) })
					left.delete(row.rowId)
				} else reasons.set(row.rowId, faultFrom(outcome))
			}
			const leftInserts = inserts.filter((insert, index) => {
				const outcome = outcomes[rows.size + index]
				if (outcome?.status === 'applied') return false
				reasons.set(insertId(insert), faultFrom(outcome))
				return true
			})
			setStaged({ rows: left, inserts: leftInserts })
			setFaults(reasons)
			// What is saved cannot be undone by going back to an earlier list of staged changes.
			setPast([])
			setFuture([])
			return { rows: applied, inserted: inserts.length - leftInserts.length }
		},
	}
}
export type Edits = ReturnType<typeof createEdits>

export interface Settled {
	readonly rows: ReadonlyMap<string, { readonly staged: StagedRow; readonly version?: string }>
	readonly inserted: number
}

const nothing: Staged = { rows: new Map(), inserts: [] }
const insertId = (insert: StagedInsert) => `new ${insert.key}`

function toChange({ rowId, version, cells, isDeleted }: StagedRow): Change {
	const row = { rowId, ...(version !== undefined && { version }) }
	if (isDeleted) return { kind: 'delete', ...row }
	return { kind: 'update', ...row, set: Object.fromEntries([...cells].map(([name, { after }]) => [name, after])) }
}

function faultFrom(outcome: ChangeOutcome | undefined): Fault {
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
