import type { Cell, Column, Row } from '../../host/api/api.ts'
import { cellOf, cellText } from '../cells/cell-text.ts'
import { showToast } from '../controls/toasts.tsx'
import type { IndexedColumn } from '../grid/columns/indexed-column.ts'
import type { GridModel } from '../grid/model.ts'
import { useEngine } from '../state/engine.tsx'
import { useHost, useRecords } from '../state/host.tsx'
import { oneWindow } from '../state/one-window.ts'
import { showSaved } from '../table/edit/saved-rows.ts'
import { createSaving } from '../table/edit/saving.ts'
import { shareSaves } from '../table/edit/shared-saves.ts'
import type { EditedRows } from '../table/edit/sheet.ts'
import { type CellChange, nothing, type SaveFailure, type StagedRow } from '../table/edit/staged.ts'
import type { EditedTable } from '../table/features/cell-feature.tsx'
import { capital } from '../words/format.ts'
import type { ResultRows } from './chart-columns.ts'
import type { TableChanges } from './kept-changes.ts'
import { onlyKnown, type ResultEdits } from './origins.ts'
import { createTableEdits, type ResultCells, type TableEdits } from './table-edits.ts'

/** Where a column of a result is changed. */
interface Changed {
	readonly part: Part
	readonly origin: ReturnType<typeof onlyKnown>[number]
	/** Its name in the table; empty if it takes no value. */
	readonly name: string
}

interface Part extends TableEdits {
	readonly saving: ReturnType<typeof createSaving>
}

export type ResultEditing = NonNullable<ReturnType<typeof createResultEditing>>

/**
 * Changes of values in a result, which are staged, reviewed and saved as those of the tables that its rows are from.
 * Changes of one table are staged at a time, because a save is all or nothing for one.
 * @param result with unique names of its columns
 * @returns `undefined` if no row has a whole key of a table
 */
export function createResultEditing(
	result: ResultRows,
	{ connection, isInTransaction }: ResultEdits,
	{ all, setAll, grid }: ResultCells & { grid(): GridModel },
) {
	const known = onlyKnown(result)
	if (known.length === 0 || result.isComputed) return undefined
	const host = useHost()
	const records = useRecords()
	const { rowNoun, savesWhole } = useEngine()
	const parts = [...Map.groupBy(known, ({ table }) => table)].map(([table, origins]): Part => {
		const target = { connection: connection.id, table }
		const changes = createTableEdits(host, target, origins, { all, setAll })
		const { edits, rows } = changes
		const { tell } = shareSaves(records, target, {
			show: saved => showSaved(rows, saved),
			// A result stays as it came.
			reload: () => {},
			isTyping: edits.isTyping,
		})
		const saving = createSaving({
			host,
			target,
			safeMode: () => connection.view.safeMode,
			rowNoun,
			isAtomic: savesWhole,
			rows,
			edits,
			runExclusive: work => oneWindow(`save/${connection.id}/${table}`, records, work),
			readDeleted: async () => new Map(),
			isSorted: () => false,
			reload: () => {},
			onSaved: tell,
			showFault,
			say: (text, undo) => showToast(text, undo && { label: 'Undo', run: undo }),
		})
		/** Goes to a row that was not saved. @returns its name */
		function showFault(id: string, { column }: SaveFailure): string {
			const [shown] = changes.places(id)
			const found = shown && grid().source.find(shown.row.id)
			if (!shown || !found) return ''
			grid().place.goToRow(found.index + 1)
			const at = shown.origin.columns[shown.origin.names?.indexOf(column ?? '') ?? -1]
			if (at !== undefined) grid().place.goToColumn(result.columns[at]?.name ?? '')
			const keys = shown.origin.key.map(({ column, at }) => `${column} ${cellText(cellOf(shown.row, at)).text}`)
			return [`${capital(rowNoun.one)} ${keys.join(', ')}`, ...(column === undefined ? [] : [column])].join(', ')
		}
		return { ...changes, saving }
	})
	const places = result.columns.map((_, at): Changed | undefined => {
		const origin = known.find(({ columns }) => columns.includes(at))
		const part = parts.find(({ table }) => table === origin?.table)
		return origin && part && { part, origin, name: origin.names?.[origin.columns.indexOf(at)] ?? '' }
	})
	const rowOf = (id: string) => all()[Number(id)]
	let last = parts[0]
	/** The table whose changes are staged, else the one that the user changes. */
	const active = () => parts.find(({ edits }) => edits.count() > 0) ?? last ?? never()
	const isStaged = () => parts.some(({ edits }) => edits.count() > 0)
	const stagedAt = (row: Row, at: number) => {
		const place = places[at]
		const id = place?.part.find(place.origin, row)?.id
		return id === undefined ? undefined : place?.part.edits.get(id)?.cells.get(place.name)
	}

	/** Returns the column of the table, by the name that it has in the result. */
	function columnOf({ column, index }: IndexedColumn): Column {
		const place = places[index]
		const found = place?.part.columns().find(({ name }) => name === place.name)
		return found ? { ...found, name: column.name, isKey: column.isKey } : column
	}

	function whyUnchangeable(row: Row, { column, index }: IndexedColumn): string | undefined {
		const place = places[index]
		const title = grid().columns.title(column.name)
		if (!place) {
			return `${title} is an expression, or the result lacks the whole key of its table, so it cannot be edited.`
		}
		const { part, origin, name } = place
		if (name === '') return `${title} is set by the engine, so it cannot be edited.`
		if (isInTransaction()) {
			return 'A transaction is open in this console: commit it or roll it back, then edit what it shows.'
		}
		if (active() !== part) return `One table is changed at a time, and changes of ${active().table} are not saved.`
		const { update } = { ...part.cannot(), ...connection.cannot(part.table) }
		if (update !== undefined) return update
		const found = part.find(origin, row)
		if (found === undefined && part.failure() !== undefined) return part.failure()
		if (!found) return `The ${rowNoun.one} is not in ${part.table} any more.`
		const { isReadOnly, note = '' } = columnOf({ column, index })
		if (isReadOnly === 'after_insert') return `${title} can be set in a new ${rowNoun.one} only.`
		return isReadOnly ? `${title} cannot be changed. ${note}`.trim() : undefined
	}

	/** Returns changes of cells of the result as those of the table. */
	const inTable = (changes: readonly CellChange[]): readonly CellChange[] =>
		changes.flatMap(({ row, column, before, after }) => {
			const place = places[result.columns.findIndex(({ name }) => name === column.name)]
			const shown = rowOf(row.id)
			const found = place && shown && place.part.find(place.origin, shown)
			if (!place || !found || place.part !== active()) return []
			return [{ row: found, column: { name: place.name }, before, after }]
		})
	const noRows = `A result takes no new ${rowNoun.many}. Open the table to add or delete some.`
	const cannot = () => ({ insert: noRows, delete: noRows })
	const cell = (row: Row, { index }: IndexedColumn): Cell => {
		const staged = isStaged() ? stagedAt(row, index) : undefined
		return staged ? staged.after : cellOf(row, index)
	}
	const whole: EditedRows['whole'] = async row => name => {
		const at = result.columns.findIndex(column => column.name === name)
		const place = places[at]
		const found = place?.part.find(place.origin, row)
		const index = place?.part.columns().findIndex(column => column.name === place.name) ?? -1
		return found && index >= 0 ? cellOf(found, index) : cellOf(row, at)
	}

	const sheet: EditedRows = {
		at: index => grid().source.at(index),
		cell,
		count: () => grid().source.count(),
		insertedCount: () => 0,
		isReadOnly: (_, { column, index }) =>
			(places[index]?.name ?? '') === '' || columnOf({ column, index }).isReadOnly !== false,
		readOnlyReason: () => undefined,
		whyUnchangeable,
		canChange: (row, place) => whyUnchangeable(row, place) === undefined,
		newRow: () => ({ id: '', cells: [] }),
		cannotInsert: () => noRows,
		isCounted: () => true,
		cannotDelete: () => noRows,
		whole,
		async ready(rows, columns) {
			const found = columns.map(({ index }) => places[index]).find(place => place !== undefined && place.name !== '')
			if (!found || isInTransaction()) return
			if (!isStaged() && last !== found.part) {
				// What can be undone is of the table that is changed.
				last?.edits.take(nothing)
				last = found.part
			}
			if (active() === found.part) await found.part.ready(rows)
		},
	}

	/** The changes of a row of the result, by its names of columns. */
	function get(id: string): StagedRow | undefined {
		const row = isStaged() ? rowOf(id) : undefined
		if (!row) return undefined
		const cells = result.columns.flatMap(({ name }, at) => {
			const staged = stagedAt(row, at)
			return staged ? [[name, staged] as const] : []
		})
		return cells.length === 0 ? undefined : { rowId: id, cells: new Map(cells), isDeleted: false }
	}

	function faultOf(id: string): SaveFailure | undefined {
		const row = isStaged() ? rowOf(id) : undefined
		for (const place of row ? places : []) {
			const found = row && place?.part.find(place.origin, row)
			const fault = found && place?.part.edits.faultOf(found.id)
			if (!fault || !place) continue
			const { column, ...rest } = fault
			const at = place.origin.columns[place.origin.names?.indexOf(column ?? '') ?? -1]
			const name = at === undefined ? undefined : result.columns[at]?.name
			return { ...rest, ...(name !== undefined && { column: name }) }
		}
		return undefined
	}

	const table: Omit<EditedTable, 'grid'> = {
		sheet,
		edits: {
			get,
			faultOf,
			inserts: () => [],
			isSending: () => active().edits.isSending(),
			count: () => active().edits.count(),
			canUndo: () => active().edits.canUndo(),
			canRedo: () => active().edits.canRedo(),
			undo: () => active().edits.undo(),
			redo: () => active().edits.redo(),
			setEditor: finish => active().edits.setEditor(finish),
			toggleDeleted: () => {},
			setCells: changes => active().edits.setCells(inTable(changes)),
			hasAny: changes => active().edits.hasAny(inTable(changes)),
		},
		saving: {
			canUndoSave: () => active().saving.canUndoSave(),
			undoSave: () => active().saving.undoSave(),
			canCancel: () => active().saving.canCancel(),
			cancel: () => active().saving.cancel(),
		},
		cannot,
		isInTime: () => false,
		async save(isAtOnce) {
			await grid().selected.whenDone()
			await (isAtOnce ? active().saving.saveAtOnce() : active().saving.review())
		},
		discard() {
			active().saving.discard()
			grid().place.toGrid()
		},
	}
	return {
		parts,
		table,
		isStaged,
		/** What is staged, by table. */
		changes: () => parts.flatMap(part => part.changes()),
		/** Takes changes of an earlier result. @returns those of rows that this one does not have */
		async restore(changes: readonly TableChanges[]): Promise<readonly TableChanges[]> {
			const rest = await Promise.all(
				changes.map(one => parts.find(({ table }) => table === one.table)?.restore(one) ?? [one]),
			)
			return rest.flat()
		},
		connection,
		cell,
		/** Reads what changes with the shown values of rows that stay. */
		track: () => {
			for (const { edits } of parts) edits.staged()
		},
		/** The columns with what their tables say of them. */
		columns: (): readonly Column[] =>
			result.columns.map((column, index) => ({
				...columnOf({ column, index }),
				// The result says how its values look, and all of them can be sorted.
				isSortable: true,
			})),
	}
}

/** A result that can be edited has a table. */
function never(): never {
	throw new Error('The result has no table.')
}
