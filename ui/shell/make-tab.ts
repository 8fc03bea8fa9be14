import { createRoot, createSignal } from 'solid-js'
import type { HostConnection } from '../api/client.ts'
import { createConsole } from '../console/console.ts'
import type { ConsoleTab } from '../console/console-tab.tsx'
import type { PreferenceStore } from '../state/preferences.ts'
import type { Records } from '../state/records.ts'
import { type StoredView, type TabConnection, type TabTarget, tabId } from '../state/tab.ts'
import { createTableTab } from '../table/create-table-tab.ts'
import type { TableFormTab } from '../table-form/table-form-tab.tsx'
import { createChosenTables } from '../tables/chosen-tables.ts'
import type { Tab } from './tabs/tab-kinds.tsx'

interface TabMakerOptions {
	readonly host: HostConnection
	readonly preferences: PreferenceStore
	readonly records: Records
	/** Called after a tab has changed data of a connection. */
	onChanged(connectionId: string): void
	/** Called after a tab has changed rows alone. */
	onRowsChanged(connectionId: string): void
	/** Called after the query of a table's tab has changed, with what was shown before. */
	onQueryChanged(tabId: string, before: StoredView): void
}

/** Returns a function that creates a tab without showing it. What a tab holds lives as long as the tab. */
export function createTabMaker({
	host,
	preferences,
	records,
	onChanged,
	onRowsChanged,
	onQueryChanged,
}: TabMakerOptions) {
	function createConsoleTab(id: string, place: ConsoleTab['place'], connection: TabConnection): ConsoleTab {
		return createRoot(close => {
			const opened = createConsole({
				host,
				records,
				place,
				connection,
				before: preferences,
				onChanged: () => onChanged(connection.id),
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
				database: () => opened.namespace().database,
				console: opened,
				staged: () => (opened.transaction() === undefined ? 0 : 1) + opened.results.staged() + opened.kept.count(),
				discard: opened.kept.discard,
				loss: () =>
					opened.transaction() && {
						text: 'Its transaction is not committed. Closing the console rolls it back.',
						action: 'Roll back and close',
					},
				rename,
				close,
			}
		})
	}

	function createFormTab(id: string, place: TableFormTab['place'], connection: TabConnection): TableFormTab {
		const [held, setHeld] = createSignal<{ readonly changes: number; readonly database: string | undefined }>()
		const { table, path = [] } = place
		const noun = connection.engine.tableNoun.one.toLowerCase()
		const made = ['New', noun, ...(path.length > 0 ? ['in', path.join('.')] : [])].join(' ')
		return {
			kind: 'form',
			id,
			place,
			connection,
			title: table === undefined ? made : `${connection.table(table)?.title ?? table}, structure`,
			database: () => held()?.database,
			staged: () => held()?.changes ?? 0,
			discard: () => setHeld(undefined),
			take: (changes, database) => void setHeld({ changes, database }),
			onTablesChanged: () => onChanged(connection.id),
		}
	}

	return (place: TabTarget, connection: TabConnection): Tab => {
		const id = tabId(place)
		switch (place.kind) {
			case 'table':
				return createTableTab({
					id,
					place,
					connection,
					records,
					onRowsChanged: () => onRowsChanged(connection.id),
					onQueryChanged: before => onQueryChanged(id, before),
				})
			case 'console':
				return createConsoleTab(id, place, connection)
			case 'facts': {
				const title = place.table === undefined ? 'Overview' : `About ${place.table}`
				return { kind: 'facts', id, place, title, connection }
			}
			case 'object':
				return { kind: 'object', id, place, title: place.object, connection }
			case 'diagram': {
				const about = place.table ?? place.path?.at(-1) ?? connection.name
				return { kind: 'diagram', id, place, title: `${about}, diagram`, connection }
			}
			case 'form':
				return createFormTab(id, place, connection)
			case 'tables':
				return {
					kind: 'tables',
					id,
					place,
					connection,
					title: connection.engine.tableNoun.many,
					chosen: createChosenTables(),
					onTablesChanged: () => onChanged(connection.id),
				}
		}
	}
}
