import { createSignal } from 'solid-js'
import { setLocale } from '../words/format.ts'
import type { PreferenceStore } from './preferences.ts'

/** Appearance settings: each is a list of names whose first is the default. */

/** Light, dark, or the system's. */
export const themes = ['system', 'light', 'dark'] as const
/** Row heights. */
const densities = ['normal', 'compact', 'roomy'] as const
const fontSizes = ['normal', 'small', 'large', 'larger'] as const
/** Formats of numbers and dates. */
const locales = ['system', 'en-US', 'en-GB', 'de-DE', 'de-CH', 'fr-FR', 'es-ES', 'pt-BR', 'ja-JP'] as const

/** Dates in the grid: as they are stored, or with the local time beside it. */
const dateForms = ['stored', 'local'] as const

/** Long lines of the console: on one line each, or wrapped. */
const longLines = ['one', 'wrapped'] as const

/** Enter in a console while a completion is offered: accepts a certain one, or always begins a line. */
const enterKeys = ['accepts', 'line'] as const

/** What letters do at a cell of a table in time: they find text, or begin an edit. Enter and a double click always edit. */
const letterUses = ['find', 'edit'] as const

/** Results of a console: beside its text or below it. By default as the engine's answers are shaped. */
const consoleLayouts = ['auto', 'beside', 'below'] as const

/** The colour of what acts, is selected or has the focus: the one of this window, or the system's. */
const accents = ['own', 'system'] as const

const rowHeights = { compact: 24, normal: 28, roomy: 36 } as const
/** Of the sidebar. */
const listHeights = { compact: 24, normal: 28, roomy: 32 } as const
const scales = { small: 0.92, normal: 1, large: 1.12, larger: 1.25 } as const

/** One setting, stored under its key. */
function choice<T extends string>(key: string, names: readonly [T, ...T[]], apply: (name: T) => void) {
	const [chosen, setChosen] = createSignal<T>(names[0])
	function show(name: T): void {
		setChosen(() => name)
		apply(name)
	}
	return {
		names,
		chosen,
		restore: (preferences: PreferenceStore) => show(names.find(name => name === preferences.get(key)) ?? names[0]),
		choose(next: T, preferences: PreferenceStore): void {
			preferences.set(key, next)
			show(next)
		},
	}
}

const root = () => document.documentElement

const themeChoice = choice('theme', themes, next => {
	root().style.colorScheme = next === 'system' ? 'light dark' : next
})
export const { chosen: theme, choose: chooseTheme } = themeChoice
export const density = choice('density', densities, next => {
	root().style.setProperty('--row-height', `${rowHeights[next]}px`)
	root().style.setProperty('--list-height', `${listHeights[next]}px`)
})
export const fontSize = choice('font-size', fontSizes, next => {
	root().style.setProperty('--font-scale', String(scales[next]))
})
export const accent = choice('accent', accents, next => {
	root().dataset.accent = next
})
/** Whether the browser tells the system's accent. */
export const knowsAccent = (): boolean => CSS.supports('color', 'oklch(from AccentColor l c h)')
export const locale = choice('locale', locales, next => setLocale(next === 'system' ? undefined : next))

export const dates = choice('dates', dateForms, () => {})
export const consoleLines = choice('console-lines', longLines, () => {})
export const consoleEnter = choice('console-enter', enterKeys, () => {})
export const logLetters = choice('log-letters', letterUses, () => {})
export const consoleLayout = choice('console-layout', consoleLayouts, () => {})

/** In pixels. */
export const rowHeight = () => rowHeights[density.chosen()]
/** In pixels. */
export const listHeight = () => listHeights[density.chosen()]
export const fontScale = () => scales[fontSize.chosen()]

/** Applies the stored choices; called once, before the first rendering. */
export function restoreAppearance(preferences: PreferenceStore): void {
	const all = [
		themeChoice,
		accent,
		density,
		fontSize,
		locale,
		dates,
		consoleLines,
		consoleEnter,
		logLetters,
		consoleLayout,
	]
	for (const { restore } of all) restore(preferences)
}
