import { batch, createSignal } from 'solid-js'
import { createStore } from 'solid-js/store'
import type { Tab } from './tab-kinds.tsx'

/** The tabs that are open, and what of each is not saved yet. */
export function createOpenTabs() {
	const [tabs, setTabs] = createSignal<readonly Tab[]>([])
	const [activeId, setActiveId] = createSignal<string>()
	const [staged, setStaged] = createStore<Record<string, number>>({})
	/** The tab that is to be closed with staged changes in it, until the person has said what becomes of them. */
	const [closing, setClosing] = createSignal<Tab>()

	function discard(id: string): void {
		const index = tabs().findIndex(tab => tab.id === id)
		const left = tabs().filter(tab => tab.id !== id)
		const closed = tabs()[index]
		batch(() => {
			setClosing(undefined)
			setStaged(id, 0)
			if (activeId() === id) setActiveId((left[index] ?? left[index - 1])?.id)
			setTabs(left)
		})
		closed?.close?.()
	}

	return {
		tabs,
		activeId,
		staged: (id: string) => staged[id] ?? 0,
		hasStaged: () => Object.values(staged).some(count => count > 0),
		noteStaged: (id: string, count: number) => setStaged(id, count),
		activate: setActiveId,
		/** Shows the tab with this id; where there is none it is made. */
		show<T extends Tab>(id: string, make: (id: string) => T): T {
			// An id begins with its kind, so what has the id is what would be made.
			const open = tabs().find(tab => tab.id === id) as T | undefined
			const tab = open ?? make(id)
			batch(() => {
				if (!open) setTabs(all => [...all, tab])
				setActiveId(id)
			})
			return tab
		},
		/** Closes a tab; one with staged changes waits for the person's word. */
		close(id: string): void {
			if ((staged[id] ?? 0) === 0) discard(id)
			else setClosing(tabs().find(tab => tab.id === id))
		},
		closing,
		keep: () => setClosing(undefined),
		discard,
	}
}
export type OpenTabs = ReturnType<typeof createOpenTabs>
