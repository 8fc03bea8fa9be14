import type { Cell } from '../../host/api/api.ts'
import { copyFormats } from '../cells/copy.ts'
import type { MenuEntry } from '../controls/context-menu.tsx'
import { copyText } from '../controls/copy-button.tsx'
import type { Engine } from '../state/engine.tsx'
import { type ResultRows, scopeOf } from './answer.ts'
import { copyCells, rowsOf } from './copy-cells.ts'

/** A cell of a result, by its place among the rows that are shown. */
export interface CellPlace {
	readonly row: number
	readonly column: number
}

export const cellAt = ({ rows }: ResultRows, { row, column }: CellPlace): Cell => rows[row]?.[column] ?? null

/** Copies one cell. */
export function copyCell(rows: ResultRows, place: CellPlace, withName = false): void {
	const name = rows.columns[place.column]?.name ?? ''
	void copyCells('TSV', { columns: [name], rows: [[cellAt(rows, place)]] }, withName)
}

/** The menu of a cell: what is copied, and its whole value. */
export function cellMenu(
	rows: ResultRows,
	place: CellPlace,
	{ rowNoun, columnNoun, onShow }: Pick<Engine, 'rowNoun' | 'columnNoun'> & { onShow(): void },
): readonly (MenuEntry | 'line')[] {
	const all = rowsOf(rows)
	const row = { ...all, rows: all.rows.slice(place.row, place.row + 1) }
	return [
		{ label: 'Copy', keys: 'Mod+C', run: () => copyCell(rows, place) },
		{ label: `Copy with the ${columnNoun.one} name`, run: () => copyCell(rows, place, true) },
		{ label: `Copy the ${rowNoun.one}`, run: () => void copyCells('TSV', row, false) },
		{ label: `Copy the ${rowNoun.one} with ${columnNoun.one} names`, run: () => void copyCells('TSV', row, true) },
		'line',
		...copyFormats.map(format => ({
			label: `Copy the ${scopeOf(rows, rowNoun)} as ${format}`,
			run: () => void copyCells(format, all, true),
		})),
		'line',
		{ label: 'Show the whole value', keys: 'Enter', run: onShow },
		nameEntry(rows, place.column, columnNoun),
	]
}

/** Copies the name of a column, also from its header. */
export function nameEntry({ columns }: ResultRows, column: number, { one }: Engine['columnNoun']): MenuEntry {
	return { label: `Copy the ${one} name`, run: () => void copyText(columns[column]?.name ?? '') }
}
