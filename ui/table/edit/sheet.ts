import { createMemo } from 'solid-js'
import type { Cannot, Cell, Column, Row } from '../../../host/api/api.ts'
import { cellOf } from '../../cells/cell-text.ts'
import type { IndexedColumn } from '../../grid/columns/indexed-column.ts'
import type { LoadedRows, RowRange, RowSource } from '../../grid/source.ts'
import { useEngine } from '../../state/engine.tsx'
import type { Rows } from '../rows/rows.ts'
import type { Edits } from './edits.ts'
import { insertedRow, isNewRow, newRowId } from './staged.ts'

/** What the grid shows from the top: staged new rows, then the table's rows. */
export function createSheet({
	rows,
	edits,
	cannot,
	whole,
	textOf,
}: {
	readonly rows: Rows
	readonly edits: Edits
	cannot(): Cannot
	readonly whole: NonNullable<RowSource['whole']>
	/** The text of a value that is not printed whole; a staged one always is. */
	textOf?(cell: Cell, column: Column): string | undefined
}) {
	const { rowNoun } = useEngine()
	const inserted = createMemo(() => edits.inserts().map(insert => insertedRow(insert, rows.columns())))
	const insertedCount = () => inserted().length

	/** Whether the column takes no value in this row, whatever is staged or sent. */
	function isReadOnly({ id }: Row, { column }: IndexedColumn): boolean {
		return isNewRow(id) ? column.isReadOnly === true : column.isReadOnly !== false
	}

	/**
	 * Why a saved row keeps a value: the table takes no changes, or only a new row can set it. `undefined` for other
	 * cells, also of a column that is never changed.
	 */
	function readOnlyReason({ id }: Row, { column }: IndexedColumn): string | undefined {
		if (isNewRow(id) || column.isReadOnly === true) return undefined
		const { update } = cannot()
		if (update !== undefined) return update
		return column.isReadOnly === 'after_insert' ? `${column.name} can be set in a new ${rowNoun.one} only.` : undefined
	}

	/** Why a cell cannot be changed, if it cannot. */
	function whyUnchangeable(row: Row, place: IndexedColumn): string | undefined {
		const { name, note = '' } = place.column
		const reason = readOnlyReason(row, place)
		if (reason !== undefined) return reason
		const ofTable = isNewRow(row.id) ? undefined : cannot().update
		if (isReadOnly(row, place)) return ofTable ?? `${name} cannot be changed. ${note}`.trim()
		if (isNewRow(row.id)) return edits.isSending() ? `The new ${rowNoun.one} is being saved.` : undefined
		return edits.get(row.id)?.isDeleted ? `The ${rowNoun.one} is marked for deletion.` : undefined
	}

	/** The rows that can be shown without a request: new ones, then the loaded ones. */
	const loaded = (): readonly LoadedRows[] => [
		{ first: 0, rows: inserted() },
		...rows.loaded().map(({ first, rows }) => ({ first: first + insertedCount(), rows })),
	]

	return {
		mostAtOnce: 10_000,
		/** Number of rows. */
		count: () => insertedCount() + (rows.total()?.value ?? 0),
		/** Number of new rows; they come first. */
		insertedCount,
		unnumbered: insertedCount,
		track: () => void edits.staged(),
		whole,
		/** The row at an index, `undefined` while it is loading. */
		at: (index: number): Row | undefined =>
			index < insertedCount() ? inserted()[index] : rows.at(index - insertedCount()),
		loaded,
		/** Returns the row with an id and its index, if it is loaded. */
		find(id: string): { readonly row: Row; readonly index: number } | undefined {
			const found = loaded().flatMap(({ first, rows }) => rows.map((row, at) => ({ row, index: first + at })))
			return found.find(({ row }) => row.id === id)
		},
		/** The cell as shown, with its staged value. */
		cell(row: Row, { column, index }: IndexedColumn): Cell {
			const staged = edits.get(row.id)?.cells.get(column.name)
			// A staged null is a value: `??` would show the original one.
			return staged ? staged.after : cellOf(row, index)
		},
		text: (row: Row, { column, index }: IndexedColumn): string | undefined =>
			edits.get(row.id)?.cells.has(column.name) ? undefined : textOf?.(cellOf(row, index), column),
		isReadOnly,
		readOnlyReason,
		whyUnchangeable,
		canChange: (row: Row, place: IndexedColumn): boolean => whyUnchangeable(row, place) === undefined,
		/** Returns an empty new row that is not staged. */
		newRow: (): Row => insertedRow({ id: newRowId(), values: {} }, rows.columns()),
		/** Why the table takes no new rows, if it does not. */
		cannotInsert: () => cannot().insert,
		/** Whether the last row is known to be the last. */
		isCounted: () => rows.total()?.isExact === true,
		/** Why saved rows of the table cannot be deleted, if they cannot. */
		cannotDelete: () => cannot().delete,
		/** Fetches the missing rows of a range. */
		show: (first: number, last: number) =>
			rows.show(Math.max(0, first - insertedCount()), Math.max(0, last - insertedCount())),
		/** All rows of a range. @throws Error if they cannot be read */
		async read(
			{ first, last }: RowRange,
			signal: AbortSignal,
			onProgress: (read: number) => void,
		): Promise<readonly Row[]> {
			const before = insertedCount()
			const found = inserted().slice(first, last + 1)
			if (last < before || last < first) return found
			const seen = new Map<number, string>()
			for (let index = Math.max(first, before); index <= last; index++) {
				const row = rows.at(index - before)
				if (row) seen.set(index - first, row.id)
			}
			const read = await rows.read({ first: Math.max(0, first - before), last: last - before }, signal, count =>
				onProgress(found.length + count),
			)
			const all = [...found, ...read]
			// Rows of another sort or filter, which are not in view yet.
			if ([...seen].some(([index, id]) => all[index] !== undefined && all[index].id !== id)) {
				throw new Error('The selected rows are being replaced. Select them again.')
			}
			return all
		},
	}
}
export type Sheet = ReturnType<typeof createSheet>

/** The rows of a grid whose cells can be changed. */
export type EditedRows = Pick<
	Sheet,
	| 'at'
	| 'cell'
	| 'count'
	| 'insertedCount'
	| 'isReadOnly'
	| 'readOnlyReason'
	| 'whyUnchangeable'
	| 'canChange'
	| 'newRow'
	| 'cannotInsert'
	| 'isCounted'
	| 'cannotDelete'
	| 'whole'
> & {
	/** Reads what a change of these cells needs to know of them, if that is not known. Never rejects. */
	ready?(rows: readonly Row[], places: readonly IndexedColumn[]): Promise<void>
}
