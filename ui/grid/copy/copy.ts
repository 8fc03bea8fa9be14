import { isCutCell } from '@roundhouse/kit/cell'
import type { Cell, Row } from '../../../host/api/api.ts'
import { copyToClipboard } from '../../cells/clipboard.ts'
import { type CopyFormat, hasNames } from '../../cells/copy.ts'
import { count } from '../../words/format.ts'
import type { IndexedColumn } from '../columns/indexed-column.ts'
import type { GridModel } from '../model.ts'

/** Rows that fit on a screen; for more, a message says that all were copied. */
const seenRows = 100

/** Returns visible columns with their index in the cells, from a position on. */
export function columnsFrom(
	{ columns }: Pick<GridModel, 'columns'>,
	left: number,
	many: number,
): readonly IndexedColumn[] {
	return Array.from({ length: many }, (_, i) => columns.at(left + i)).filter(place => place !== undefined)
}

export function selectedColumns(grid: Pick<GridModel, 'columns' | 'place'>): readonly IndexedColumn[] {
	const { left, right } = grid.place.rectangle()
	return columnsFrom(grid, left, right - left + 1)
}

/** Returns the shown cells of a row; cut ones are read whole. @throws Error if that fails */
export async function exactCells(
	{ source }: Pick<GridModel, 'source'>,
	row: Row,
	places: readonly IndexedColumn[],
): Promise<readonly Cell[]> {
	const shown = places.map(place => source.cell(row, place))
	if (!source.whole || !shown.some(isCutCell)) return shown
	const whole = await source.whole(row)
	return shown.map((cell, index) => {
		if (!isCutCell(cell)) return cell
		const exact = whole?.(places[index]?.column.name ?? '')
		if (exact === undefined || isCutCell(exact)) throw new Error('A value was cut and its full text cannot be read.')
		return exact
	})
}

/** Copies the selected cells, with every digit and every row. */
export async function copySelected(grid: GridModel, format: CopyFormat, withNames = hasNames(format)): Promise<void> {
	const places = selectedColumns(grid)
	const { selected } = grid
	await selected.use('copied', async (rows, signal) => {
		const cells: (readonly Cell[])[] = []
		for (const row of rows) {
			cells.push(await exactCells(grid, row, places))
			signal.throwIfAborted()
		}
		await copyToClipboard(
			format,
			{ columns: places.map(({ column }) => grid.columns.title(column.name)), rows: cells },
			withNames,
		)
		if (cells.some(row => row.some(isCutCell)))
			selected.say('Some values are cut. Only their first characters were copied.')
		else sayCopied(grid, rows.length)
	})
}

/** Says how many rows were copied, if they do not fit on a screen. */
export function sayCopied({ selected }: Pick<GridModel, 'selected'>, rows: number): void {
	if (rows > seenRows) selected.say(`Copied ${count(rows)} rows.`)
}
