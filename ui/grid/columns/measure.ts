import type { Row } from '../../../host/api/api.ts'
import { fontScale } from '../../state/appearance.ts'
import type { RowSource } from '../source.ts'
import type { IndexedColumn } from './indexed-column.ts'
import { shownCell } from './shown-cell.ts'

/** Padding of a text, and space beside a header's name. */
const [cellRoom, headRoom] = [24, 56]

/** Returns the width that a column needs for its name and its values in some rows, in the grid's fonts. */
export function createMeasure(
	grid: HTMLElement,
	source: Pick<RowSource, 'cell' | 'text'>,
	rows: readonly Row[],
): (place: IndexedColumn) => number {
	const context = document.createElement('canvas').getContext('2d')
	const style = getComputedStyle(grid)
	const fonts = {
		text: `${style.fontSize} ${style.fontFamily}`,
		json: `${12 * fontScale()}px ${style.getPropertyValue('--mono')}`,
		name: `500 ${12 * fontScale()}px ${style.fontFamily}`,
	}
	function widthOf(text: string, font: string): number {
		if (!context) return 0
		context.font = font
		return context.measureText(text).width
	}
	return place => {
		const { name } = place.column
		const head = widthOf(name, fonts.name) + headRoom
		const cells = rows.map(row => {
			const { text, look } = shownCell(source, row, place)
			return widthOf(text, look === 'json' ? fonts.json : fonts.text) + cellRoom
		})
		return Math.ceil(Math.max(head, ...cells))
	}
}
