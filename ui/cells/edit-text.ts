import type { InputKind } from '@roundhouse/kit/cell-input'
import { parseJson, stringifyJson } from '@roundhouse/kit/json'
import type { Cell } from '../../host/api/api.ts'
import { copyText } from './cell-text.ts'

/** Returns the whole text of a value for reading and editing. JSON is indented; its digits stay. */
export function editText(kind: InputKind, cell: Cell): string {
	const text = copyText(cell)
	return kind === 'json' && text !== '' ? stringifyJson(parseJson(text), 2) : text
}
