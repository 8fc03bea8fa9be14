import type { Cell, Row } from '../../host/ui-server/api.ts'

/** How a cell reads in the grid. */
export interface CellText {
	readonly text: string
	/** A class that tells kinds of values apart: null, an empty text and a missing field all look their own way. */
	readonly look: 'text' | 'empty' | 'number' | 'boolean' | 'json' | 'null' | 'missing'
}

/** A grid line is one line; more than this of it cannot be seen, and long text is slow to lay out. */
const shownLength = 600

export function cellText(cell: Cell): CellText {
	if (cell === null) return { text: 'null', look: 'null' }
	if (cell === '') return { text: '""', look: 'empty' }
	if (typeof cell === 'string') return { text: cell.slice(0, shownLength).replace(/\s+/g, ' '), look: 'text' }
	if (typeof cell === 'number') return { text: String(cell), look: 'number' }
	if (typeof cell === 'boolean') return { text: String(cell), look: 'boolean' }
	if ('number' in cell) return { text: cell.number, look: 'number' }
	if ('missing' in cell) return { text: '', look: 'missing' }
	return { text: jsonOf(cell).slice(0, shownLength), look: 'json' }
}

/** The row's cell at an index. A null is a value: only what is not there at all is missing. */
export function cellOf(row: Row, index: number): Cell {
	const cell = row.cells[index]
	return cell === undefined ? { missing: true } : cell
}

/** The cell's whole text, as it is copied. */
export function copyText(cell: Cell): string {
	if (typeof cell !== 'object' || cell === null) return cell === null ? '' : String(cell)
	if ('number' in cell) return cell.number
	return 'missing' in cell ? '' : jsonOf(cell)
}

/** A driver that forgot to encode a value gives an object of its own: shown as it is, it is one odd cell and no lost grid. */
function jsonOf(cell: { readonly json: string }): string {
	return typeof cell.json === 'string' ? cell.json : JSON.stringify(cell)
}

export function isSameCell(a: Cell, b: Cell): boolean {
	return a === b || JSON.stringify(a) === JSON.stringify(b)
}

/** Whether what is here is only the beginning of the value. */
export function isCut(cell: Cell): boolean {
	return typeof cell === 'object' && cell !== null && 'cutFrom' in cell
}
