import type { Cell, Column } from '../../../host/api/api.ts'
import { type CellText, cellText } from '../../cells/cell-text.ts'
import { localTime } from '../../cells/date-words.ts'
import { dates } from '../../state/appearance.ts'

/** Returns the text of a cell in the grid, for a date with the local time if the user chose that. */
export function shownCell(cell: Cell, { kind }: Column): CellText {
	const shown = cellText(cell)
	const local = kind === 'date' && dates.chosen() === 'local' ? localTime(cell) : undefined
	return local === undefined ? shown : { ...shown, text: `${shown.text} · ${local}` }
}
