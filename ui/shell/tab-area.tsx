import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { FaultBoundary } from '../controls/fault-boundary.tsx'
import { Splitter } from '../controls/splitter.tsx'
import { StatementLanguageProvider } from '../controls/statement-text.tsx'
import { EngineProvider } from '../state/engine.tsx'
import { usePreferences } from '../state/host.tsx'
import { createPaneSize } from '../state/pane-size.ts'
import { createTabDrag } from './tabs/tab-drag.ts'
import { type Tab, TabView } from './tabs/tab-kinds.tsx'
import type { PaneSide } from './tabs/tab-panes.ts'
import { TabStrip } from './tabs/tab-strip.tsx'
import type { Workspace } from './workspace.ts'

/** The open tabs in one or two panes: a strip for each pane, and each tab. */
export function TabArea(props: { readonly workspace: Workspace }): JSX.Element {
	const { tabs } = props.workspace
	const { panes } = tabs
	const shown = () => tabs.tabs().filter(({ id }) => panes.isFront(id))
	const size = createPaneSize(usePreferences(), 'panes/split', { least: 20, most: 80, initial: 50 })
	const [area, setArea] = createSignal<HTMLElement>()
	const drag = createTabDrag({ area, isSplit: panes.isSplit, share: size.value, onDrop: panes.moveTo })
	const Strip = (strip: { readonly side?: PaneSide }) => (
		<div class={`pane-strip pane-${strip.side ?? 'left'}`} onFocusIn={() => strip.side && panes.focus(strip.side)}>
			<TabStrip
				tabs={tabs}
				side={strip.side}
				onDrag={drag.begin}
				onReopen={props.workspace.reopen}
				onNewConsole={() => {
					const connection = props.workspace.currentConnection()
					if (connection) props.workspace.newConsole(connection)
				}}
				onDuplicate={({ connection, console }) =>
					props.workspace.newConsole(connection, console.text(), console.namespace())
				}
			/>
		</div>
	)
	return (
		<>
			<Show when={shown().some(({ connection }) => connection.view.isProduction)}>
				<div class="production-bar" />
			</Show>
			{/* biome-ignore lint/a11y/noStaticElementInteractions: a tab moves by its menu and by keys too */}
			<div
				ref={setArea}
				class="panes"
				classList={{
					split: panes.isSplit(),
					'drop-left': drag.target() === 'left',
					'drop-right': drag.target() === 'right',
				}}
				style={{ '--left': `${size.value()}%` }}
				onDragOver={drag.onDragOver}
				onDragLeave={drag.onDragLeave}
				onDrop={drag.onDrop}
			>
				<Show when={panes.isSplit()} fallback={<Strip />}>
					<Strip side="left" />
					<div class="pane-splitter">
						<Splitter
							label="Width of the left pane"
							size={size}
							of="before"
							unit={() => (area()?.clientWidth ?? 0) / 100}
						/>
					</div>
					<Strip side="right" />
				</Show>
				<For each={tabs.tabs()}>{tab => <PlacedTab tab={tab} workspace={props.workspace} />}</For>
			</div>
		</>
	)
}

/** A tab at the place of its pane. It stays the same element when it moves to the other pane, so nothing is read again. */
function PlacedTab(props: { readonly tab: Tab; readonly workspace: Workspace }): JSX.Element {
	const { workspace, tab } = props
	const { tabs } = workspace
	const isShown = () => tabs.panes.isFront(tab.id)
	// A restored tab connects only when it is shown for the first time.
	const wasSeen = createMemo<boolean>(before => before || isShown(), false)
	return (
		<div
			class="tab-view"
			classList={{ hidden: !isShown(), 'pane-right': tabs.panes.sideOf(tab.id) === 'right' }}
			data-view={tab.id}
			onFocusIn={() => tabs.panes.focus(tabs.panes.sideOf(tab.id))}
			onPointerDown={() => tabs.panes.focus(tabs.panes.sideOf(tab.id))}
		>
			<FaultBoundary
				what="This tab"
				recoveryAction={{ label: 'Close tab', run: () => tabs.close(tab.id) }}
				isShown={isShown()}
			>
				<EngineProvider engine={tab.connection.engine}>
					<StatementLanguageProvider language={tab.connection.engine.console}>
						<Show when={wasSeen()}>
							<TabView
								tab={tab}
								isShown={isShown()}
								isActive={tabs.activeId() === tab.id}
								onConsole={text => workspace.openConsole(tab.connection, text, databaseOf(tab))}
								onRows={(table, filters) =>
									workspace.showRows(tab.connection, {
										kind: 'table',
										table,
										filters: [...filters],
										match: 'all',
										sort: [],
										raw: '',
									})
								}
								onRowsApart={(table, view) => workspace.showView(tab.connection, { table, view }, tab.id)}
								onViewLink={workspace.askAboutLink}
								onTable={table => workspace.openTable(tab.connection, table)}
								onImport={table => workspace.importRows(tab.connection, table)}
								onFacts={table => workspace.openFacts(tab.connection, table)}
								onTableForm={place => workspace.openTableForm(tab.connection, place)}
								onMade={made => workspace.openMade(tab.connection, made)}
								onRenamed={(before, after) => void workspace.tableRenamed(tab.connection, before, after)}
								onClose={() => tabs.close(tab.id)}
							/>
						</Show>
					</StatementLanguageProvider>
				</EngineProvider>
			</FaultBoundary>
		</div>
	)
}

/** The database of the table that a tab shows, if that is not the one of its connection. */
function databaseOf(tab: Tab): string | undefined {
	if (tab.kind === 'form') return tab.database()
	const { place, connection } = tab
	const table = place.kind === 'table' || place.kind === 'facts' ? place.table : undefined
	return table === undefined ? undefined : connection.table(table)?.database
}
