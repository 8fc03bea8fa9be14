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

test('what a line opens folds up to what closes it as far in', () => {
	expect(folds('{\n  "a": [\n    1\n  ],\n  "b": {}\n}')).toEqual([
		'\n  "a": [\n    1\n  ],\n  "b": {}\n',
		'\n    1\n  ',
	])
})

test('what is not closed, or not laid out, has no fold', () => {
	for (const text of ['{', '{\n', '{\n"a": 1', '[\n  {\n]', '  {\n}', 'plain\n{'])
		expect(folds(text), text).toEqual(text === '[\n  {\n]' ? ['\n  {\n'] : [])
})
