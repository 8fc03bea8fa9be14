import { createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import type { ConnectionView, Manifest } from '../../host/ui-server/api.ts'
import { ConnectionForm } from '../connections/connection-form.tsx'
import { NewConnection } from '../connections/new-connection.tsx'
import { ConsentQuestions } from '../consent/consent-questions.tsx'
import { PairingQuestions } from '../consent/pairing-questions.tsx'
import { Dialog } from '../controls/dialog.tsx'
import { FaultBoundary } from '../controls/fault-boundary.tsx'
import { Notice } from '../controls/notice.tsx'
import { Settings } from '../settings/settings.tsx'
import { EngineProvider } from '../state/engine.tsx'
import { useHost, usePreferences } from '../state/host.tsx'
import { askBeforeLeaving } from '../state/leaving.ts'
import { createTask } from '../state/task.ts'
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
	askBeforeLeaving(tabs.hasStaged)
	return (
		<>
			<FaultBoundary what="The window" wayOut={{ label: 'Load the window anew', run: () => location.reload() }}>
				<Desk tabs={tabs} />
			</FaultBoundary>
			<FaultBoundary what="The question of an AI client">
				<ConsentQuestions />
			</FaultBoundary>
			<FaultBoundary what="The question of a program">
				<PairingQuestions />
			</FaultBoundary>
		</>
	)
}

type Sheet =
	| { readonly what: 'new' | 'settings' }
	| { readonly what: 'edit'; readonly connection: ConnectionView; readonly manifest: Manifest }

/** Connections and tables to the left, tabs in the middle, the row to the right; sheets above them. */
function Desk(props: { readonly tabs: OpenTabs }): JSX.Element {
	const host = useHost()
	const workspace = createWorkspace(host, usePreferences(), props.tabs)
	const { connections, tabs } = workspace
	const [sheet, setSheet] = createSignal<Sheet>()
	const [isLost, setLost] = createSignal(false)
	host.onLost(() => setLost(true))
	const close = () => setSheet(undefined)

	const editing = createTask(async (call, connection: ConnectionView) => {
		const { offers } = await host.call('drivers.browse', {}, call)
		const manifest = offers.find(offer => offer.manifest.id === connection.driverId)?.manifest
		if (!manifest) throw new Error(`The driver of ${connection.name} is not installed, and no registry has it.`)
		setSheet({ what: 'edit', connection, manifest })
	})

	return (
		<div class="app">
			<Sidebar
				workspace={workspace}
				onNew={() => setSheet({ what: 'new' })}
				onSettings={() => setSheet({ what: 'settings' })}
				onEdit={connection => void editing.run(connection)}
			/>
			<main class="main">
				<Show when={isLost()}>
					<Notice kind="error">
						Roundhouse stopped. Start it again and reload this window; nothing is saved until then.
					</Notice>
				</Show>
				<Show when={editing.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
				<Show
					when={tabs.tabs().length > 0}
					fallback={<Welcome hasConnections={connections.saved().length > 0} onNew={() => setSheet({ what: 'new' })} />}
				>
					<TabStrip
						tabs={tabs.tabs()}
						active={tabs.activeId()}
						staged={tabs.staged}
						onActivate={tabs.activate}
						onClose={tabs.close}
					/>
					<For each={tabs.tabs()}>
						{tab => {
							const isActive = () => tabs.activeId() === tab.id
							return (
								<FaultBoundary
									what="This tab"
									wayOut={{ label: 'Close tab', run: () => tabs.close(tab.id) }}
									isShown={isActive()}
								>
									<EngineProvider engine={tab.connection.engine}>
										<TabView
											tab={tab}
											isActive={isActive()}
											onStaged={count => tabs.noteStaged(tab.id, count)}
											onConsole={text => workspace.openConsole(tab.connection, text)}
											onFacts={table => workspace.openFacts(tab.connection, table)}
										/>
									</EngineProvider>
								</FaultBoundary>
							)
						}}
					</For>
				</Show>
			</main>
			<Switch>
				<Match when={sheet()?.what === 'new'}>
					<NewConnection
						onClose={close}
						onSaved={id => {
							close()
							connections.open(id)
						}}
					/>
				</Match>
				<Match when={sheet()?.what === 'settings'}>
					<Settings onClose={close} />
				</Match>
				<Match when={editOf(sheet())} keyed>
					{({ connection, manifest }) => (
						<Dialog title={`Edit ${connection.name}`} size="wide" onClose={close}>
							<ConnectionForm manifest={manifest} connection={connection} onBack={close} onSaved={close} />
						</Dialog>
					)}
				</Match>
			</Switch>
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

const editOf = (sheet: Sheet | undefined) => (sheet?.what === 'edit' ? sheet : undefined)
