import { batch, createEffect, createSignal, on } from 'solid-js'
import type { Records } from '../../state/records.ts'
import type { StoredView } from '../../state/tab.ts'
import { isSameQuery, putView, viewOf } from '../../table/kept-table.ts'
import type { OpenTabs } from './open-tabs.ts'

/** More steps back help no user. */
const mostVisits = 100

/** A tab that was shown, and the rows of its table as they were when the user left. */
interface Visit {
	readonly tab: string
	readonly view?: StoredView
}

/** The places that the user visited, for Back and Forward. A place is a tab, and for a table each of its queries with a position. */
export function createTabHistory(records: Records, tabs: OpenTabs) {
	const [visits, setVisits] = createSignal<readonly Visit[]>([])
	const [at, setAt] = createSignal(-1)
	const tabOf = (visit: Visit | undefined) => tabs.tabs().find(({ id }) => id === visit?.tab)

	/** Notes the current place as it is now. */
	function leave(): void {
		const tab = tabOf(visits()[at()])
		if (tab?.kind !== 'table') return
		const left = { tab: tab.id, view: viewOf(records, tab.place) }
		setVisits(all => all.with(at(), left))
	}

	/** Adds the active tab, in place of what Forward led to. */
	function arrive(): void {
		const tab = tabs.activeId()
		if (tab === undefined) return
		const all = [...visits().slice(0, at() + 1), { tab }].slice(-mostVisits)
		batch(() => {
			setVisits(all)
			setAt(all.length - 1)
		})
	}

	createEffect(
		on(tabs.activeId, id => {
			if (id === undefined || id === visits()[at()]?.tab) return
			leave()
			arrive()
		}),
	)

	/** Returns the nearest place in a direction that is still open and differs from the current one. */
	function nearest(by: 1 | -1): number | undefined {
		const here = visits()[at()]
		const tab = tabOf(here)
		// The place of the user has no view before the user leaves it.
		const shown = here?.view ?? (tab?.kind === 'table' ? viewOf(records, tab.place) : undefined)
		for (let place = at() + by; ; place += by) {
			const visit = visits()[place]
			if (!visit) return undefined
			if (!tabOf(visit)) continue
			const isSame = !shown || !visit.view || isSameQuery(shown, visit.view)
			if (visit.tab !== tabs.activeId() || !isSame) return place
		}
	}

	return {
		canGo: (by: 1 | -1) => nearest(by) !== undefined,
		/** Goes to the place before or after. */
		go(by: 1 | -1): void {
			leave()
			const place = nearest(by)
			const visit = place === undefined ? undefined : visits()[place]
			const tab = tabOf(visit)
			if (place === undefined || !tab) return
			setAt(place)
			if (tab.kind === 'table' && visit?.view) {
				putView(records, tab.place, visit.view)
				tab.setReturning(visit.view.position)
			}
			tabs.activate(tab.id)
		},
		/** Adds the rows that a tab shows now. Those of Back and Forward are known already. */
		onQueryChanged(id: string, view: StoredView): void {
			const here = visits()[at()]
			const tab = tabOf(here)
			if (here?.tab !== id || tab?.kind !== 'table') return
			if (here.view && isSameQuery(here.view, viewOf(records, tab.place))) return
			// Rows that are shown on request begin at the top before the query changes: the place was noted already.
			const isNoted = here.view !== undefined && isSameQuery(here.view, view) && view.position == null
			if (!isNoted) setVisits(all => all.with(at(), { tab: id, view }))
			arrive()
		},
		/** Runs what shows other rows. They are a new place, also in the same tab. */
		visit(show: () => void): void {
			leave()
			const before = visits()
			show()
			if (visits() === before) arrive()
		},
	}
}
