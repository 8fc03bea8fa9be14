import type { Row } from '../../../host/api/api.ts'
import { type CellText, cellText } from '../../cells/cell-text.ts'
import { localTime } from '../../cells/date-words.ts'
import { dates } from '../../state/appearance.ts'
import type { RowSource } from '../source.ts'
import type { IndexedColumn } from './indexed-column.ts'

/** Returns the text of a cell in the grid, for a date with the local time if the user chose that. */
export function shownCell(source: Pick<RowSource, 'cell' | 'text'>, row: Row, place: IndexedColumn): CellText {
	const cell = source.cell(row, place)
	const shown = cellText(cell)
	const text = source.text?.(row, place) ?? shown.text
	const local = place.column.kind === 'date' && dates.chosen() === 'local' ? localTime(cell) : undefined
	return { ...shown, text: local === undefined ? text : `${text} · ${local}` }
}
