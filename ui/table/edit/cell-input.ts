import { type InputKind, readInput, readNonFinite, type Typed } from '@roundhouse/kit/cell-input'
import type { Cell, Column } from '../../../host/api/api.ts'

/** How a cell is edited, and how typed text becomes a value. Pure, so that no digit is lost. */

export { newValue } from '@roundhouse/kit/cell-input'

/** An array or object is edited as JSON in any column: a text field may hold a list. */
export function editorKind(column: Column, cell: Cell): InputKind {
	if (typeof cell === 'object' && cell !== null && 'json' in cell) return cell.cutFrom === undefined ? 'json' : 'line'
	if (typeof cell === 'object' && cell !== null && 'bytes' in cell) return 'bytes'
	// A string is what the engine has in place of bytes, for example base64.
	if (column.kind === 'binary' && typeof cell !== 'string') return 'bytes'
	if (column.kind === 'json') return 'json'
	return column.kind === 'number' || column.kind === 'boolean' ? column.kind : 'line'
}

/** Returns the values that a cell can be given, if they can be listed. The present value is always one of them. */
export function choicesOf(column: Column, kind: InputKind, present: string): readonly string[] | undefined {
	const choices = kind === 'boolean' ? ['true', 'false'] : kind === 'json' ? undefined : column.choices
	return choices === undefined || present === '' || choices.includes(present) ? choices : [present, ...choices]
}

/** Reads text as a value of a column: by its kind, and as one of the values that it takes. */
export function readCell(column: Column, present: Cell, text: string): Typed {
	const kind = editorKind(column, present)
	const special = kind === 'number' && column.takesNonFinite ? readNonFinite(text) : undefined
	if (special !== undefined) return { cell: special }
	const read = readInput(kind, text)
	const choices = kind === 'boolean' ? undefined : choicesOf(column, kind, '')
	if ('fault' in read || choices === undefined || choices.includes(text)) return read
	return { fault: 'none of the values that the column takes' }
}

/** Returns null as a value of a column. */
export function readNull({ isNotNull }: Column): Typed {
	return isNotNull ? { fault: 'null, which the column does not take' } : { cell: null }
}
