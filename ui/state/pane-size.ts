import { type Accessor, createEffect, createSignal, on } from 'solid-js'
import type { PreferenceStore } from './preferences.ts'

/** How large a pane is, as the person left it. */
export interface PaneSize {
	readonly value: Accessor<number>
	readonly least: number
	readonly most: number
	/** No smaller and no larger than it may be. */
	set(value: number): void
	/** As large as it came. */
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
