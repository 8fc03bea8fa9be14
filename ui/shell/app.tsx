import { createEffect, createMemo, createSignal, For, type JSX, Match, on, Show, Switch } from 'solid-js'
import type { ConnectionView, Manifest } from '../../host/ui-server/api.ts'
import { ConnectionForm } from '../connections/connection-form.tsx'
import { NewConnection } from '../connections/new-connection.tsx'
import { RemoveConnection } from '../connections/remove-connection.tsx'
import { ConsentQuestions } from '../consent/consent-questions.tsx'
import { PairingQuestions } from '../consent/pairing-questions.tsx'
import { Dialog } from '../controls/dialog.tsx'
import { FaultBoundary } from '../controls/fault-boundary.tsx'
import { Notice } from '../controls/notice.tsx'
import { Splitter } from '../controls/splitter.tsx'
import { Toasts } from '../controls/toasts.tsx'
import { VariablesSheet } from '../requests/variables-sheet.tsx'
import { Settings } from '../settings/settings.tsx'
import { CommandsProvider, createCommands, useAllCommands, useCommands } from '../state/commands.tsx'
import { EngineProvider } from '../state/engine.tsx'
import { useHost, usePreferences, useRecords } from '../state/host.tsx'
import { askBeforeLeaving } from '../state/leaving.ts'
import { createPaneSize } from '../state/pane-size.ts'
import { createTask } from '../state/task.ts'
import { keysText } from '../words/keys.ts'
import { destinationsOf } from './commands/destinations.tsx'
import { Palette, QuickOpen } from './commands/palette.tsx'
import { goToWorkOnceDrawn } from './commands/panes.ts'
import { shellCommands } from './commands/shell-commands.ts'
import { ConnectionLine } from './connection-line.tsx'
import { keepTabs } from './kept-tabs.ts'
import { tellShowings } from './showings.ts'
import { Sidebar } from './sidebar.tsx'
import { CloseTab } from './tabs/close-tab.tsx'
import { createOpenTabs, type OpenTabs } from './tabs/open-tabs.ts'
import { TabView } from './tabs/tab-kinds.tsx'
import { TabStrip } from './tabs/tab-strip.tsx'
import { Welcome } from './welcome.tsx'
import { createWorkspace } from './workspace.ts'

/** Everything that the person sees. The questions of AI clients stand apart: they must show whatever else breaks. */
export function App(): JSX.Element {
	// Above what may break: what is staged in them is not lost with what shows them.
	const tabs = createOpenTabs()
	const commands = createCommands()
	// All that is staged or typed is with the host a moment later.
	askBeforeLeaving(useRecords().flush)
	return (
		<CommandsProvider commands={commands}>
			<FaultBoundary what="The window" wayOut={{ label: 'Load the window anew', run: () => location.reload() }}>
				<Desk tabs={tabs} />
			</FaultBoundary>
			<FaultBoundary what="The question of an AI client">
				<ConsentQuestions />
			</FaultBoundary>
			<FaultBoundary what="The question of a program">
				<PairingQuestions />
			</FaultBoundary>
			<Toasts />
		</CommandsProvider>
	)
}

type Sheet =
	| { readonly what: 'new' | 'settings' | 'palette' | 'open' }
	| { readonly what: 'remove' | 'variables'; readonly connection: ConnectionView }
	| { readonly what: 'edit'; readonly connection: ConnectionView; readonly manifest: Manifest }

/** Connections and tables to the left, tabs in the middle, the row to the right; sheets above them. */
function Desk(props: { readonly tabs: OpenTabs }): JSX.Element {
	const host = useHost()
	const preferences = usePreferences()
	const records = useRecords()
	const workspace = createWorkspace({ host, preferences, records }, props.tabs)
	keepTabs(records, workspace)
	tellShowings(host, workspace)
	const { connections, tabs } = workspace
	const groups = () => [...new Set(connections.saved().flatMap(({ group }) => group || []))]
	const [sheet, setSheet] = createSignal<Sheet>()
	const [isLost, setLost] = createSignal(false)
	host.onLost(() => setLost(true))
	host.onBack(() => setLost(false))
	const close = () => setSheet(undefined)
	createEffect(on(tabs.activeId, id => id !== undefined && goToWorkOnceDrawn(), { defer: true }))
	const [isFolded, setFolded] = createSignal(preferences.get('sidebar/folded') === true)
	createEffect(() => preferences.set('sidebar/folded', isFolded()))
	const sidebarSize = createPaneSize(preferences, 'sidebar/width', { least: 160, most: 560, initial: 264 })
	const { begun } = useAllCommands()
	useCommands(() =>
		shellCommands({
			workspace,
			preferences,
			show: what => setSheet({ what }),
			toggleSidebar: () => setFolded(is => !is),
		}),
	)

	const editing = createTask(async (call, connection: ConnectionView) => {
		const { offers } = await host.call('drivers.browse', {}, call)
		const manifest = offers.find(offer => offer.manifest.id === connection.driverId)?.manifest
		if (!manifest) throw new Error(`The driver of ${connection.name} is not installed, and no registry has it.`)
		setSheet({ what: 'edit', connection, manifest })
	})

	return (
		<div class="app" classList={{ folded: isFolded() }}>
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
			<main class="main">
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
							hasConnections={connections.saved().length > 0}
							open={connections.active()}
							onNew={() => setSheet({ what: 'new' })}
						/>
					}
				>
					<TabStrip
						tabs={tabs}
						onReopen={workspace.reopen}
						onDuplicate={tab => workspace.newConsole(tab.connection, tab.console.text())}
					/>
					<For each={tabs.tabs()}>
						{tab => {
							const isActive = () => tabs.activeId() === tab.id
							// One that was open before connects when it is looked at, and not before.
							const wasSeen = createMemo<boolean>(before => before || isActive(), false)
							return (
								<FaultBoundary
									what="This tab"
									wayOut={{ label: 'Close tab', run: () => tabs.close(tab.id) }}
									isShown={isActive()}
								>
									<EngineProvider engine={tab.connection.engine}>
										<Show when={wasSeen()}>
											<TabView
												tab={tab}
												isActive={isActive()}
												onConsole={text => workspace.openConsole(tab.connection, text)}
												onFacts={table => workspace.openFacts(tab.connection, table)}
											/>
										</Show>
									</EngineProvider>
								</FaultBoundary>
							)
						}}
					</For>
					<Show when={tabs.tabs().find(({ id }) => id === tabs.activeId())}>
						{tab => <ConnectionLine connection={tab().connection} />}
					</Show>
				</Show>
			</main>
			<Switch>
				<Match when={sheet()?.what === 'new'}>
					<NewConnection
						groups={groups()}
						onClose={close}
						onSaved={id => {
							close()
							connections.open(id)
						}}
					/>
				</Match>
				<Match when={sheet()?.what === 'palette'}>
					<Palette onClose={close} />
				</Match>
				<Match when={sheet()?.what === 'open'}>
					<QuickOpen picks={destinationsOf(workspace)} onClose={close} />
				</Match>
				<Match when={sheet()?.what === 'settings'}>
					<Settings onClose={close} />
				</Match>
				<Match when={removalOf(sheet())}>
					{removal => (
						<RemoveConnection
							connection={removal().connection}
							open={workspace.openOn(removal().connection.id)}
							onClose={close}
						/>
					)}
				</Match>
				<Match when={variablesOf(sheet())}>
					{shown => <VariablesSheet connection={shown().connection} used={[]} onClose={close} />}
				</Match>
				<Match when={editOf(sheet())} keyed>
					{({ connection, manifest }) => (
						<Dialog title={`Edit ${connection.name}`} size="wide" onClose={close}>
							<ConnectionForm
								manifest={manifest}
								connection={connection}
								groups={groups()}
								onBack={close}
								onSaved={() => {
									close()
									// What was open on it goes on with the new settings.
									if (connection.state.status !== 'closed') connections.open(connection.id)
								}}
							/>
						</Dialog>
					)}
				</Match>
			</Switch>
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

const removalOf = (sheet: Sheet | undefined) => (sheet?.what === 'remove' ? sheet : undefined)
const variablesOf = (sheet: Sheet | undefined) => (sheet?.what === 'variables' ? sheet : undefined)
const editOf = (sheet: Sheet | undefined) => (sheet?.what === 'edit' ? sheet : undefined)
