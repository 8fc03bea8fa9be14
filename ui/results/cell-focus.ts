import { pressedKeys } from '../words/keys.ts'
import type { CellPlace } from './cell-menu.ts'

/** One cell of a table is a stop of the Tab key. The arrow keys move the focus from it. */

/** Returns the place of a cell, if the element is in one. */
export function placeOf(element: EventTarget | null): CellPlace | undefined {
	const cell = element instanceof Element ? element.closest('td') : null
	const row = cell?.parentElement
	if (!cell || !(row instanceof HTMLTableRowElement)) return undefined
	return { row: row.sectionRowIndex, column: cell.cellIndex }
}

/** Makes a cell the stop of the Tab key, and no other cell of the table. */
export function makeStop(table: HTMLTableElement, cell = table.querySelector('td')): void {
	for (const stop of table.querySelectorAll<HTMLElement>('td[tabindex="0"]')) stop.tabIndex = -1
	if (cell) cell.tabIndex = 0
}

const page = 10

/** Moves the focus by a key. @returns whether the key moves it */
export function moveByKey(table: HTMLTableElement, event: KeyboardEvent): boolean {
	const from = placeOf(event.target)
	const rows = table.tBodies[0]?.rows
	if (!from || !rows) return false
	const columns = (rows[0]?.cells.length ?? 1) - 1
	const to = {
		ArrowUp: { row: from.row - 1, column: from.column },
		ArrowDown: { row: from.row + 1, column: from.column },
		ArrowLeft: { row: from.row, column: from.column - 1 },
		ArrowRight: { row: from.row, column: from.column + 1 },
		PageUp: { row: from.row - page, column: from.column },
		PageDown: { row: from.row + page, column: from.column },
		Home: { row: from.row, column: 0 },
		End: { row: from.row, column: columns },
		'Mod+Home': { row: 0, column: 0 },
		'Mod+End': { row: rows.length - 1, column: columns },
	}[pressedKeys(event) ?? '']
	if (!to) return false
	const row = rows[Math.max(0, Math.min(to.row, rows.length - 1))]
	row?.cells[Math.max(0, Math.min(to.column, columns))]?.focus()
	return true
}
