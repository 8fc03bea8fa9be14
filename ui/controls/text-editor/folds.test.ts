import { foldable } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import { foldsByIndent } from './folds.ts'

/** Returns the text that a fold at each line hides. */
function folds(text: string): readonly string[] {
	const state = EditorState.create({ doc: text, extensions: [foldsByIndent] })
	return Array.from({ length: state.doc.lines }, (_, index) => state.doc.line(index + 1)).flatMap(({ from, to }) => {
		const fold = foldable(state, from, to)
		return fold ? [state.sliceDoc(fold.from, fold.to)] : []
	})
}

test('a line with an opening bracket folds to the closing bracket at the same indent', () => {
	expect(folds('{\n  "a": [\n    1\n  ],\n  "b": {}\n}')).toEqual([
		'\n  "a": [\n    1\n  ],\n  "b": {}\n',
		'\n    1\n  ',
	])
})

test('an unclosed or unformatted bracket has no fold', () => {
	for (const text of ['{', '{\n', '{\n"a": 1', '[\n  {\n]', '  {\n}', 'plain\n{'])
		expect(folds(text), text).toEqual(text === '[\n  {\n]' ? ['\n  {\n'] : [])
})
