import { exactNumber, isExactNumber, type Json, parseJson, stringifyJson } from '@roundhouse/kit/json'
import type { Cell, Column } from '../../../host/api/api.ts'
import { base64OfHex } from '../../cells/bytes.ts'
import { copyText } from '../../cells/cell-text.ts'

/** How a cell is edited, and how typed text becomes a value. Pure, so that no digit is lost. */

export type EditorKind = 'line' | 'number' | 'boolean' | 'json' | 'bytes'

/** An array or object is edited as JSON in any column: a text field may hold a list. */
export function editorKind(column: Column, cell: Cell): EditorKind {
	if (typeof cell === 'object' && cell !== null && 'json' in cell) return cell.cutFrom === undefined ? 'json' : 'line'
	if (typeof cell === 'object' && cell !== null && 'bytes' in cell) return 'bytes'
	if (column.kind === 'json') return 'json'
	return column.kind === 'number' || column.kind === 'boolean' ? column.kind : 'line'
}

/** Returns the values that a cell can be given, if they can be listed. The present value is always one of them. */
export function choicesOf(column: Column, kind: EditorKind, present: string): readonly string[] | undefined {
	const choices = kind === 'boolean' ? ['true', 'false'] : kind === 'json' ? undefined : column.choices
	return choices === undefined || present === '' || choices.includes(present) ? choices : [present, ...choices]
}

export function editText(kind: EditorKind, cell: Cell): string {
	const text = copyText(cell)
	return kind === 'json' && text !== '' ? stringifyJson(parseJson(text), 2) : text
}

/** A complete value to save: read values may be cut, written ones never are. */
export function newValue(value: Json): Cell {
	if (isExactNumber(value)) return { number: value.rawJSON }
	return typeof value === 'object' && value !== null ? { json: stringifyJson(value) } : value
}

export type Typed = { readonly cell: Cell } | { readonly fault: string }

/** Parses typed text. A fault explains what is wrong; nothing is rounded or coerced. */
export function readInput(kind: EditorKind, text: string): Typed {
	try {
		switch (kind) {
			case 'number':
				return { cell: newValue(exactNumber(text.trim())) }
			case 'boolean':
				if (text === 'true' || text === 'false') return { cell: text === 'true' }
				return { fault: 'true or false' }
			case 'json':
				return { cell: newValue(parseJson(text)) }
			case 'bytes': {
				const bytes = base64OfHex(text)
				return bytes === undefined ? { fault: 'not hexadecimal: two digits for each byte' } : { cell: { bytes } }
			}
			case 'line':
				return { cell: text }
		}
	} catch (error) {
		return { fault: kind === 'number' ? 'not a number' : `not JSON: ${error instanceof Error ? error.message : ''}` }
	}
}
