import { createEffect, createSignal, on, untrack } from 'solid-js'
import type { FoundTable, Namespace, RequestScope, SavedRequest, Table, TableFormPlace } from '../../host/api/api.ts'
import type { HostConnection } from '../api/client.ts'
import type { ConsoleTab } from '../console/console-tab.tsx'
import { freeNumber } from '../console/kept-console.ts'
import { showToast } from '../controls/toasts.tsx'
import { createRequestLists } from '../requests/request-lists.ts'
import { createConnections } from '../state/connections.ts'
import type { PreferenceStore } from '../state/preferences.ts'
import type { Records } from '../state/records.ts'
import {
	type MadeTable,
	type ShownTable,
	type StoredView,
	type TabConnection,
	type TabTarget,
	tabId,
} from '../state/tab.ts'
import { columnsKey, hasQuery, isOfAllRows, isSameQuery, putView, requestedView, viewOf } from '../table/kept-table.ts'
import type { SavedView } from '../table/views/saved-view.ts'
import { savedViews } from '../table/views/table-views.ts'
import { type LinkedView, readLink } from '../table/views/view-link.ts'
import { messageOf } from '../words/message-of.ts'
import { createTabMaker } from './make-tab.ts'
import type { OpenTabs } from './tabs/open-tabs.ts'
import { createTabHistory } from './tabs/tab-history.ts'
import type { Tab } from './tabs/tab-kinds.tsx'

type TablePlace = Extract<TabTarget, { readonly kind: 'table' }>

/**
 * The workspace: connections and the tabs on them. What a tab holds lives as long as the tab, whatever opened or shows
 * it.
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

	const onRowsChanged = (id: string) => void connections.refresh(id)
	const history = createTabHistory(records, tabs)
	const made = createTabMaker({
		host,
		preferences,
		records,
		onRowsChanged,
		onQueryChanged: history.onQueryChanged,
		onChanged(id) {
			onRowsChanged(id)
			connections.refreshObjects(id)
		},
	})
	const open = (place: TabTarget, connection: TabConnection) => tabs.show(tabId(place), () => made(place, connection))

	const [tableActions, setTableActions] = createSignal<{
		readonly connection: TabConnection
		readonly table: string
		readonly isRemoval: boolean
	}>()

	/** Queries that were requested, by tab. Until the user changes one, other rows may replace it. */
	const requested = new Set<string>()
	const requestKey = (id: string, { query }: StoredView) => `${id} ${JSON.stringify(query)}`

	/** Returns the tab of a table that can show the rows without a loss, and is another one than `besides`. */
	function placeFor(view: StoredView, table: TablePlace, besides: string | undefined): TablePlace {
		for (let number = 1; ; number++) {
			const place = number === 1 ? table : { ...table, number }
			const [id, now] = [tabId(place), viewOf(records, place)]
			if (id === besides) continue
			const isOpen = tabs.isOpen(id)
			// A position is taken by a tab that opens.
			if (isOpen && view.position !== null) continue
			if (isSameQuery(view, now)) return place
			const isForgotten = number > 1 && !isOpen
			const isReplaceable = isForgotten || isOfAllRows(now) || requested.has(requestKey(id, now))
			if (isReplaceable && tabs.staged(id) === 0) return place
		}
	}

	/** A further tab of a table begins with the columns of the tab that it is opened from, else with those of the table. */
	function takeColumns(place: TablePlace): void {
		const { number, ...table } = place
		if (number === undefined || tabs.isOpen(tabId(place))) return
		const from = tabs.active()?.place
		const isOfTable = from?.kind === 'table' && from.connection === table.connection && from.table === table.table
		preferences.set(columnsKey(place), preferences.get(columnsKey(isOfTable ? from : table)) ?? null)
	}

	/**
	 * Shows rows of a table, in the first of its tabs that has no query of the user and nothing staged.
	 * @param besides a tab that keeps its rows
	 */
	function showView(
		connection: TabConnection,
		{ table, view }: { readonly table: string; readonly view: StoredView },
		besides?: string,
	): void {
		history.visit(() => {
			const place = placeFor(view, { kind: 'table', connection: connection.id, table }, besides)
			takeColumns(place)
			const isSame = isSameQuery(view, viewOf(records, place))
			// The same rows may be wanted at another position.
			if (!isSame || view.position != null) putView(records, place, view)
			if (!isSame) requested.add(requestKey(tabId(place), view))
			void open(place, connection)
		})
	}

	/** Opens a table. Its own order applies until the user has opened it once. Rows that were only requested are left. */
	function openInOrder(
		connection: TabConnection,
		{ name, sort }: { readonly name: string; readonly sort?: FoundTable['sort'] | undefined },
	): void {
		const place = { kind: 'table', connection: connection.id, table: name } as const
		const id = tabId(place)
		const isLeft = !tabs.isOpen(id) && requested.has(requestKey(id, viewOf(records, place)))
		if (isLeft || (sort && !hasQuery(records, place)))
			putView(records, place, requestedView({ ...place, filters: [], match: 'all', raw: '', sort: sort ?? [] }))
		void open(place, connection)
	}

	const tabsOf = (connection: TabConnection, table: string) =>
		tabs.tabs().filter(({ place }) => place.connection === connection.id && 'table' in place && place.table === table)

	/** Where the engine chose the level, the name is enough. */
	function madeTable(connection: TabConnection, { path, name }: MadeTable): Table | undefined {
		const named = (connection.listed ?? []).filter(table => (table.title ?? table.name) === name)
		return named.find(table => table.path?.join('.') === path.join('.')) ?? named[0]
	}

	const consolesOf = (connection: TabConnection) =>
		tabs
			.tabs()
			.filter(tab => tab.kind === 'console')
			.filter(tab => tab.connection.id === connection.id)

	function openEmptyConsole(connection: TabConnection, namespace: Namespace = {}): Tab {
		const taken = consolesOf(connection).map(tab => tab.place.number)
		const number = freeNumber(records, connection.id, taken)
		const tab = open({ kind: 'console', connection: connection.id, number }, connection)
		if (tab.kind === 'console') tab.console.setNamespace(namespace)
		return tab
	}

	const [linked, setLinked] = createSignal<LinkedView>()
	/** Whether the user turned to a connection in the sidebar after the active tab. */
	const [isOpened, setOpened] = createSignal(false)
	createEffect(on(tabs.activeId, () => setOpened(false), { defer: true }))
	createEffect(
		on(
			() => connections.active()?.status === 'opening',
			isOpening => isOpening && setOpened(true),
		),
	)

	// Tabs of a removed connection have nothing to show.
	createEffect(() => {
		if (connections.reading.value() === undefined) return
		const saved = new Set(connections.saved().map(({ id }) => id))
		untrack(() => tabs.keepOnly(saved))
	})

	return {
		connections,
		/** The connection that a command applies to: what the user turned to last, a tab or a connection in the sidebar. */
		currentConnection(): TabConnection | undefined {
			const active = connections.active()
			const opened = active?.status === 'open' ? active : undefined
			const ofTab = tabs.active()?.connection
			return isOpened() ? (opened ?? ofTab) : (ofTab ?? opened)
		},
		requests,
		tabs,
		made,
		/** Counts what is open on a connection, or on one of its tables. */
		openOn(connection: string, table?: string): { readonly tabs: number; readonly staged: number } {
			const isOf = ({ place }: Tab) => table === undefined || (place.kind === 'table' && place.table === table)
			const open = tabs.tabs().filter(tab => tab.connection.id === connection && isOf(tab))
			return { tabs: open.length, staged: open.reduce((sum, tab) => sum + tabs.staged(tab.id), 0) }
		},
		openTable: (connection: TabConnection, name: string) =>
			openInOrder(connection, { name, sort: connection.table(name)?.sort }),
		/** Opens a table that was found by name. */
		openFound: openInOrder,
		/** Returns names that open as a table and are not in the list. None if the engine does not answer. */
		tablesFound: (connection: string, text: string) =>
			host.call('tables.find', { connection, text }).catch(() => [] as const),
		/** Returns columns with such a name. None if the engine does not answer, or finds none by name. */
		columnsFound: async (connection: string, text: string) =>
			text.trim().length < 2
				? []
				: ((await host.call('columns.find', { connection, text: text.trim() }).catch(() => undefined)) ?? []),
		/** Opens a table with the sheet for imports. */
		importRows(connection: TabConnection, table: string): void {
			const tab = open({ kind: 'table', connection: connection.id, table }, connection)
			if (tab.kind === 'table') tab.setImporting(true)
		},
		/** Returns the saved views of the tables of a connection. */
		viewsOf: (connection: string) => savedViews(records, connection),
		openView(connection: TabConnection, table: string, view: SavedView): void {
			const tab = open({ kind: 'table', connection: connection.id, table }, connection)
			if (tab.kind === 'table') tab.setView(view)
		},
		/** A view of a link that waits for an answer of the user. */
		linked,
		setLinked,
		/** Asks whether the view of a link is opened. */
		askAboutLink(text: string): void {
			const link = readLink(text)
			if (link) setLinked(link)
			else showToast('A link to a view was opened that cannot be read.')
		},
		history,
		showRows: (connection: TabConnection, shown: ShownTable) =>
			showView(connection, { table: shown.table, view: requestedView(shown) }),
		showView,
		/** Shows the form of a table, or of a new one. */
		openTableForm: (connection: TabConnection, place: TableFormPlace) =>
			void open({ kind: 'form', connection: connection.id, ...place }, connection),
		/** The table whose actions are shown. */
		tableActions,
		openTableActions: (connection: TabConnection, table: string, isRemoval = false) =>
			void setTableActions({ connection, table, isRemoval }),
		closeTableActions: () => void setTableActions(undefined),
		/** Reads the lists of a connection again, in which a table was made or changed. */
		tablesChanged({ id }: TabConnection): void {
			onRowsChanged(id)
			connections.refreshObjects(id)
		},
		/** Closes the tabs of a table that the user has removed. One with changes stays, and its reload shows why it fails. */
		closeTable(connection: TabConnection, table: string): void {
			tabs.close(...tabsOf(connection, table).flatMap(({ id }) => (tabs.staged(id) > 0 ? [] : [id])))
		},
		/**
		 * Shows a table that the user has renamed in the tabs that showed it, with their queries. One with changes stays, and its
		 * reload shows why it fails.
		 */
		async tableRenamed(connection: TabConnection, before: string, after: MadeTable): Promise<void> {
			await connections.refresh(connection.id)
			const table = madeTable(connection, after)?.name
			for (const { id, place } of tabsOf(connection, before)) {
				if (tabs.staged(id) > 0) continue
				if (table === undefined) {
					tabs.close(id)
					continue
				}
				const moved = { ...place, table }
				if (place.kind === 'table' && moved.kind === 'table') {
					putView(records, moved, viewOf(records, place))
					preferences.set(columnsKey(moved), preferences.get(columnsKey(place)) ?? null)
				}
				tabs.replace(id, made(moved, connection))
			}
		},
		/** Opens a table that was made below a level of the list. */
		openMade(connection: TabConnection, made: MadeTable): void {
			const found = madeTable(connection, made)
			if (found) void open({ kind: 'table', connection: connection.id, table: found.name }, connection)
		},
		/** Where a new table is made: beside the table of the active tab, or where the engine creates tables. */
		newTablePlace(connection: TabConnection): TableFormPlace {
			const place = tabs.active()?.place
			const table = place && 'table' in place && place.connection === connection.id ? place.table : undefined
			return { path: (table === undefined ? undefined : connection.table(table)?.path) ?? [] }
		},
		/** Shows the facts of a table or of the whole connection. */
		openFacts: (connection: TabConnection, table?: string) =>
			void open({ kind: 'facts', connection: connection.id, table }, connection),
		/** Shows the facts of an object beside tables. */
		openObject: (connection: TabConnection, object: string) =>
			void open({ kind: 'object', connection: connection.id, object }, connection),
		/** Shows the keys around a table, or between the tables below a level of the list. */
		openDiagram: (connection: TabConnection, about: { readonly table?: string; readonly path?: readonly string[] }) =>
			void open({ kind: 'diagram', connection: connection.id, ...about }, connection),
		/** Shows all tables of a connection, with one of them chosen. */
		openTables(connection: TabConnection, table?: string): void {
			const tab = open({ kind: 'tables', connection: connection.id }, connection)
			if (tab.kind === 'tables' && table !== undefined) tab.chosen.reveal(table)
		},
		/**
		 * Opens the latest console. A text goes into a separate one of its database, so that "Run all" runs nothing else: one
		 * that shows no saved file and is empty, has this text, or had another one from here that was run.
		 */
		openConsole(connection: TabConnection, text?: string, database?: string): void {
			const isFree = ({ console }: ConsoleTab) =>
				console.saved.file() === undefined && (['', text?.trim()].includes(console.text().trim()) || console.isSpent())
			const isThere = ({ console }: ConsoleTab) => {
				const there = console.namespace()
				return there.database === database && there.schema === undefined
			}
			const fits = (tab: ConsoleTab) => text === undefined || (isFree(tab) && isThere(tab))
			const last = consolesOf(connection).findLast(fits)
			const first = { kind: 'console', connection: connection.id, number: 1 } as const
			const place = last?.place ?? (database === undefined ? first : undefined)
			const tab = place ? open(place, connection) : openEmptyConsole(connection, { database })
			if (text === undefined || tab.kind !== 'console') return
			const taken = fits(tab) ? tab : openEmptyConsole(connection, { database })
			if (taken.kind === 'console') taken.console.show(text)
		},
		/** Opens another console. */
		newConsole(connection: TabConnection, text = '', namespace: Namespace = {}): void {
			const tab = openEmptyConsole(connection, namespace)
			if (text !== '' && tab.kind === 'console') tab.console.take(text)
		},
		/** Shows a saved request in its own console, with the current file. */
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
				const tab = openEmptyConsole(connection)
				if (tab.kind === 'console') tab.console.saved.load(request)
			} catch (error) {
				showToast(messageOf(error))
			}
		},
		/** Consoles that show a request at or below a path follow it. */
		moveRequests(place: RequestScope, from: string, to: string): void {
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
		/** Reopens the last closed tab whose connection still exists. */
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
