import ChevronRight from 'lucide-solid/icons/chevron-right'
import Pencil from 'lucide-solid/icons/pencil'
import Plus from 'lucide-solid/icons/plus'
import SettingsIcon from 'lucide-solid/icons/settings'
import { For, type JSX, Match, Switch } from 'solid-js'
import type { ConnectionView } from '../../host/ui-server/api.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { Notice } from '../controls/notice.tsx'
import { ProgressBar } from '../controls/progress-bar.tsx'
import type { ActiveConnection, WorkspaceControl } from '../state/workspace.ts'
import { TableList } from './table-list.tsx'

/** Connections, and under the open one its tables. */
export function Sidebar(props: {
	readonly control: WorkspaceControl
	onNew(): void
	onSettings(): void
	onEdit(connection: ConnectionView): void
}): JSX.Element {
	const workspace = () => props.control.workspace
	const activeFor = (id: string): ActiveConnection | undefined => {
		const active = props.control.active()
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
			<ul class="connections">
				<For each={workspace().connections} fallback={<li class="quiet sidebar-hint">No connections yet.</li>}>
					{connection => (
						<li class="connection" classList={{ open: activeFor(connection.id) !== undefined }}>
							<div class="connection-line">
								<button
									type="button"
									class="connection-name"
									aria-label={connection.name}
									title={stateWords(connection)}
									aria-expanded={activeFor(connection.id) !== undefined}
									onClick={() => void props.control.open(connection.id)}
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
										<Notice
											kind="error"
											action={{ label: 'Try again', run: () => void props.control.open(connection.id) }}
										>
											{failed().message}
										</Notice>
									)}
								</Match>
								<Match when={activeAs(connection.id, 'open')}>
									{opened => (
										<TableList
											connection={opened()}
											openTable={workspace().activeTab}
											onOpen={table => props.control.openTable(opened(), table)}
											onConsole={() => props.control.openConsole(opened())}
											onReload={() => void props.control.reloadTables()}
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
