import { createSignal } from 'solid-js'

/** Light, dark, or as the system has it; remembered in this window's profile. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'roundhouse.theme'
const stored = localStorage.getItem(key)
const [theme, setThemeSignal] = createSignal<Theme>(themes.find(name => name === stored) ?? 'system')

export { theme }

export function setTheme(next: Theme): void {
	localStorage.setItem(key, next)
	setThemeSignal(next)
	applyTheme()
}

export function applyTheme(): void {
	document.documentElement.style.colorScheme = theme() === 'system' ? 'light dark' : theme()
}
