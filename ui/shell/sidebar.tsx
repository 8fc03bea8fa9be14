import { Key } from '@solid-primitives/keyed'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import Pencil from 'lucide-solid/icons/pencil'
import Plus from 'lucide-solid/icons/plus'
import SettingsIcon from 'lucide-solid/icons/settings'
import { createMemo, type JSX, Match, Show, Switch } from 'solid-js'
import type { ConnectionView } from '../../host/ui-server/api.ts'
import { WithMenu } from '../controls/context-menu.tsx'
import { Failure } from '../controls/failure.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Notice } from '../controls/notice.tsx'
import { ProgressBar } from '../controls/progress-bar.tsx'
import { RequestTree } from '../requests/request-tree.tsx'
import type { ActiveConnection } from '../state/connections.ts'
import { connectionColour } from '../words/connection-colour.ts'
import { guardWords, shortGuard } from '../words/safe-mode.ts'
import { connectionMenu, tableMenu } from './sidebar-menus.ts'
import { TableList } from './table-list.tsx'
import type { Workspace } from './workspace.ts'

/** Connections, and under the open one its tables. */
export function Sidebar(props: {
	readonly workspace: Workspace
	/** In pixels. */
	readonly width: number
	onNew(): void
	onSettings(): void
	onEdit(connection: ConnectionView): void
	onRemove(connection: ConnectionView): void
	onVariables(connection: ConnectionView): void
}): JSX.Element {
	const activeFor = (id: string): ActiveConnection | undefined => {
		const active = props.workspace.connections.active()
		return active?.id === id ? active : undefined
	}
	const activeAs = <S extends ActiveConnection['status']>(id: string, status: S) => {
		const active = activeFor(id)
		// The status is what tells the members of the union apart.
		return active?.status === status ? (active as Extract<ActiveConnection, { status: S }>) : undefined
	}
	/** Those of no group first, then group by group. */
	const ordered = createMemo(() => inGroups(props.workspace.connections.saved()))
	const beginsGroup = (connection: ConnectionView) =>
		connection.group !== '' && ordered().find(({ group }) => group === connection.group)?.id === connection.id
	return (
		<nav class="sidebar" aria-label="Connections" style={{ width: `${props.width}px` }}>
			<header class="sidebar-head">
				<span class="brand">Roundhouse</span>
				<IconButton label="Settings" onClick={() => props.onSettings()}>
					<SettingsIcon size={16} />
				</IconButton>
				<IconButton label="New connection" onClick={() => props.onNew()}>
					<Plus size={16} />
				</IconButton>
			</header>
			<Failure of={props.workspace.connections.reading} />
			<ul class="connections">
				<Key each={ordered()} by="id" fallback={<li class="quiet sidebar-hint">No connections yet.</li>}>
					{connection => (
						<li class="connection" classList={{ open: activeFor(connection().id) !== undefined }}>
							<Show when={beginsGroup(connection())}>
								<h2 class="group-name">{connection().group}</h2>
							</Show>
							<WithMenu
								class="connection-line"
								label={connection().name}
								entries={() => connectionMenu(connection(), props.workspace, props)}
							>
								<button
									type="button"
									class="connection-name"
									aria-label={connection().name}
									title={stateWords(connection())}
									aria-expanded={activeFor(connection().id) !== undefined}
									onClick={() => props.workspace.connections.open(connection().id)}
								>
									<ChevronRight size={14} class="chevron" />
									<span class={`state state-${isInTrouble(connection()) ? 'failed' : connection().state.status}`} />
									<span class="connection-colour" style={{ background: connectionColour(connection()) }} />
									<span class="connection-text" title={connection().name}>
										{connection().name}
									</span>
								</button>
								<Show when={shortGuard(connection())}>
									{word => (
										<span
											class={`guard guard-${connection().safeMode}`}
											classList={{ production: connection().isProduction }}
											title={guardWords(connection())}
										>
											{word()}
										</span>
									)}
								</Show>
								<IconButton
									label={`Edit ${connection().name}`}
									isSmall
									isOnHover
									onClick={() => props.onEdit(connection())}
								>
									<Pencil size={13} />
								</IconButton>
							</WithMenu>
							<Switch>
								<Match when={activeAs(connection().id, 'opening')}>
									{opening => (
										<div class="sidebar-hint">
											<ProgressBar progress={opening().progress} label="Connecting" />
										</div>
									)}
								</Match>
								<Match when={activeAs(connection().id, 'failed')}>
									{failed => (
										<Notice kind="error" action={{ label: 'Try again', run: props.workspace.connections.reload }}>
											{failed().message}
										</Notice>
									)}
								</Match>
								<Match when={activeAs(connection().id, 'open')}>
									{opened => (
										<>
											<TableList
												connection={opened()}
												activeTab={props.workspace.tabs.activeId()}
												menu={table => tableMenu(opened(), table, props.workspace)}
												staged={id => props.workspace.tabs.staged(id)}
												onOpen={table => props.workspace.openTable(opened(), table)}
												onConsole={() => props.workspace.openConsole(opened())}
												onFacts={() => props.workspace.openFacts(opened())}
												onReload={props.workspace.connections.reload}
											/>
											<RequestTree
												connection={opened()}
												lists={props.workspace.requests}
												onOpen={request => void props.workspace.openRequest(opened(), request)}
												onMoved={props.workspace.moveRequests}
											/>
										</>
									)}
								</Match>
							</Switch>
						</li>
					)}
				</Key>
			</ul>
		</nav>
	)
}

function inGroups(connections: readonly ConnectionView[]): readonly ConnectionView[] {
	const groups = new Set(['', ...connections.map(({ group }) => group)])
	return [...groups].flatMap(group => connections.filter(connection => connection.group === group))
}

function isInTrouble({ state }: ConnectionView): boolean {
	return state.status === 'connected' && state.trouble !== undefined
}

function stateWords({ state }: ConnectionView): string {
	if (state.status === 'failed') return state.message
	if (state.status === 'connected' && state.trouble !== undefined) return `No answer: ${state.trouble}`
	return { closed: 'Not connected', connecting: 'Connecting …', connected: 'Connected' }[state.status]
}
