import { createSignal } from 'solid-js'
import type { PreferenceStore } from './preferences.ts'

/** Light, dark, or as the system has it. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'theme'
const [theme, setTheme] = createSignal<Theme>('system')

export { theme }

/** Shows the theme the person chose before; called once, before anything is drawn. */
export function restoreTheme(preferences: PreferenceStore): void {
	apply(themes.find(name => name === preferences.get(key)) ?? 'system')
}

export function chooseTheme(next: Theme, preferences: PreferenceStore): void {
	preferences.set(key, next)
	apply(next)
}

function apply(next: Theme): void {
	setTheme(next)
	document.documentElement.style.colorScheme = next === 'system' ? 'light dark' : next
}
