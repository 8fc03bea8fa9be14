import { type Accessor, createEffect, createSignal, on } from 'solid-js'
import type { PreferenceStore } from './preferences.ts'

/** The size of a pane. The last size that the user set is stored. */
export interface PaneSize {
	readonly value: Accessor<number>
	readonly least: number
	readonly most: number
	/** Sets the size, clamped to `least` and `most`. */
	set(value: number): void
	/** Restores the default size. */
	reset(): void
}

export function createPaneSize(
	preferences: PreferenceStore,
	key: string,
	{ least, most, initial }: { readonly least: number; readonly most: number; readonly initial: number },
): PaneSize {
	const clamp = (value: number) => Math.round(Math.min(most, Math.max(least, value)))
	const stored = preferences.get(key)
	const [value, setValue] = createSignal(typeof stored === 'number' ? clamp(stored) : initial)
	createEffect(on(value, size => preferences.set(key, size), { defer: true }))
	return { value, least, most, set: size => setValue(clamp(size)), reset: () => setValue(initial) }
}
