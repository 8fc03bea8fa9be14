import { fromCell, isCutCell } from '@roundhouse/kit/cell'
import type { Json } from '@roundhouse/kit/json'
import type { Cell, Change, ChangeOutcome, Column, Row } from '../../../host/api/api.ts'
import { isSameCell } from '../../cells/cell-text.ts'
import { shownValueAt, withValueAt } from '../../cells/value-at.ts'
import { newValue } from './cell-input.ts'

/** The staged changes of one grid. Pure: each step returns the next state. */

export interface Staged {
	readonly rows: ReadonlyMap<string, StagedRow>
	readonly inserts: readonly StagedInsert[]
}

export interface StagedRow {
	readonly rowId: string
	readonly version?: string
	/** New values by column, beside the original ones. */
	readonly cells: ReadonlyMap<string, { readonly before: Cell; readonly after: Cell }>
	/** The whole row is deleted. */
	readonly isDeleted: boolean
}

/** A new row; the driver positions it. */
export interface StagedInsert {
	/** An id that exists in the window only. */
	readonly id: string
	readonly values: Readonly<Record<string, Cell>>
}

/** A prefix that no engine uses. */
export const newRowId = () => `new ${crypto.randomUUID()}`
export const isNewRow = (id: string) => /^new [\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)

export interface CellChange {
	readonly row: Pick<Row, 'id' | 'version'>
	readonly column: Pick<Column, 'name'>
	readonly before: Cell
	readonly after: Cell
}

/** The values of mine that stay after a conflict. */
export interface KeptChanges {
	readonly cells: ReadonlySet<string>
	readonly isDeleted: boolean
}

/** Why the last save left something pending. */
export interface SaveFailure {
	readonly message: string
	readonly isConflict: boolean
	/** The column whose value was refused, if known. */
	readonly column?: string
}

/** The change was left out because of another one. */
export const notSent: SaveFailure = { message: 'Not sent.', isConflict: false }

/**
 * Returns the staged change that a column shows: its own one, or that of an object or list around it, for example of
 * `lines` in `lines.count`.
 */
export function changeIn(row: StagedRow | undefined, column: string): { readonly after: Cell } | undefined {
	const own = row?.cells.get(column)
	if (own || !row) return own
	for (let dot = column.lastIndexOf('.'); dot > 0; dot = column.lastIndexOf('.', dot - 1)) {
		const around = row.cells.get(column.slice(0, dot))
		if (!around) continue
		const value = shownValueAt(fromCell(around.after), column.slice(dot + 1))
		return { after: value === undefined ? { missing: true } : newValue(value) }
	}
	return undefined
}

export const nothing: Staged = { rows: new Map(), inserts: [] }

/** Counts changes: a cell, a deletion and a new row count one each. */
export function countOf({ rows, inserts }: Staged): number {
	return [...rows.values()].reduce((sum, row) => sum + (row.isDeleted ? 1 : row.cells.size), inserts.length)
}

/** Whether both have the same changes, made against the same values. */
export function isSameStaged(one: Staged, other: Staged): boolean {
	if (one.rows.size !== other.rows.size || one.inserts.length !== other.inserts.length) return false
	return (
		[...one.rows.values()].every(row => isSameRow(row, other.rows.get(row.rowId))) &&
		one.inserts.every((insert, at) => isSameInsert(insert, other.inserts[at]))
	)
}

function isSameRow(row: StagedRow, other: StagedRow | undefined): boolean {
	if (row === other || other === undefined) return row === other
	if (row.version !== other.version || row.isDeleted !== other.isDeleted) return false
	if (row.cells.size !== other.cells.size) return false
	return [...row.cells].every(([name, { before, after }]) => {
		const cell = other.cells.get(name)
		return cell !== undefined && isSameCell(cell.before, before) && isSameCell(cell.after, after)
	})
}

function isSameInsert(insert: StagedInsert, other: StagedInsert | undefined): boolean {
	if (insert === other) return true
	const values = Object.entries(insert.values)
	if (insert.id !== other?.id || values.length !== Object.keys(other.values).length) return false
	return values.every(([name, value]) => {
		const cell = other.values[name]
		return cell !== undefined && isSameCell(cell, value)
	})
}

/** Whether one of these changes is staged as it was made. In a new row any value counts. */
export function hasAny({ rows, inserts }: Staged, changes: readonly CellChange[]): boolean {
	const isNew = new Set(inserts.map(({ id }) => id))
	return changes.some(({ row, column, after }) => {
		const cell = rows.get(row.id)?.cells.get(column.name)
		return isNew.has(row.id) || (cell !== undefined && isSameCell(cell.after, after))
	})
}

/** Sets cells; restoring the original value removes a change. A new row takes the values itself. */
export function withCells(staged: Staged, changes: readonly CellChange[]): Staged {
	const byId = Map.groupBy(changes, ({ row }) => row.id)
	const inserts = staged.inserts.map(insert => {
		const own = byId.get(insert.id)
		return own ? { ...insert, values: withValues(insert.values, own) } : insert
	})
	return withRows(
		{ ...staged, inserts },
		rowsOf(
			staged,
			changes.map(({ row }) => row),
		),
		entry => {
			const cells = new Map(entry.cells)
			for (const { column, before, after } of byId.get(entry.rowId) ?? []) {
				const original = cells.get(column.name)?.before ?? before
				if (isSameCell(original, after)) cells.delete(column.name)
				else cells.set(column.name, { before: original, after })
			}
			return { ...entry, cells }
		},
	)
}

/** Marks rows for deletion, or unmarks them if all are marked. New rows are removed at once. */
export function withDeletedToggled(staged: Staged, rows: readonly Row[]): Staged {
	const chosen = new Set(rows.map(({ id }) => id))
	const inserts = staged.inserts.filter(({ id }) => !chosen.has(id))
	const own = rowsOf(staged, rows)
	const isDeleted = !own.every(row => staged.rows.get(row.id)?.isDeleted)
	return withRows({ ...staged, inserts }, own, entry => ({ ...entry, isDeleted }))
}

/** Returns the table's rows, each once. A new row may be gone because another window saved it. */
function rowsOf({ inserts }: Staged, rows: readonly CellChange['row'][]): readonly CellChange['row'][] {
	const isNew = new Set(inserts.map(({ id }) => id))
	return [...new Map(rows.map(row => [row.id, row])).values()].filter(({ id }) => !isNew.has(id) && !isNewRow(id))
}

/** Returns a new row as the grid shows it. Its values may be nested below the columns' names. */
export function insertedRow({ id, values }: StagedInsert, columns: readonly Column[]): Row {
	const document = documentOf(values)
	const cells = columns.map(({ name }): Cell => {
		const own = values[name]
		if (own !== undefined) return own
		const value = shownValueAt(document, name)
		return value === undefined ? { missing: true } : newValue(value)
	})
	return { id, cells }
}

function withValues(values: StagedInsert['values'], changes: readonly CellChange[]): StagedInsert['values'] {
	let cells = values
	let document: Readonly<Record<string, Json>> = documentOf(values)
	for (const { column, after } of changes) {
		const changed = withValueAt(document, column.name, fromCell(after))
		// Only what changed is a new cell: the others are more than their value in a document, for example bytes.
		const cellIn = (name: string, value: Json) => (value === document[name] ? cells[name] : undefined)
		const entries = Object.entries(changed).map(([name, value]) => {
			const cell = name === column.name ? after : cellIn(name, value)
			return [name, cell === undefined ? newValue(value) : cell] as const
		})
		cells = Object.fromEntries(entries)
		document = changed
	}
	return cells
}

function documentOf(values: StagedInsert['values']): Record<string, Json> {
	const entries = Object.entries(values).map(([name, cell]) => [name, fromCell(cell)] as const)
	return Object.fromEntries(entries.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined))
}

function withRows(staged: Staged, rows: readonly CellChange['row'][], change: (entry: StagedRow) => StagedRow): Staged {
	const next = new Map(staged.rows)
	for (const { id: rowId, version } of rows) {
		const untouched = { rowId, ...(version !== undefined && { version }), cells: new Map(), isDeleted: false }
		const entry = change(next.get(rowId) ?? untouched)
		if (isNothing(entry)) next.delete(rowId)
		else next.set(rowId, entry)
	}
	return { ...staged, rows: next }
}

/** Returns the staged values of columns that the table does not have, by column. */
export function goneValues(
	{ rows, inserts }: Staged,
	columns: readonly Column[],
): ReadonlyMap<string, readonly Cell[]> {
	const known = new Set(columns.map(({ name }) => name))
	const staged = [
		...[...rows.values()].flatMap(({ cells }) => [...cells].map(([name, { after }]) => [name, after] as const)),
		...inserts.flatMap(({ values }) => Object.entries(values)),
	]
	const gone = Map.groupBy(
		staged.filter(([name]) => !known.has(name)),
		([name]) => name,
	)
	return new Map([...gone].map(([name, entries]) => [name, entries.map(([, cell]) => cell)]))
}

/** Discards the staged values of some columns. A new row without other values goes too. */
export function withoutColumns(staged: Staged, names: ReadonlySet<string>): Staged {
	const rows = [...staged.rows.values()].map(row => ({
		...row,
		cells: new Map([...row.cells].filter(([name]) => !names.has(name))),
	}))
	const inserts = staged.inserts.flatMap(insert => {
		const values = Object.entries(insert.values)
		const kept = values.filter(([name]) => !names.has(name))
		if (kept.length === values.length) return [insert]
		return kept.length === 0 ? [] : [{ ...insert, values: Object.fromEntries(kept) }]
	})
	return { rows: new Map(rows.filter(row => !isNothing(row)).map(row => [row.rowId, row])), inserts }
}

export function withInserts(staged: Staged, inserts: readonly StagedInsert[]): Staged {
	return { ...staged, inserts: [...staged.inserts, ...inserts] }
}

export function withoutRow(staged: Staged, rowId: string): Staged {
	return {
		rows: new Map([...staged.rows].filter(([id]) => id !== rowId)),
		inserts: staged.inserts.filter(({ id }) => id !== rowId),
	}
}

/** The row of the other client, and the values that the user keeps. */
interface ResolvedConflict {
	readonly theirs: { readonly version: string | undefined; cell(column: string): Cell }
	readonly kept: KeptChanges
}

/**
 * Resolves a conflict. The values of the other client become the original ones. The values that the user keeps are staged
 * against the new version.
 */
export function rebased(staged: Staged, rowId: string, { theirs, kept }: ResolvedConflict): Staged {
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

/** Returns the changes in the driver's format: those of rows in the order of staging, then new rows. */
export function changesOf({ rows, inserts }: Staged): readonly Change[] {
	return [...[...rows.values()].map(changeOf), ...inserts.map(({ values }) => ({ kind: 'insert' as const, values }))]
}

function changeOf({ rowId, version, cells, isDeleted }: StagedRow): Change {
	const row = { rowId, ...(version !== undefined && { version }) }
	if (isDeleted) return { kind: 'delete', ...row }
	return { kind: 'update', ...row, set: Object.fromEntries([...cells].map(([name, { after }]) => [name, after])) }
}

/** What was saved of a row, and what the engine says of it. */
export interface SavedRow extends Omit<Extract<ChangeOutcome, { readonly status: 'applied' }>, 'status'> {
	readonly staged: StagedRow
}

/** The outcome of a save: what is left, with reasons, and what is done. */
export interface Settled {
	readonly staged: Staged
	/** By row id, or by a new row's temporary id. */
	readonly faults: ReadonlyMap<string, SaveFailure>
	readonly rows: ReadonlyMap<string, SavedRow>
	readonly inserted: number
	/** The inserted rows of which the driver gave the id. */
	readonly made: readonly Pick<StagedRow, 'rowId' | 'version'>[]
}

/**
 * Removes what was applied. The outcomes are in the order of {@link changesOf} of what was sent. Later changes stay
 * staged against the new version.
 */
export function settled(staged: Staged, outcomes: readonly ChangeOutcome[], sent = staged): Settled {
	const applied = new Map<string, SavedRow>()
	const left = new Map(staged.rows)
	const faults = new Map<string, SaveFailure>()
	for (const [index, row] of [...sent.rows.values()].entries()) {
		const outcome = outcomes[index]
		if (outcome?.status === 'applied') {
			const { status: _, ...stored } = outcome
			const version = outcome.version !== undefined && { version: outcome.version }
			applied.set(row.rowId, { staged: row, ...stored })
			const since = left.get(row.rowId)
			const rest = since && since !== row && changedSince(since, row)
			if (rest && !isNothing(rest)) left.set(row.rowId, { ...rest, ...version })
			else left.delete(row.rowId)
		} else if (left.has(row.rowId)) faults.set(row.rowId, faultOf(outcome))
	}
	const gone = new Set<string>()
	const made: Settled['made'][number][] = []
	for (const [index, { id }] of sent.inserts.entries()) {
		const outcome = outcomes[sent.rows.size + index]
		if (outcome?.status === 'applied') {
			gone.add(id)
			const { rowId, version } = outcome
			if (rowId !== undefined) made.push({ rowId, ...(version !== undefined && { version }) })
		} else if (staged.inserts.some(insert => insert.id === id)) faults.set(id, faultOf(outcome))
	}
	const inserts = staged.inserts.filter(({ id }) => !gone.has(id))
	return { staged: { rows: left, inserts }, faults, rows: applied, inserted: gone.size, made }
}

/** Returns the undo states without the changes that were saved, and without states that are then equal to the next one. */
export function withoutSaved(states: readonly Staged[], { staged, rows }: Settled, sent: Staged): readonly Staged[] {
	const left = new Set(staged.inserts.map(({ id }) => id))
	const saved = new Set(sent.inserts.flatMap(({ id }) => (left.has(id) ? [] : [id])))
	const rest = states.map(state => {
		const isPending = ([id]: readonly [string, StagedRow]) => !rows.has(id)
		return {
			rows: new Map([...state.rows].filter(isPending)),
			inserts: state.inserts.filter(({ id }) => !saved.has(id)),
		}
	})
	return rest.filter((state, index) => !isSameStaged(state, rest[index + 1] ?? staged))
}

/** Returns what remains to be saved of a row after the sent changes. */
function changedSince(now: StagedRow, sent: StagedRow): StagedRow {
	if (sent.isDeleted) return { ...now, cells: new Map(), isDeleted: false }
	const cells = [...now.cells].map(([name, { before, after }]) => {
		const saved = sent.cells.get(name)
		return [name, { before: saved ? saved.after : before, after }] as const
	})
	return { ...now, cells: new Map(cells.filter(([, { before, after }]) => !isSameCell(before, after))) }
}

/**
 * Returns the changes that revert a save, against the new versions; `undefined` if unknown: for inserted rows without an
 * id, for deleted rows that cannot be recreated, and for values that were shown cut.
 */
export function reversalOf(
	{ rows, inserted, made }: Settled,
	recreations: ReadonlyMap<string, StagedInsert> = new Map(),
): Staged | undefined {
	const saved = [...rows.values()]
	const isKnown = ({ staged }: (typeof saved)[number]) =>
		staged.isDeleted
			? recreations.has(staged.rowId)
			: [...staged.cells.values()].every(({ before }) => !isCutCell(before))
	if (inserted > made.length || saved.length + inserted === 0 || !saved.every(isKnown)) return undefined
	const cells = saved.flatMap(({ staged, rowId = staged.rowId, version = staged.version }) => {
		if (staged.isDeleted) return []
		const row = { id: rowId, ...(version !== undefined && { version }) }
		return [...staged.cells].map(([name, { before, after }]) => ({
			row,
			column: { name },
			before: after,
			after: before,
		}))
	})
	const inserts = saved.map(({ staged }) => (staged.isDeleted ? recreations.get(staged.rowId) : undefined))
	const removed = made.map((row): StagedRow => ({ ...row, cells: new Map(), isDeleted: true }))
	return {
		rows: new Map([...withCells(nothing, cells).rows, ...removed.map(row => [row.rowId, row] as const)]),
		inserts: inserts.filter(insert => insert !== undefined),
	}
}

function faultOf(outcome: ChangeOutcome | undefined): SaveFailure {
	switch (outcome?.status) {
		case 'conflict':
			return { message: `Changed by another client since it was read. ${outcome.message}`, isConflict: true }
		case 'failed':
			return {
				message: outcome.message,
				isConflict: false,
				...(outcome.column !== undefined && { column: outcome.column }),
			}
		case 'unknown':
			return {
				message: `This change may or may not have been saved. ${outcome.message} Read the row again to check.`,
				isConflict: false,
			}
		default:
			return notSent
	}
}
