import { foldService } from '@codemirror/language'
import type { Text } from '@codemirror/state'

/** Folds of laid-out JSON, by indentation. */
export const foldsByIndent = foldService.of(({ doc }, from) => foldByIndent(doc, from))

/** Lines that are searched for the end of a fold, for each visible line. */
const mostLines = 2_000

const known = new WeakMap<Text, Map<number, { readonly from: number; readonly to: number } | null>>()

/** From a line that opens a value to the line with the same indentation that closes it. */
function foldByIndent(doc: Text, from: number) {
	const folds = known.get(doc) ?? new Map()
	known.set(doc, folds)
	if (folds.has(from)) return folds.get(from) ?? null
	const line = doc.lineAt(from)
	const fold = /[[{]\s*$/.test(line.text) ? findClosing(doc, line.number, line.to) : null
	folds.set(from, fold)
	return fold
}

function findClosing(doc: Text, opening: number, foldFrom: number) {
	if (opening === doc.lines) return null
	const indent = doc.line(opening).text.search(/\S/)
	const lines = doc.iterLines(opening + 1, Math.min(doc.lines, opening + mostLines) + 1)
	let at = foldFrom + 1
	while (!lines.next().done) {
		const { value } = lines
		const start = value.search(/\S/)
		if (start >= 0 && start <= indent) {
			return start === indent && /[\]}]/.test(value.charAt(start)) ? { from: foldFrom, to: at + start } : null
		}
		at += value.length + 1
	}
	return null
}
