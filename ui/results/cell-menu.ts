import type { Cell } from '../../host/api/api.ts'
import { type Copied, copyFormats } from '../cells/copy.ts'
import type { Place, Rectangle } from '../cells/selection.ts'
import type { MenuEntry } from '../controls/context-menu.tsx'
import { copyText } from '../controls/copy-button.tsx'
import type { Engine } from '../state/engine.tsx'
import { type ResultRows, scopeOf } from './answer.ts'
import { copyCells, rowsOf } from './copy-cells.ts'
import type { OriginRows } from './origins.ts'

export const cellAt = ({ rows }: ResultRows, { row, column }: Place): Cell => rows[row]?.[column] ?? null

/** Returns the selected cells, for copying. */
export function rangeOf(rows: ResultRows, { top, bottom, left, right }: Rectangle): Copied {
	const all = rowsOf(rows)
	return {
		columns: all.columns.slice(left, right + 1),
		rows: all.rows.slice(top, bottom + 1).map(row => row.slice(left, right + 1)),
	}
}

/** The menu of several cells: what is copied of them. */
export function rangeMenu(
	range: Copied,
	{ columnNoun, editing }: Pick<Engine, 'columnNoun'> & { readonly editing: readonly MenuEntry[] },
): readonly (MenuEntry | 'line')[] {
	return [
		...editing,
		{ label: 'Copy', keys: 'Mod+C', run: () => void copyCells('TSV', range, false) },
		{ label: `Copy with ${columnNoun.one} names`, run: () => void copyCells('TSV', range, true) },
		'line',
		...copyFormats
			.filter(format => format !== 'TSV')
			.map(format => ({ label: `Copy as ${format}`, run: () => void copyCells(format, range, true) })),
	]
}

/** The menu of a cell: what is copied, and its whole value. */
export function cellMenu(
	rows: ResultRows,
	place: Place,
	{
		rowNoun,
		columnNoun,
		editing,
		onShow,
	}: Pick<Engine, 'rowNoun' | 'columnNoun'> & { readonly editing: readonly MenuEntry[]; onShow(): void },
): readonly (MenuEntry | 'line')[] {
	const all = rowsOf(rows)
	const row = { ...all, rows: all.rows.slice(place.row, place.row + 1) }
	const cell = rangeOf(rows, { top: place.row, bottom: place.row, left: place.column, right: place.column })
	return [
		...editing,
		{ label: 'Copy', keys: 'Mod+C', run: () => void copyCells('TSV', cell, false) },
		{ label: `Copy with the ${columnNoun.one} name`, run: () => void copyCells('TSV', cell, true) },
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

/**
 * The entries that open rows that the column refers to, as in a table, and rows in their tables. The first of the
 * column has a key.
 */
export function rowEntries(
	found: Readonly<Record<'referred' | 'own', readonly OriginRows[]>>,
	onRows: (table: string, filters: OriginRows['filters']) => void,
): readonly MenuEntry[] {
	const entryOf = (words: string, { table, by, filters }: OriginRows, hasKey: boolean): MenuEntry => ({
		label: `${words} ${table}${by === undefined ? '' : ` by ${by}`}`,
		...(hasKey && { keys: 'F12' }),
		run: () => onRows(table, filters),
	})
	return [
		...found.referred.map((rows, at) => entryOf('Go to', rows, at === 0)),
		...found.own.map(rows => entryOf('Edit in', rows, rows.hasColumn && found.referred.length === 0)),
	]
}

/** Copies the name of a column, also from its header. */
export function nameEntry({ columns }: ResultRows, column: number, { one }: Engine['columnNoun']): MenuEntry {
	return { label: `Copy the ${one} name`, run: () => void copyText(columns[column]?.name ?? '') }
}
