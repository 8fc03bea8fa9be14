import { createEffect, on, untrack } from 'solid-js'
import { forgetConsole } from '../console/kept-console.ts'
import { plain } from '../state/keep.ts'
import type { Records } from '../state/records.ts'
import { type TabTarget, tabId } from '../state/tab.ts'
import type { Workspace } from './workspace.ts'

/**
 * Which tabs are open and which one is active. Each tab is a record, so that two windows do not overwrite each other's
 * tabs.
 */

const prefix = 'tab/'
const keyOf = (place: TabTarget) => `${prefix}${place.connection}/${tabId(place)}`

interface TabRecord {
	readonly place: TabTarget
	/** When it was opened; tabs are sorted by it. */
	readonly at: number
}

export function keepTabs(records: Records, { tabs, connections, made }: Workspace): void {
	const kept = records
		.keys(prefix)
		.map((key): unknown => records.get(key))
		.filter(isTabRecord)
		.toSorted((a, b) => a.at - b.at)
	const wanted = records.get('frontTab')
	let waiting = kept.map(({ place }) => place)
	const closed: unknown = records.get('closedTabs')
	tabs.panes.restore(records.get('panes'))
	if (Array.isArray(closed)) tabs.restoreClosed(closed.filter(isPlace))

	// A tab is restored as soon as its connection and driver are known. Nothing connects before it is shown.
	createEffect(() => {
		const ready = waiting.flatMap(place => {
			const connection = connections.of(place.connection)
			return connection ? [{ place, connection }] : []
		})
		if (ready.length === 0) return
		waiting = waiting.filter(place => !ready.some(found => found.place === place))
		untrack(() => {
			tabs.restore(ready.map(({ place, connection }) => made(place, connection)))
			const front = tabs.tabs().find(tab => tab.id === wanted) ?? tabs.tabs().at(-1)
			if (tabs.activeId() === undefined && front) tabs.activate(front.id)
		})
	})

	// The restored active tab selects its connection in the sidebar, and the search of the window knows those of the others.
	createEffect(() => {
		const id = tabs.active()?.connection.id
		if (id !== undefined)
			untrack(() => (connections.active() === undefined ? connections.open(id) : connections.learn(id)))
	})

	createEffect(
		on(tabs.tabs, (all, before = []) => {
			const now = Date.now()
			for (const [index, { place }] of all.entries()) {
				const key = keyOf(place)
				if (records.get(key) === undefined) records.set(key, { place: plain(place), at: now + index })
			}
			for (const { place } of before) if (!all.some(tab => tab.id === tabId(place))) records.set(keyOf(place), null)
			return all
		}),
	)
	createEffect(on(tabs.activeId, id => records.set('frontTab', id ?? null), { defer: true }))
	createEffect(
		on(tabs.panes.kept, panes => records.set('panes', panes.right.length > 0 ? plain(panes) : null), { defer: true }),
	)
	createEffect(
		on(
			tabs.closed,
			(places, before = []) => {
				records.set('closedTabs', places.map(plain))
				// A closed tab that dropped out of the list can no longer be reopened.
				if (places.length < before.length) return places
				const fallen = before.filter(place => !places.includes(place) && !tabs.isOpen(tabId(place)))
				for (const place of fallen) if (place.kind === 'console') forgetConsole(records, place)
				return places
			},
			{ defer: true },
		),
	)
}

/** The host stores it unchanged, so its structure shows whether it is one. */
function isTabRecord(value: unknown): value is TabRecord {
	return typeof value === 'object' && value !== null && 'at' in value && 'place' in value && isPlace(value.place)
}

const isText = (value: unknown) => typeof value === 'string'

function isPlace(value: unknown): value is TabTarget {
	if (typeof value !== 'object' || value === null) return false
	const { kind, connection, table, object, number, path } = value as Record<string, unknown>
	if (typeof connection !== 'string') return false
	if (kind === 'table') return typeof table === 'string'
	if (kind === 'object') return typeof object === 'string'
	if (kind === 'diagram') return path === undefined || (Array.isArray(path) && path.every(isText))
	if (kind === 'form') return typeof table === 'string' || (Array.isArray(path) && path.every(isText))
	return kind === 'console' ? typeof number === 'number' : kind === 'facts' || kind === 'tables'
}
