import { createRoot } from 'solid-js'
import { expect, test } from 'vitest'
import { createDocumentEdits } from './document-edits.ts'
import { createEdits } from './edits.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const row = { id: 'r', cells: [] }

function stage(document: string, typed: string) {
	return createRoot(() => {
		const edits = createEdits()
		const fault = createDocumentEdits(edits, () => []).stage(row, bytes(document), typed)
		return { fault, staged: [...(edits.get('r')?.cells.keys() ?? [])] }
	})
}

test('a repeated name in an object is refused, and does not count as unchanged', () => {
	const twice = { fault: expect.stringContaining('"title" occurs twice'), staged: [] }
	expect(stage('{"title": "x"}', '{"title": "y", "title": "x"}')).toEqual(twice)
	expect(stage('{"title": "x"}', '{"a": [{"\\u0074itle": 1, "title" : 2}]}')).toEqual(twice)
	expect(stage('{"title": "x", "title": "y"}', '{"title": "z", "title": "y"}')).toEqual(twice)
	const apart = '{"a": {"title": "title"}, "b": [{"title": 1}, {"title": 2}], "title": "\\"title\\": {"}'
	expect(stage('{"title": "x"}', apart)).toEqual({ fault: undefined, staged: ['title', 'a', 'b'] })
})

test('bytes that are invalid or too deep JSON are shown unchanged, even if a driver declares JSON', () => {
	const deep = `{"b": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`
	const shown = createRoot(() => {
		const edits = createEdits()
		edits.setCells([{ row, column: { name: 'a' }, before: 1, after: 2 }])
		const { withStaged } = createDocumentEdits(edits, () => [])
		return ['{"a": 1}', '{"a": ', '', '[1]', deep].map(text => new TextDecoder().decode(withStaged('r', bytes(text))))
	})
	expect(shown).toEqual(['{"a":2}', '{"a": ', '', '[1]', deep])
})

test('a document that is too deep for the window is refused with that reason', () => {
	const deep = (leaf: string) => `{"a": ${'['.repeat(100_000)}${leaf}${']'.repeat(100_000)}}`
	const { fault, staged } = stage(deep('1'), deep('2'))
	expect({ fault, staged }).toEqual({ fault: expect.stringContaining('nested too deeply'), staged: [] })
})
