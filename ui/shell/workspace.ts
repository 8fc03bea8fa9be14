import { createRoot } from 'solid-js'
import type { HostConnection } from '../api/client.ts'
import { createConsole } from '../console/console.ts'
import type { ConsoleTab } from '../console/console-tab.tsx'
import { createTableTab } from '../grid/table-tab.tsx'
import { createConnections } from '../state/connections.ts'
import type { PreferenceStore } from '../state/preferences.ts'
import type { TabConnection } from '../state/tab.ts'
import type { OpenTabs } from './tabs/open-tabs.ts'

/** A table has one tab a connection. */
export const tableTabId = (connection: Pick<TabConnection, 'id'>, table: string) => `table/${connection.id}/${table}`

/**
 * What the window is working on: its connections, and the tabs that are opened on them. What a tab holds lives as long as
 * the tab, and not as long as whatever opened or shows it.
 */
export function createWorkspace(host: HostConnection, preferences: PreferenceStore, tabs: OpenTabs) {
	const connections = createConnections(host)

	return {
		connections,
		tabs,
		openTable(connection: TabConnection, table: string): void {
			tabs.show(tableTabId(connection, table), id => createTableTab(id, connection, table))
		},
		/** Shows what the driver tells of a table, or of the whole connection. */
		openFacts(connection: TabConnection, table?: string): void {
			const title = table === undefined ? 'Overview' : `About ${table}`
			tabs.show(`facts/${connection.id}/${table ?? ''}`, id => ({ kind: 'facts', id, title, connection, table }))
		},
		/** Opens the console, with a text added to what is there. */
		openConsole(connection: TabConnection, text?: string): void {
			const tab = tabs.show(`console/${connection.id}`, id =>
				createRoot((close): ConsoleTab => {
					const opened = createConsole({ host, preferences, connection })
					return { kind: 'console', id, title: 'Console', connection, console: opened, close }
				}),
			)
			if (text !== undefined) tab.console.append(text)
		},
	}
}
export type Workspace = ReturnType<typeof createWorkspace>
