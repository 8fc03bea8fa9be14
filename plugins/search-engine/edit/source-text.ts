import { applyEdits, findNodeAtLocation, format, modify, type Node, parseTree } from 'jsonc-parser'
import type { Edit, Place } from './document.ts'

/** Documents as text: what an edit does not touch keeps its digits, its spelling, and the order of its keys. */

/** The `_source` of an answer, as it stands there. */
export function sourceTextOf(answer: string): string {
	const root = parseTree(answer)
	const node = root && findNodeAtLocation(root, ['_source'])
	return node === undefined ? '{}' : answer.slice(node.offset, node.offset + node.length)
}

/** The library prints values by `JSON.stringify`, which keeps the digits of exact numbers. */
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
 * As many edits from one on as stand one behind the other in the text. Each is made in the innermost object or array that
 * is there: the library reads what it changes anew, and an array has an edit for each of its elements.
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

/** The last object or array on the way to a place, and the rest of the way. */
function innermost(
	root: Node | undefined,
	place: Place,
): { node: Pick<Node, 'offset' | 'length'>; rest: Place[number][] } {
	for (let steps = place.length - 1; steps > 0; steps--) {
		const node = root && findNodeAtLocation(root, place.slice(0, steps))
		if (node?.type === 'object' || node?.type === 'array') return { node, rest: place.slice(steps) }
	}
	return { node: root ?? { offset: 0, length: 0 }, rest: [...place] }
}

/** As a person reads it. */
export function indented(text: string): string {
	return applyEdits(text, format(text, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' }))
}
