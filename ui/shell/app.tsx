import { createEffect, createSignal, type JSX, on, Show } from 'solid-js'
import type { ConnectionView } from '../../host/api/api.ts'
import { UndoSheet } from '../ai-access/undo-sheet.tsx'
import { ConsentQuestions } from '../consent/consent-questions.tsx'
import { PairingQuestions } from '../consent/pairing-questions.tsx'
import { FaultBoundary } from '../controls/fault-boundary.tsx'
import { keepFocusIn } from '../controls/focus-return.ts'
import { Notice } from '../controls/notice.tsx'
import { Splitter } from '../controls/splitter.tsx'
import { reportInterrupted } from '../exports/interrupted.ts'
import { CommandsProvider, createCommands, useAllCommands, useCommands } from '../state/commands.tsx'
import { useHost, usePreferences, useRecords } from '../state/host.tsx'
import { askBeforeLeaving } from '../state/leaving.ts'
import { createPaneSize } from '../state/pane-size.ts'
import { createTask } from '../state/task.ts'
import { tellOutdated } from '../table/edit/shared-saves.ts'
import { TableActionsSheet } from '../tables/table-actions.tsx'
import { keysText } from '../words/keys.ts'
import { type ClientChange, reportClientChanges } from './client-changes.ts'
import { goToWorkOnceDrawn } from './commands/panes.ts'
import { shellCommands } from './commands/shell-commands.ts'
import { DevelopmentBanner } from './development-banner.tsx'
import { keepTabs } from './kept-tabs.ts'
import { Rail } from './rail.tsx'
import { keepRecentTables } from './recent-tables.ts'
import { type Sheet, Sheets } from './sheets.tsx'
import { reportShowings } from './showings.ts'
import { Sidebar } from './sidebar.tsx'
import { createSidebarFold } from './sidebar-fold.ts'
import { StatusLine } from './status-line.tsx'
import { TabArea } from './tab-area.tsx'
import { CloseTab } from './tabs/close-tab.tsx'
import { createOpenTabs, type OpenTabs } from './tabs/open-tabs.ts'
import { UpdateNotice } from './update-notice.tsx'
import { Welcome } from './welcome.tsx'
import { createWorkspace } from './workspace.ts'

/**
 * The whole window. Questions of AI clients have a separate fault boundary, so that they are shown even if another part
 * of the window fails.
 */
export function App(): JSX.Element {
	// Created outside of the fault boundary, so that staged changes are not lost if their view fails.
	const tabs = createOpenTabs()
	const commands = createCommands()
	// All staged and typed text reaches the host a moment later.
	askBeforeLeaving(useRecords().flush)
	return (
		<CommandsProvider commands={commands}>
			<FaultBoundary what="The window" recoveryAction={{ label: 'Reload the window', run: () => location.reload() }}>
				<Desk tabs={tabs} />
			</FaultBoundary>
			<FaultBoundary what="Question from an AI client">
				<ConsentQuestions />
			</FaultBoundary>
			<FaultBoundary what="Question from a program">
				<PairingQuestions />
			</FaultBoundary>
			<StatusLine connection={tabs.active()?.connection} database={tabs.active()?.database?.()} />
		</CommandsProvider>
	)
}

/**
 * The layout of the window: connections and tables on the left, tabs in the middle, the row panel on the right, dialogs
 * on top.
 */
function Desk(props: { readonly tabs: OpenTabs }): JSX.Element {
	const host = useHost()
	const preferences = usePreferences()
	const records = useRecords()
	const workspace = createWorkspace({ host, preferences, records }, props.tabs)
	keepTabs(records, workspace)
	keepRecentTables(records, workspace)
	const { tabs } = workspace
	const [sheet, setSheet] = createSignal<Sheet>()
	reportShowings(host, workspace, proposed => {
		void workspace.openRequest(proposed.connection, proposed.request)
		setSheet({ what: 'offer', noun: proposed.connection.engine.console.noun.one, ...proposed })
	})
	const [undoing, setUndoing] = createSignal<ClientChange>()
	reportClientChanges(host, setUndoing)
	reportInterrupted(host, records)
	/** The change, and its connection if that still exists. */
	const undone = () => {
		const connection = workspace.connections.of(undoing()?.connection ?? '')
		return connection && { connection, change: undoing()?.change ?? '' }
	}
	const [isLost, setLost] = createSignal(false)
	host.onLost(() => setLost(true))
	host.onReconnected(() => setLost(false))
	createEffect(on(tabs.activeId, id => id !== undefined && goToWorkOnceDrawn(id), { defer: true }))
	const fold = createSidebarFold(preferences, tabs)
	const sidebarSize = createPaneSize(preferences, 'sidebar/width', { least: 160, most: 560, initial: 264 })
	const { begun } = useAllCommands()
	useCommands(() =>
		shellCommands({
			workspace,
			preferences,
			show: what => setSheet({ what }),
			toggleSidebar: fold.toggle,
		}).map(command => ({ ...command, isOfWindow: true })),
	)

	const editing = createTask(async (call, connection: ConnectionView) => {
		const { offers } = await host.call('drivers.browse', {}, call)
		const manifest = offers.find(offer => offer.manifest.id === connection.driverId)?.manifest
		if (!manifest) throw new Error(`The driver of ${connection.name} is not installed, and no registry offers it.`)
		setSheet({ what: 'edit', connection, manifest })
	})

	return (
		<div class="app" classList={{ folded: fold.isFolded() }}>
			<Show when={fold.isFolded()}>
				<Rail
					connections={workspace.connections.saved()}
					active={tabs.active()?.connection.id}
					onOpen={connection => {
						workspace.connections.open(connection)
						fold.toggle()
					}}
					onUnfold={fold.toggle}
					onNew={() => setSheet({ what: 'new' })}
					onSettings={() => setSheet({ what: 'settings' })}
				/>
			</Show>
			<Sidebar
				workspace={workspace}
				width={sidebarSize.value()}
				onNew={() => setSheet({ what: 'new' })}
				onSettings={() => setSheet({ what: 'settings' })}
				onRemove={connection => setSheet({ what: 'remove', connection })}
				onVariables={connection => setSheet({ what: 'variables', connection })}
				onEdit={connection => void editing.run(connection)}
			/>
			<Splitter label="Width of the sidebar" size={sidebarSize} of="before" />
			<main class="main" ref={keepFocusIn}>
				<DevelopmentBanner />
				<UpdateNotice />
				<Show when={isLost()}>
					<Notice kind="error">
						Roundhouse stopped. Start it again, and this window goes on; nothing is saved until then.
					</Notice>
				</Show>
				<Show when={editing.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
				<Show
					when={tabs.tabs().length > 0}
					fallback={
						<Welcome
							workspace={workspace}
							onNew={step => setSheet({ what: 'new', ...(step && { step }) })}
							onImport={() => setSheet({ what: 'settings', page: 'general' })}
							onAiClient={() => setSheet({ what: 'settings', page: 'ai' })}
						/>
					}
				>
					<TabArea workspace={workspace} />
				</Show>
			</main>
			<Sheets sheet={sheet()} workspace={workspace} onClose={() => setSheet(undefined)} onUndo={setUndoing} />
			<Show when={workspace.tableActions()} keyed>
				{({ connection, table, isRemoval }) => (
					<TableActionsSheet
						connection={connection}
						table={table}
						isRemoval={isRemoval}
						onConsole={text => workspace.openConsole(connection, text)}
						onDone={() => {
							if (isRemoval) workspace.closeTable(connection, table)
							workspace.tablesChanged(connection)
						}}
						onClose={workspace.closeTableActions}
					/>
				)}
			</Show>
			<Show when={undone()} keyed>
				{({ connection, change }) => (
					<UndoSheet
						connection={connection}
						change={change}
						onClose={() => setUndoing(undefined)}
						onUndone={table => tellOutdated(records, { connection: connection.id, table })}
					/>
				)}
			</Show>
			<p class="begun-keys" role="status">
				<Show when={begun()}>{keys => `${keysText(keys())}, and then?`}</Show>
			</p>
			<Show when={tabs.closing()}>
				{tab => (
					<CloseTab
						tab={tab()}
						staged={tabs.staged(tab().id)}
						onKeep={tabs.keep}
						onDiscard={() => tabs.discard(tab().id)}
					/>
				)}
			</Show>
		</div>
	)
}
