import { applyEdits, findNodeAtLocation, format, modify, type Node, parseTree } from 'jsonc-parser'
import type { Edit, JsonPath } from './document.ts'

/** Edits documents as text, so that everything outside of an edit keeps its digits, spelling and order of keys. */

/** Returns the `_source` of an answer unchanged. */
export function sourceTextOf(answer: string): string {
	const root = parseTree(answer)
	const node = root && findNodeAtLocation(root, ['_source'])
	return node === undefined ? '{}' : answer.slice(node.offset, node.offset + node.length)
}

/** The library prints values with `JSON.stringify`, which keeps the digits of exact numbers. */
export function editText(text: string, edits: readonly Edit[]): string {
	let result = text
	for (let done = 0; done < edits.length; ) {
		const round = editRound(result, edits, done)
		result = round.text
		done += round.edits
	}
	return result
}

/**
 * Applies as many edits as are in the order of the text, starting at `from`. Each is applied to the innermost existing
 * object or array. Reason: the library parses again what it changes, and an array may have an edit for each element.
 */
function editRound(text: string, edits: readonly Edit[], from: number) {
	const root = parseTree(text)
	const pieces: string[] = []
	let [at, next] = [0, from]
	for (; next < edits.length; next++) {
		const { place, value } = edits[next] as Edit
		const { node, rest } = innermost(root, place)
		if (next > from && node.offset < at) break
		const own = text.slice(node.offset, node.offset + node.length)
		pieces.push(text.slice(at, node.offset), applyEdits(own, modify(own, rest, value, {})))
		at = node.offset + node.length
	}
	return { text: pieces.join('') + text.slice(at), edits: next - from }
}

/** Returns the last object or array on the path to a place, and the rest of the path. */
function innermost(
	root: Node | undefined,
	place: JsonPath,
): { node: Pick<Node, 'offset' | 'length'>; rest: JsonPath[number][] } {
	for (let steps = place.length - 1; steps > 0; steps--) {
		const node = root && findNodeAtLocation(root, place.slice(0, steps))
		if (node?.type === 'object' || node?.type === 'array') return { node, rest: place.slice(steps) }
	}
	return { node: root ?? { offset: 0, length: 0 }, rest: [...place] }
}

/** Formats a text for display. */
export function indented(text: string): string {
	return applyEdits(text, format(text, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' }))
}
