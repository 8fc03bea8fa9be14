import { batch, createSignal } from 'solid-js'
import { type TabTarget, tabId } from '../../state/tab.ts'
import type { Tab } from './tab-kinds.tsx'
import { createTabPanes } from './tab-panes.ts'

/** Closed tabs that can be reopened. */
const mostClosed = 50

/** The open tabs, their unsaved changes, and the closed tabs. */
export function createOpenTabs() {
	const [tabs, setTabs] = createSignal<readonly Tab[]>([])
	const panes = createTabPanes(tabs)
	const { activeId, activate } = panes
	const stagedIn = (tab: Tab | undefined) => tab?.staged?.() ?? 0
	/** Tabs to close that have staged changes, until the user decides. */
	const [asked, setAsked] = createSignal<readonly Tab[]>([])
	/** The last closed tab is first. */
	const [closed, setClosed] = createSignal<readonly TabTarget[]>([])
	/** The tab that is being renamed. */
	const [renaming, setRenaming] = createSignal<string>()

	function discard(id: string): void {
		const gone = tabs().find(tab => tab.id === id)
		batch(() => {
			setAsked(all => all.filter(tab => tab !== gone))
			panes.leave(id)
			setTabs(all => all.filter(tab => tab !== gone))
			panes.settle()
			if (gone) setClosed(all => [gone.place, ...all.filter(place => tabId(place) !== id)].slice(0, mostClosed))
		})
		gone?.discard?.()
		gone?.close?.()
	}

	/** Closes tabs. Those with staged changes wait for the user. */
	function close(...ids: readonly string[]): void {
		const meant = tabs().filter(tab => ids.includes(tab.id))
		for (const tab of meant) if (stagedIn(tab) === 0) discard(tab.id)
		setAsked(meant.filter(tab => stagedIn(tab) > 0))
	}

	/** The tabs in the same pane. */
	const beside = (id = '') => (panes.isSplit() ? panes.tabsIn(panes.sideOf(id)) : tabs())

	return {
		tabs,
		activeId,
		active: () => tabs().find(tab => tab.id === activeId()),
		isOpen: (id: string) => tabs().some(tab => tab.id === id),
		staged: (id: string) => stagedIn(tabs().find(tab => tab.id === id)),
		activate,
		panes,
		/** Returns the tab at a distance, wrapping around. */
		step(by: 1 | -1): void {
			const all = beside(activeId())
			const at = all.findIndex(tab => tab.id === activeId())
			activate(all[(at + by + all.length) % all.length]?.id)
		},
		/** Adds restored tabs; the active tab stays. */
		restore(restored: readonly Tab[]): void {
			const known = new Set(tabs().map(tab => tab.id))
			setTabs(all => [...all, ...restored.filter(tab => !known.has(tab.id))])
		},
		restoreClosed: setClosed,
		/** Shows the tab with this id, or creates it. */
		show<T extends Tab>(id: string, make: (id: string) => T): T {
			// An id begins with its kind, so a tab with this id is of the same kind.
			const open = tabs().find(tab => tab.id === id) as T | undefined
			const tab = open ?? make(id)
			batch(() => {
				if (!open) {
					panes.enter(id)
					setTabs(all => [...all, tab])
				}
				activate(id)
			})
			return tab
		},
		/** Puts a tab at the position of another, which has no changes. */
		replace(id: string, next: Tab): void {
			const gone = tabs().find(tab => tab.id === id)
			batch(() => {
				panes.replace(id, next.id)
				setTabs(all => all.map(tab => (tab === gone ? next : tab)))
			})
			gone?.close?.()
		},
		close,
		closeOthers: (id: string) => close(...beside(id).flatMap(tab => (tab.id === id ? [] : [tab.id]))),
		closeToTheRight(id: string): void {
			const all = beside(id)
			const at = all.findIndex(tab => tab.id === id)
			close(...all.slice(at + 1).map(tab => tab.id))
		},
		/** Closes the tabs of removed connections, with their staged changes, and forgets the closed ones. */
		keepOnly(connections: ReadonlySet<string>): void {
			for (const tab of tabs()) if (!connections.has(tab.connection.id)) discard(tab.id)
			setClosed(all => all.filter(place => connections.has(place.connection)))
		},
		closing: () => asked()[0],
		keep: () => setAsked([]),
		discard,
		renaming,
		/** Starts renaming it. */
		beginRename: (id: string) => void (tabs().find(tab => tab.id === id)?.rename && setRenaming(id)),
		/** An empty name changes nothing. */
		endRename(id: string, name?: string): void {
			setRenaming(undefined)
			if (name !== undefined)
				tabs()
					.find(tab => tab.id === id)
					?.rename?.(name)
		},
		closed,
		/** Returns the last closed tab for reopening. */
		takeClosed(): TabTarget | undefined {
			const [last, ...others] = closed()
			setClosed(others)
			return last
		},
	}
}
export type OpenTabs = ReturnType<typeof createOpenTabs>
