import { createMemo, For, type JSX, Show } from 'solid-js'
import { FaultBoundary } from '../controls/fault-boundary.tsx'
import { EngineProvider } from '../state/engine.tsx'
import type { TabConnection } from '../state/tab.ts'
import { connectionColour } from '../words/connection-colour.ts'
import { safeModeWords } from '../words/safe-mode.ts'
import { TabView } from './tabs/tab-kinds.tsx'
import { TabStrip } from './tabs/tab-strip.tsx'
import type { Workspace } from './workspace.ts'

/** The open tabs: their strip, each tab, and the connection of the active one. */
export function TabArea(props: { readonly workspace: Workspace }): JSX.Element {
	const active = () => props.workspace.tabs.tabs().find(({ id }) => id === props.workspace.tabs.activeId())
	return (
		<>
			<Show when={active()?.connection.view.isProduction}>
				<div class="production-bar" />
			</Show>
			<TabStrip
				tabs={props.workspace.tabs}
				onReopen={props.workspace.reopen}
				onDuplicate={tab => props.workspace.newConsole(tab.connection, tab.console.text())}
			/>
			<For each={props.workspace.tabs.tabs()}>
				{tab => {
					const isActive = () => props.workspace.tabs.activeId() === tab.id
					// A restored tab connects only when it is shown for the first time.
					const wasSeen = createMemo<boolean>(before => before || isActive(), false)
					return (
						<FaultBoundary
							what="This tab"
							wayOut={{ label: 'Close tab', run: () => props.workspace.tabs.close(tab.id) }}
							isShown={isActive()}
						>
							<EngineProvider engine={tab.connection.engine}>
								<Show when={wasSeen()}>
									<TabView
										tab={tab}
										isActive={isActive()}
										onConsole={text => props.workspace.openConsole(tab.connection, text)}
										onRows={(table, filters) =>
											props.workspace.showRows(tab.connection, {
												...{ kind: 'table', table },
												...{ filters: [...filters], match: 'all', sort: [], raw: '' },
											})
										}
										onTable={table => props.workspace.openTable(tab.connection, table)}
										onFacts={table => props.workspace.openFacts(tab.connection, table)}
									/>
								</Show>
							</EngineProvider>
						</FaultBoundary>
					)
				}}
			</For>
			<Show when={active()}>{tab => <ConnectionLine connection={tab().connection} />}</Show>
		</>
	)
}

/** Below every tab: its connection and safe mode. */
function ConnectionLine(props: { readonly connection: TabConnection }): JSX.Element {
	const view = () => props.connection.view
	return (
		<section class="connection-status" aria-label="Connection of this tab">
			<span class="connection-colour" style={{ background: connectionColour(view()) }} />
			<span class="connection-text">{props.connection.name}</span>
			<span class={`guard guard-${view().safeMode}`}>{safeModeWords[view().safeMode]}</span>
			<Show when={view().isProduction}>
				<span class="guard production">Production</span>
			</Show>
		</section>
	)
}
