import Database from 'lucide-solid/icons/database'
import { createSignal, ErrorBoundary, For, type JSX, Match, Show, Switch } from 'solid-js'
import type { ConnectionView, Manifest } from '../../host/ui-server/api.ts'
import { ConnectionForm } from '../connections/connection-form.tsx'
import { NewConnection } from '../connections/new-connection.tsx'
import { ConsentQuestions } from '../consent/consent-questions.tsx'
import { PairingQuestions } from '../consent/pairing-questions.tsx'
import { ConsoleTab } from '../console/console-tab.tsx'
import { Dialog } from '../controls/dialog.tsx'
import { Notice } from '../controls/notice.tsx'
import { TableTab } from '../grid/table-tab.tsx'
import { Settings } from '../settings/settings.tsx'
import { EngineProvider } from '../state/engine.tsx'
import { messageOf, useHost } from '../state/host.tsx'
import { askBeforeLeaving } from '../state/leaving.ts'
import { createWorkspace } from '../state/workspace.ts'
import { CloseTab } from './close-tab.tsx'
import { Sidebar } from './sidebar.tsx'
import { Tabs } from './tabs.tsx'

type Open =
	| { readonly what: 'new' | 'settings' }
	| { readonly what: 'edit'; readonly connection: ConnectionView; readonly manifest: Manifest }

/** The window: connections and tables to the left, tabs in the middle, the row to the right. */
export function App(): JSX.Element {
	const host = useHost()
	const control = createWorkspace(host)
	const { workspace } = control
	const [dialog, setDialog] = createSignal<Open>()
	const [isLost, setLost] = createSignal(false)
	host.onLost(() => setLost(true))
	const close = () => setDialog(undefined)
	askBeforeLeaving(() => Object.values(workspace.staged).some(count => count > 0))

	async function edit(connection: ConnectionView): Promise<void> {
		const { offers } = await host.call('drivers.browse', {})
		const manifest = offers.find(offer => offer.manifest.id === connection.driverId)?.manifest
		if (manifest) setDialog({ what: 'edit', connection, manifest })
	}

	return (
		<div class="app">
			<Sidebar
				control={control}
				onNew={() => setDialog({ what: 'new' })}
				onSettings={() => setDialog({ what: 'settings' })}
				onEdit={connection => void edit(connection)}
			/>
			<main class="main">
				<Show when={isLost()}>
					<Notice kind="error">
						Roundhouse stopped. Start it again and reload this window; nothing is saved until then.
					</Notice>
				</Show>
				<Show
					when={workspace.tabs.length > 0}
					fallback={
						<Welcome hasConnections={workspace.connections.length > 0} onNew={() => setDialog({ what: 'new' })} />
					}
				>
					<Tabs
						tabs={workspace.tabs}
						active={workspace.activeTab}
						staged={workspace.staged}
						onActivate={control.activateTab}
						onClose={control.closeTab}
					/>
					<For each={workspace.tabs}>
						{tab => {
							const isActive = () => workspace.activeTab === tab.id
							return (
								<ErrorBoundary
									fallback={(error, reset) => <Broken error={error} isShown={isActive()} onRetry={reset} />}
								>
									<EngineProvider engine={tab.engine}>
										<Show
											when={tab.kind === 'console'}
											fallback={
												<TableTab
													tab={tab}
													isActive={isActive()}
													onConsole={text => control.openConsole({ id: tab.connection, engine: tab.engine }, text)}
													onStaged={count => control.noteStaged(tab.id, count)}
												/>
											}
										>
											<ConsoleTab
												connection={tab.connection}
												isActive={isActive()}
												takeText={() => control.takeForConsole(tab.connection)}
											/>
										</Show>
									</EngineProvider>
								</ErrorBoundary>
							)
						}}
					</For>
				</Show>
			</main>
			<Switch>
				<Match when={dialog()?.what === 'new'}>
					<NewConnection
						onClose={close}
						onSaved={id => {
							close()
							void control.open(id)
						}}
					/>
				</Match>
				<Match when={dialog()?.what === 'settings'}>
					<Settings onClose={close} />
				</Match>
				<Match when={editOf(dialog())} keyed>
					{({ connection, manifest }) => (
						<Dialog title={`Edit ${connection.name}`} size="wide" onClose={close}>
							<ConnectionForm manifest={manifest} connection={connection} onBack={close} onSaved={close} />
						</Dialog>
					)}
				</Match>
			</Switch>
			<Show when={workspace.closing}>
				{tab => (
					<CloseTab
						tab={tab()}
						staged={workspace.staged[tab().id] ?? 0}
						onKeep={control.keepTab}
						onDiscard={() => control.discardTab(tab().id)}
					/>
				)}
			</Show>
			<ConsentQuestions />
			<PairingQuestions />
		</div>
	)
}

const editOf = (open: Open | undefined) => (open?.what === 'edit' ? open : undefined)

/** A fault of one tab is no fault of the others. */
function Broken(props: { readonly error: unknown; readonly isShown: boolean; onRetry(): void }): JSX.Element {
	return (
		<Show when={props.isShown}>
			<Notice kind="error" action={{ label: 'Open it again', run: () => props.onRetry() }}>
				This tab broke: {messageOf(props.error)}
			</Notice>
		</Show>
	)
}

function Welcome(props: { readonly hasConnections: boolean; onNew(): void }): JSX.Element {
	return (
		<div class="empty">
			<Database size={36} strokeWidth={1.25} />
			<Show
				when={props.hasConnections}
				fallback={
					<>
						<h1>Nothing connected yet</h1>
						<p>Choose an engine, and Roundhouse fetches its driver. No server at hand? Some engines bring a sample.</p>
						<button type="button" class="button primary" onClick={() => props.onNew()}>
							New connection
						</button>
					</>
				}
			>
				<h1>Choose a table</h1>
				<p>Open a connection on the left, then one of its tables.</p>
			</Show>
		</div>
	)
}
