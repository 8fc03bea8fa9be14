import { type Cell, type Change, type Column, DriverError, isCutCell, type Json, toCell } from '@roundhouse/kit'
import { readJsonValue } from '@roundhouse/kit/cell-input'
import { namedInSentence } from '../../protocol/printable.ts'

/** Values that a client writes, as cells. */

/** Converts values to cells. Values of a client are never truncated. */
export function toCells(row: Readonly<Record<string, Json>>): Readonly<Record<string, Cell>> {
	return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, wholeCell(value)]))
}

/** Reads the bytes of the changes, which are base64 as in the rows that the client read, or hexadecimal behind `\x`. */
export function withBytes(changes: readonly Change[], columns: readonly Column[]): readonly Change[] {
	const binary = new Set(columns.filter(({ kind }) => kind === 'binary').map(({ name }) => name))
	if (binary.size === 0) return changes
	const read = (values: Readonly<Record<string, Cell>>) =>
		Object.fromEntries(
			Object.entries(values).map(([name, cell]) => [name, binary.has(name) ? bytesIn(name, cell) : cell]),
		)
	return changes.map(change => {
		if (change.kind === 'delete') return change
		return change.kind === 'insert' ? { ...change, values: read(change.values) } : { ...change, set: read(change.set) }
	})
}

/** @throws DriverError `invalid_argument` for a text that is no bytes */
function bytesIn(name: string, cell: Cell): Cell {
	if (typeof cell !== 'string') return cell
	const bytes = readJsonValue('binary', cell)
	if ('cell' in bytes) return bytes.cell
	const forms = 'Send base64, or hexadecimal behind \\x.'
	throw new DriverError('invalid_argument', `The value of ${namedInSentence(name)} is ${bytes.fault}. ${forms}`)
}

function wholeCell(value: Json): Cell {
	const cell = toCell(value)
	return isCutCell(cell) ? { json: JSON.stringify(value) } : cell
}
