import {
	type Cell,
	type Change,
	type Column,
	type ColumnKind,
	DriverError,
	isCutCell,
	type Json,
	toCell,
} from '@roundhouse/kit'
import { readInput, readJsonValue } from '@roundhouse/kit/cell-input'
import { namedInSentence } from '../../protocol/printable.ts'

/** Values that a client writes, as cells. */

/** Converts values to cells. Values of a client are never truncated. */
export function toCells(row: Readonly<Record<string, Json>>): Readonly<Record<string, Cell>> {
	return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, wholeCell(value)]))
}

/**
 * Reads texts of the changes in the form in which rows have them: bytes are base64, or hexadecimal behind `\x`; a long
 * number is text; a text in a column of JSON is a text of JSON.
 */
export function asColumnsHave(changes: readonly Change[], columns: readonly Column[]): readonly Change[] {
	const kinds = new Map(columns.map(({ name, kind }) => [name, kind]))
	const read = (values: Readonly<Record<string, Cell>>) =>
		Object.fromEntries(
			Object.entries(values).map(([name, cell]) => [
				name,
				typeof cell === 'string' ? readText(name, kinds.get(name), cell) : cell,
			]),
		)
	return changes.map(change => {
		if (change.kind === 'delete') return change
		return change.kind === 'insert' ? { ...change, values: read(change.values) } : { ...change, set: read(change.set) }
	})
}

/** @throws DriverError `invalid_argument` for a text that is no bytes */
function readText(name: string, kind: ColumnKind | undefined, text: string): Cell {
	if (kind === 'number') {
		const number = readInput('number', text)
		// An engine has other numbers too, for example NaN.
		return 'cell' in number ? number.cell : text
	}
	if (kind !== 'binary' && kind !== 'json') return text
	const value = readJsonValue(kind, text)
	if ('cell' in value) return value.cell
	const forms = 'Send base64, or hexadecimal behind \\x.'
	throw new DriverError('invalid_argument', `The value of ${namedInSentence(name)} is ${value.fault}. ${forms}`)
}

function wholeCell(value: Json): Cell {
	const cell = toCell(value)
	return isCutCell(cell) ? { json: JSON.stringify(value) } : cell
}
