import { createRoot, createSignal } from 'solid-js'
import { expect, test } from 'vitest'
import { createDraft } from './draft.ts'

test('a typed text stays while its value is computed again, and another value replaces it', () => {
	const [columns, setColumns] = createSignal(['born'])
	const [range, setRange] = createSignal('2024')
	const [[text, setText], dispose] = createRoot(
		dispose => [createDraft(() => (columns().length > 0 ? range() : '')), dispose] as const,
	)
	setText('soon')
	setColumns(['born', 'name'])
	expect(text()).toBe('soon')
	setRange('2025')
	expect(text()).toBe('2025')
	dispose()
})
