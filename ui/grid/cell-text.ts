import type { Cell } from '../../host/ui-server/api.ts'

/** How a cell reads in the grid. */
export interface CellText {
	readonly text: string
	/** A class that tells kinds of values apart: null and missing are not the text "null". */
	readonly look: 'text' | 'number' | 'boolean' | 'json' | 'null' | 'missing'
}

/** A grid line is one line; more than this of it cannot be seen, and long text is slow to lay out. */
const shownLength = 600

export function cellText(cell: Cell): CellText {
	if (cell === null) return { text: 'null', look: 'null' }
	if (typeof cell === 'string') return { text: cell.slice(0, shownLength).replace(/\s+/g, ' '), look: 'text' }
	if (typeof cell === 'number') return { text: String(cell), look: 'number' }
	if (typeof cell === 'boolean') return { text: String(cell), look: 'boolean' }
	if ('number' in cell) return { text: cell.number, look: 'number' }
	if ('missing' in cell) return { text: '', look: 'missing' }
	return { text: cell.json.slice(0, shownLength), look: 'json' }
}

/** The cell's whole text, as it is copied. */
export function copyText(cell: Cell): string {
	if (typeof cell !== 'object' || cell === null) return cell === null ? '' : String(cell)
	if ('number' in cell) return cell.number
	return 'json' in cell ? cell.json : ''
}

export function isSameCell(a: Cell, b: Cell): boolean {
	return a === b || JSON.stringify(a) === JSON.stringify(b)
}
