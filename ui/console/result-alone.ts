import { createEffect, createSignal, on } from 'solid-js'
import type { PreferenceStore } from '../state/preferences.ts'
import type { OpenConsole } from './console.ts'
import type { Run } from './runs.ts'

const key = 'console/alone'

/**
 * Shows one result alone, or all. The choice is stored: while it holds, the result of a new run replaces the one that is
 * shown.
 */
export function createResultAlone({ runs, shown }: Pick<OpenConsole, 'runs' | 'shown'>, preferences: PreferenceStore) {
	const [isAlone, setIsAlone] = createSignal(preferences.get(key) === true)
	const [chosen, setChosen] = createSignal<Run>()
	createEffect(on(shown, () => setChosen(undefined), { defer: true }))
	const current = (): Run | undefined =>
		isAlone() ? ([chosen(), shown()].find(run => run && runs().includes(run)) ?? runs()[0]) : undefined

	return {
		/** The result that is shown alone. */
		current,
		/** Whether one result has the height of the pane. One of several parts scrolls with the pane. */
		fills(): boolean {
			const run = current() ?? (runs().length === 1 ? runs()[0] : undefined)
			const { more = [], panels = [] } = run?.task.value() ?? {}
			return run !== undefined && more.length === 0 && panels.length === 0
		},
		/** @param run the result to show. Default: the last one */
		toggle(run?: Run): void {
			setChosen(run)
			setIsAlone(is => !is)
			preferences.set(key, isAlone())
		},
	}
}
