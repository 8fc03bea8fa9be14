import { type Accessor, createEffect, createMemo, createSignal, on } from 'solid-js'

/**
 * A text that the user types, until another `value` replaces it. Only a different value does: one that is computed again
 * and equal keeps what was typed.
 */
export function createDraft(value: Accessor<string>): readonly [text: Accessor<string>, set: (text: string) => void] {
	const [text, setText] = createSignal(value())
	createEffect(on(createMemo(value), setText, { defer: true }))
	return [text, setText]
}
