import { applyEdits, findNodeAtLocation, format, modify, parseTree } from 'jsonc-parser'
import type { Edit } from './document.ts'

/** Documents as text: what an edit does not touch keeps its digits, its spelling, and the order of its keys. */

/** The `_source` of an answer, as it stands there. */
export function sourceTextOf(answer: string): string {
	const root = parseTree(answer)
	const node = root && findNodeAtLocation(root, ['_source'])
	return node === undefined ? '{}' : answer.slice(node.offset, node.offset + node.length)
}

/** The library prints values by `JSON.stringify`, which keeps the digits of exact numbers. */
export function editText(text: string, edits: readonly Edit[]): string {
	return edits.reduce((result, { place, value }) => applyEdits(result, modify(result, [...place], value, {})), text)
}

/** As a person reads it. */
export function indented(text: string): string {
	return applyEdits(text, format(text, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' }))
}
