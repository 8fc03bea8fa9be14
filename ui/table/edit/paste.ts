import type { Cell, Row } from '../../../host/api/api.ts'
import { cellOf } from '../../cells/cell-text.ts'
import type { IndexedColumn } from '../../grid/columns/indexed-column.ts'
import { count } from '../../words/format.ts'
import { readCell, readNull } from './cell-input.ts'
import { misfitOf } from './misfits.ts'
import { type CellChange, isNewRow } from './staged.ts'

/** A block of a spreadsheet, and what a table can take of it. Pure. */

/** Returns the columns that a line names, each once, with all of its fields; `undefined` if a field names none. */
export function columnsNamedBy(
	line: readonly string[],
	columns: readonly IndexedColumn[],
): readonly IndexedColumn[] | undefined {
	const byName = new Map(columns.map(place => [place.column.name.toLowerCase(), place]))
	const named = line.flatMap(field => byName.get(field.trim().toLowerCase()) ?? [])
	return named.length === line.length && new Set(named).size === line.length ? named : undefined
}

export interface Block {
	readonly texts: readonly (readonly string[])[]
	/** The cells that the texts represent, if known. */
	readonly cells?: readonly (readonly Cell[])[] | undefined
}

export interface Pasted {
	readonly changes: readonly CellChange[]
	/** The number of pasted cells, and why others were not. */
	readonly message: string
}

/** The cells that a block is pasted to: rows and columns from its first cell. */
interface PasteTarget {
	readonly rows: readonly Row[]
	readonly places: readonly IndexedColumn[]
	readonly canChange: (rowIndex: number, place: IndexedColumn) => boolean
}

/**
 * Returns the changes of a block from its first row and column on. `rows` and `places` are those of the table;
 * `canChange` says whether a cell takes another value.
 */
export function pasteBlock(block: Block, { rows, places, canChange }: PasteTarget): Pasted {
	const changes: CellChange[] = []
	const misfits = new Map<string, { readonly many: number; readonly row: number | undefined }>()
	/** @param row the row of the block, from 1, if the reason is a text in it */
	const miss = (why: string, by = 1, row?: number) => {
		const known = misfits.get(why)
		misfits.set(why, { many: (known?.many ?? 0) + by, row: known?.row ?? row })
	}
	let [total, taken] = [0, 0]
	for (const [rowIndex, texts] of block.texts.entries()) {
		total += texts.length
		const row = rows[rowIndex]
		if (!row) {
			miss('past the last row', texts.length)
			continue
		}
		for (const [columnIndex, text] of texts.entries()) {
			const place = places[columnIndex]
			if (!place) miss('past the last column')
			else if (!canChange(rowIndex, place)) miss(`in ${place.column.name}, which cannot be changed here`)
			else {
				const { column, index } = place
				const before = cellOf(row, index)
				const known = block.cells?.[rowIndex]?.[columnIndex]
				// What a new row leaves empty, the engine may fill.
				const isLeftOut =
					isNewRow(row.id) && isMissing(before) && text === '' && (known === undefined || isMissing(known))
				const read = isLeftOut ? { cell: before } : cellFrom(text, { known, column, before })
				if ('fault' in read) {
					miss(`${read.fault} (${column.name})`, 1, rowIndex + 1)
					// The text stays, marked, so that it is not saved as NULL.
					if (misfitOf(column, text) !== undefined) changes.push({ row, column, before, after: text })
				} else {
					taken++
					if (!isLeftOut) changes.push({ row, column, before, after: read.cell })
				}
			}
		}
	}
	const cells = (many: number) => `${count(many)} ${many === 1 ? 'cell' : 'cells'}`
	if (misfits.size === 0) return { changes, message: `Pasted ${cells(total)}.` }
	const reasons = [...misfits].map(([why, { many, row }]) => {
		const where = row === undefined ? '' : many === 1 ? `, in row ${row}` : `, first in row ${row}`
		return `${count(many)} ${many === 1 ? 'is' : 'are'} ${why}${where}`
	})
	return { changes, message: `Pasted ${count(taken)} of ${cells(total)}: ${reasons.join('; ')}.` }
}

const isMissing = (cell: Cell) => typeof cell === 'object' && cell !== null && 'missing' in cell

interface PastedCell extends Pick<IndexedColumn, 'column'> {
	/** The copied cell, if the text was copied from a table of this application. */
	readonly known: Cell | undefined
	readonly before: Cell
}

function cellFrom(text: string, { known, column, before }: PastedCell) {
	// An empty field of a spreadsheet is neither a number nor a date, so it is null.
	const isNull = text === '' && (column.kind !== 'text' || (known !== undefined && isMissing(known)))
	return known === null || isNull ? readNull(column) : readCell(column, before, text)
}
