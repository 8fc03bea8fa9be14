import type { Cell, Row } from '../../host/api/api.ts'
import { count, bytes as sizeOf } from '../words/format.ts'
import { byteCount, bytesOf, hexOf } from './bytes.ts'

/** Returns the text of a cell in the grid. */
export interface CellText {
	readonly text: string
	/** Returns the class of a value's kind: null, empty text and a missing field look different. */
	readonly look: 'text' | 'empty' | 'number' | 'boolean' | 'json' | 'bytes' | 'null' | 'unread' | 'missing'
}

/** A cell shows one line. More characters than this are not visible, and long text is slow to lay out. */
const shownLength = 600
/** 66 bytes: only what is seen is decoded, because a grid is drawn often. */
const shownBase64 = 88

/** Line breaks with the blanks around them are one blank. Other blanks indent plans. */
const lineOf = (text: string) => text.slice(0, shownLength).replace(/[ \t]*[\r\n]+\s*/g, ' ')

export function cellText(cell: Cell): CellText {
	if (cell === null) return { text: 'null', look: 'null' }
	if (cell === '') return { text: '""', look: 'empty' }
	if (typeof cell === 'string') return { text: lineOf(cell), look: 'text' }
	if (typeof cell === 'number') return { text: String(cell), look: 'number' }
	if (typeof cell === 'boolean') return { text: String(cell), look: 'boolean' }
	if ('number' in cell) return { text: cell.number, look: 'number' }
	if ('missing' in cell) return { text: '', look: 'missing' }
	if ('unread' in cell) return { text: 'large, not loaded', look: 'unread' }
	if ('text' in cell) return { text: lineOf(cell.text), look: 'text' }
	if ('bytes' in cell) {
		const start = bytesOf(cell.bytes.slice(0, shownBase64))
		return { text: `${sizeOf(cell.cutFrom ?? byteCount(cell.bytes))}  ${hexOf(start)}`, look: 'bytes' }
	}
	return { text: `${numbersIn(cell)}${jsonOf(cell).slice(0, shownLength)}`, look: 'json' }
}

/** A longer list of nothing but numbers, for example a vector, is not read number by number. */
const longList = 32
const onlyNumbers = /^\[[-+.,\deE\s]+(?:\]|\.\.\.)$/
const counted = new WeakMap<object, string>()

/** Returns the number of numbers in front of a long list of them, else nothing. A cut list has an estimate. */
function numbersIn(cell: { readonly json: string; readonly cutFrom?: number }): string {
	const known = counted.get(cell)
	if (known !== undefined) return known
	const json = jsonOf(cell)
	const numbers = onlyNumbers.test(json) ? json.split(',').length : 0
	const all = cell.cutFrom === undefined ? numbers : Number(((numbers * cell.cutFrom) / json.length).toPrecision(2))
	const words = numbers < longList ? '' : `${cell.cutFrom === undefined ? '' : '≈ '}${count(all)} numbers  `
	counted.set(cell, words)
	return words
}

/** Returns a row's cell at an index. Null is a value; only a cell that does not exist is missing. */
export function cellOf(row: Row, index: number): Cell {
	const cell = row.cells[index]
	return cell === undefined ? { missing: true } : cell
}

/** Returns the whole text of a cell, for copying. Bytes are hexadecimal. */
export function copyText(cell: Cell): string {
	if (typeof cell !== 'object' || cell === null) return cell === null ? '' : String(cell)
	if ('number' in cell) return cell.number
	if ('missing' in cell || 'unread' in cell) return ''
	if ('text' in cell) return cell.text
	return 'bytes' in cell ? hexOf(bytesOf(cell.bytes)) : jsonOf(cell)
}

/**
 * A driver that did not encode a value gives an object. It is shown as it is, so that one cell is odd and the grid
 * works.
 */
function jsonOf(cell: { readonly json: string }): string {
	return typeof cell.json === 'string' ? cell.json : JSON.stringify(cell)
}

export function isSameCell(a: Cell, b: Cell): boolean {
	return a === b || JSON.stringify(a) === JSON.stringify(b)
}

/** Whether a cell has no value. */
export const isNothing = (cell: Cell) => cell === null || (typeof cell === 'object' && 'missing' in cell)
