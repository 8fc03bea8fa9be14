import { createSignal } from 'solid-js'
import { createStore } from 'solid-js/store'
import type { ConnectionView, ServerInfo, SessionState, Table } from '../../host/ui-server/api.ts'
import type { HostConnection, Progress } from '../api/client.ts'
import type { Engine } from './engine.tsx'
import { messageOf } from './host.tsx'

/** What the window is working on: the saved connections and the tabs. */
export interface Workspace {
	connections: readonly ConnectionView[]
	tabs: readonly Tab[]
	activeTab: string | undefined
	/** How many changes of each tab are staged and not saved. */
	staged: Record<string, number>
	/** The tab that is to be closed with staged changes in it, until the person has said what becomes of them. */
	closing: Tab | undefined
	/** Text that waits to be put into a console. */
	forConsole: { readonly connection: string; readonly text: string } | undefined
}

export type ActiveConnection = OpeningConnection | OpenConnection | FailedConnection

interface OpeningConnection {
	readonly status: 'opening'
	readonly id: string
	readonly progress?: Progress
}

export interface OpenConnection {
	readonly status: 'open'
	readonly id: string
	readonly info: ServerInfo
	readonly tables: readonly Table[]
	readonly engine: Engine
}

interface FailedConnection {
	readonly status: 'failed'
	readonly id: string
	readonly message: string
}

/** What a tab is opened on. */
type OnConnection = Pick<OpenConnection, 'id' | 'engine'>

export interface Tab {
	readonly id: string
	readonly kind: 'table' | 'console'
	readonly connection: string
	readonly connectionName: string
	readonly engine: Engine
	/** Of a table, its name. */
	readonly title: string
}

export function createWorkspace(host: HostConnection) {
	const [workspace, set] = createStore<Workspace>({
		connections: [],
		tabs: [],
		activeTab: undefined,
		staged: {},
		closing: undefined,
		forConsole: undefined,
	})
	const [active, setActive] = createSignal<ActiveConnection>()

	async function refresh(): Promise<void> {
		set('connections', await host.call('connections.list', {}))
	}

	/** Opens a connection; a missing driver is installed on the way, with its progress shown. */
	async function open(id: string): Promise<void> {
		setActive({ id, status: 'opening' })
		const isCurrent = () => active()?.id === id
		try {
			const onProgress = (progress: Progress) => isCurrent() && setActive({ id, status: 'opening', progress })
			const { info, manifest } = await host.call('connections.open', { id }, { onProgress })
			const tables = await host.call('tables.list', { connection: id })
			if (isCurrent()) setActive({ id, status: 'open', info, tables, engine: manifest })
		} catch (error) {
			if (isCurrent()) setActive({ id, status: 'failed', message: messageOf(error) })
		}
	}

	async function reloadTables(): Promise<void> {
		const id = active()?.id
		if (id) await open(id)
	}

	function openTab(kind: Tab['kind'], { id: connection, engine }: OnConnection, title: string): void {
		const id = `${kind}/${connection}/${title}`
		const connectionName = workspace.connections.find(saved => saved.id === connection)?.name ?? ''
		if (!workspace.tabs.some(tab => tab.id === id)) {
			set('tabs', tabs => [...tabs, { id, kind, connection, connectionName, engine, title }])
		}
		set('activeTab', id)
	}

	/** Closes a tab; one with staged changes waits for the person's word. */
	function closeTab(id: string): void {
		if ((workspace.staged[id] ?? 0) === 0) return discardTab(id)
		set(
			'closing',
			workspace.tabs.find(tab => tab.id === id),
		)
	}

	function discardTab(id: string): void {
		set({ closing: undefined })
		noteStaged(id, 0)
		const index = workspace.tabs.findIndex(tab => tab.id === id)
		const tabs = workspace.tabs.filter(tab => tab.id !== id)
		if (workspace.activeTab === id) set('activeTab', (tabs[index] ?? tabs[index - 1])?.id)
		set('tabs', tabs)
	}

	function noteStaged(id: string, count: number): void {
		set('staged', id, count)
	}

	function onSessionState(connection: string, state: SessionState): void {
		set('connections', all => all.map(saved => (saved.id === connection ? { ...saved, state } : saved)))
	}

	host.on('connections.changed', () => void refresh())
	host.on('session.state', ({ connection, state }) => onSessionState(connection, state))
	void refresh()
	return {
		workspace,
		/** The connection whose tables show. */
		active,
		open,
		reloadTables,
		openTable: (connection: OnConnection, table: string) => openTab('table', connection, table),
		/** Opens the console, with a text added to what is there. */
		openConsole(connection: OnConnection, text?: string): void {
			if (text !== undefined) set('forConsole', { connection: connection.id, text })
			openTab('console', connection, 'Console')
		},
		/** The text that waits for a console, once. */
		takeForConsole(connection: string): string | undefined {
			const waiting = workspace.forConsole
			if (waiting?.connection !== connection) return undefined
			set('forConsole', undefined)
			return waiting.text
		},
		closeTab,
		discardTab,
		keepTab: () => set('closing', undefined),
		noteStaged,
		activateTab: (id: string) => set('activeTab', id),
	}
}
export type WorkspaceControl = ReturnType<typeof createWorkspace>
