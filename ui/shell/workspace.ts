import { createRoot } from 'solid-js'
import type { HostConnection } from '../api/client.ts'
import { createConsole } from '../console/console.ts'
import type { ConsoleTab } from '../console/console-tab.tsx'
import type { TableTab } from '../grid/table-tab.tsx'
import { createConnections } from '../state/connections.ts'
import type { PreferenceStore } from '../state/preferences.ts'
import type { TabConnection } from '../state/tab.ts'
import { createOpenTabs } from './tabs/open-tabs.ts'

/** What the window is working on: its connections, and the tabs that are opened on them. */
export function createWorkspace(host: HostConnection, preferences: PreferenceStore) {
	const connections = createConnections(host)
	const tabs = createOpenTabs()

	return {
		connections,
		tabs,
		openTable(connection: TabConnection, table: string): void {
			tabs.show(
				`table/${connection.id}/${table}`,
				(id): TableTab => ({ kind: 'table', id, title: table, connection, table }),
			)
		},
		/** Opens the console, with a text added to what is there. */
		openConsole(connection: TabConnection, text?: string): void {
			const tab = tabs.show(`console/${connection.id}`, id =>
				// It lives as long as its tab, and not as long as whatever opened it.
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
