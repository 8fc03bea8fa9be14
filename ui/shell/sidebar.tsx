import ChevronRight from 'lucide-solid/icons/chevron-right'
import Pencil from 'lucide-solid/icons/pencil'
import Plus from 'lucide-solid/icons/plus'
import SettingsIcon from 'lucide-solid/icons/settings'
import { For, type JSX, Match, Switch } from 'solid-js'
import type { ConnectionView } from '../../host/ui-server/api.ts'
import { Failure } from '../controls/failure.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Notice } from '../controls/notice.tsx'
import { ProgressBar } from '../controls/progress-bar.tsx'
import type { ActiveConnection } from '../state/connections.ts'
import { TableList } from './table-list.tsx'
import type { Workspace } from './workspace.ts'

/** Connections, and under the open one its tables. */
export function Sidebar(props: {
	readonly workspace: Workspace
	onNew(): void
	onSettings(): void
	onEdit(connection: ConnectionView): void
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
	return (
		<nav class="sidebar" aria-label="Connections">
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
				<For
					each={props.workspace.connections.saved()}
					fallback={<li class="quiet sidebar-hint">No connections yet.</li>}
				>
					{connection => (
						<li class="connection" classList={{ open: activeFor(connection.id) !== undefined }}>
							<div class="connection-line">
								<button
									type="button"
									class="connection-name"
									aria-label={connection.name}
									title={stateWords(connection)}
									aria-expanded={activeFor(connection.id) !== undefined}
									onClick={() => props.workspace.connections.open(connection.id)}
								>
									<ChevronRight size={14} class="chevron" />
									<span class={`state state-${connection.state.status}`} />
									{connection.name}
								</button>
								<IconButton
									label={`Edit ${connection.name}`}
									isSmall
									isOnHover
									onClick={() => props.onEdit(connection)}
								>
									<Pencil size={13} />
								</IconButton>
							</div>
							<Switch>
								<Match when={activeAs(connection.id, 'opening')}>
									{opening => (
										<div class="sidebar-hint">
											<ProgressBar progress={opening().progress} label="Connecting" />
										</div>
									)}
								</Match>
								<Match when={activeAs(connection.id, 'failed')}>
									{failed => (
										<Notice kind="error" action={{ label: 'Try again', run: props.workspace.connections.reload }}>
											{failed().message}
										</Notice>
									)}
								</Match>
								<Match when={activeAs(connection.id, 'open')}>
									{opened => (
										<TableList
											connection={opened()}
											activeTab={props.workspace.tabs.activeId()}
											onOpen={table => props.workspace.openTable(opened(), table)}
											onConsole={() => props.workspace.openConsole(opened())}
											onFacts={() => props.workspace.openFacts(opened())}
											onReload={props.workspace.connections.reload}
										/>
									)}
								</Match>
							</Switch>
						</li>
					)}
				</For>
			</ul>
		</nav>
	)
}

function stateWords({ state }: ConnectionView): string {
	if (state.status === 'failed') return state.message
	return { closed: 'Not connected', connecting: 'Connecting …', connected: 'Connected' }[state.status]
}
