import { createEffect, createRoot, on, untrack } from 'solid-js'
import type { RequestPlace, SavedRequest } from '../../host/ui-server/api.ts'
import type { HostConnection } from '../api/client.ts'
import { createConsole } from '../console/console.ts'
import type { ConsoleTab } from '../console/console-tab.tsx'
import { freeNumber } from '../console/kept-console.ts'
import { showToast } from '../controls/toasts.tsx'
import { putQuery, type ShownTable } from '../grid/kept-table.ts'
import { createTableTab } from '../grid/table-tab.tsx'
import { createRequestLists } from '../requests/request-lists.ts'
import { createConnections } from '../state/connections.ts'
import type { PreferenceStore } from '../state/preferences.ts'
import type { Records } from '../state/records.ts'
import { type TabConnection, type TabPlace, tabId } from '../state/tab.ts'
import { messageOf } from '../words/message-of.ts'
import type { OpenTabs } from './tabs/open-tabs.ts'
import type { Tab } from './tabs/tab-kinds.tsx'

/**
 * What the window is working on: its connections, and the tabs that are opened on them. What a tab holds lives as long as
 * the tab, and not as long as whatever opened or shows it.
 */
export function createWorkspace(
	{ host, preferences, records }: { host: HostConnection; preferences: PreferenceStore; records: Records },
	tabs: OpenTabs,
) {
	const connections = createConnections(host, showToast)
	const requests = createRequestLists(host)
	createEffect(
		on(
			() => connections.active(),
			active => active?.status === 'open' && requests.read(active.id),
		),
	)

	/** A tab, not shown yet. */
	function made(place: TabPlace, connection: TabConnection): Tab {
		const id = tabId(place)
		switch (place.kind) {
			case 'table':
				return createTableTab(id, place, connection, records)
			case 'console':
				return createConsoleTab(id, place, connection)
			case 'facts': {
				const title = place.table === undefined ? 'Overview' : `About ${place.table}`
				return { kind: 'facts', id, place, title, connection }
			}
		}
	}
	const open = (place: TabPlace, connection: TabConnection) => tabs.show(tabId(place), () => made(place, connection))

	function createConsoleTab(id: string, place: ConsoleTab['place'], connection: TabConnection): ConsoleTab {
		return createRoot(close => {
			const opened = createConsole({
				host,
				records,
				place,
				connection,
				before: preferences,
				onChanged: () => void connections.refresh(connection.id),
			})
			const { rename, title } = opened
			return {
				kind: 'console',
				id,
				place,
				get title() {
					return title()
				},
				connection,
				console: opened,
				rename,
				close,
			}
		})
	}

	const consolesOf = (connection: TabConnection) =>
		tabs
			.tabs()
			.filter(tab => tab.kind === 'console')
			.filter(tab => tab.connection.id === connection.id)

	// What was open on a connection that is there no more has nothing to show.
	createEffect(() => {
		if (connections.reading.value() === undefined) return
		const saved = new Set(connections.saved().map(({ id }) => id))
		const gone = untrack(tabs.tabs).filter(tab => !saved.has(tab.connection.id))
		untrack(() => {
			for (const tab of gone) tabs.discardAll(tab.connection.id)
		})
	})

	return {
		connections,
		requests,
		tabs,
		made,
		/** How much is open on a connection. */
		openOn(connection: string): { readonly tabs: number; readonly staged: number } {
			const open = tabs.tabs().filter(tab => tab.connection.id === connection)
			return { tabs: open.length, staged: open.reduce((sum, tab) => sum + tabs.staged(tab.id), 0) }
		},
		openTable: (connection: TabConnection, table: string) =>
			void open({ kind: 'table', connection: connection.id, table }, connection),
		/** Shows rows of a table, whatever it asked for before. */
		showRows(connection: TabConnection, shown: ShownTable): void {
			const place = { kind: 'table', connection: connection.id, table: shown.table } as const
			putQuery(records, place, shown)
			void open(place, connection)
		},
		/** Shows what the driver tells of a table, or of the whole connection. */
		openFacts: (connection: TabConnection, table?: string) =>
			void open({ kind: 'facts', connection: connection.id, table }, connection),
		/** Opens the console that was opened last, with a text added to what is there. */
		openConsole(connection: TabConnection, text?: string): void {
			const last = consolesOf(connection).at(-1)
			const tab = open(last?.place ?? { kind: 'console', connection: connection.id, number: 1 }, connection)
			if (text !== undefined && tab.kind === 'console') tab.console.append(text)
		},
		/** Opens one more console beside the others. */
		newConsole(connection: TabConnection, text = ''): void {
			const taken = consolesOf(connection).map(tab => tab.place.number)
			const number = freeNumber(records, connection.id, taken)
			const tab = open({ kind: 'console', connection: connection.id, number }, connection)
			if (text !== '' && tab.kind === 'console') tab.console.take(text)
		},
		/** Shows a saved request in a console of its own, as its file is now. */
		async openRequest(connection: TabConnection, { place, path }: Pick<SavedRequest, 'place' | 'path'>): Promise<void> {
			try {
				const shown = consolesOf(connection).find(({ console: { saved } }) => {
					const file = saved.file()
					return file?.place === place && file.path === path
				})
				if (shown) {
					tabs.activate(shown.id)
					await shown.console.saved.refresh()
					return
				}
				const request = await host.call('requests.read', { connection: connection.id, place, path })
				const taken = consolesOf(connection).map(tab => tab.place.number)
				const number = freeNumber(records, connection.id, taken)
				const tab = open({ kind: 'console', connection: connection.id, number }, connection)
				if (tab.kind === 'console') tab.console.saved.load(request)
			} catch (error) {
				showToast(messageOf(error))
			}
		},
		/** The consoles that show a request at a path, or below it, follow where it went. */
		moveRequests(place: RequestPlace, from: string, to: string): void {
			for (const tab of tabs.tabs()) {
				const file = tab.kind === 'console' ? tab.console.saved.file() : undefined
				if (tab.kind !== 'console' || file?.place !== place) continue
				if (file.path !== from && !file.path.startsWith(`${from}/`)) continue
				const path = to + file.path.slice(from.length)
				host
					.call('requests.read', { connection: tab.connection.id, place, path })
					.then(tab.console.saved.moved, error => showToast(messageOf(error)))
			}
		},
		/** Opens the tab that was closed last and whose connection is still there. */
		reopen(): void {
			for (let place = tabs.takeClosed(); place; place = tabs.takeClosed()) {
				const connection = connections.of(place.connection)
				if (!connection) continue
				open(place, connection)
				return
			}
		},
	}
}
export type Workspace = ReturnType<typeof createWorkspace>
